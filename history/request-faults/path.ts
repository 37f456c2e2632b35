import type { Parameter } from "../../spec/model/spec.ts";
import { pathParametersOf } from "../../spec/operations.ts";
import type { Classifying } from "./classifying.ts";
import { brokenKeyword } from "./parameter.ts";

/** Finds ids that name nothing. */
export function classifyPath(classifying: Classifying): void {
  const { operation, path } = classifying.sent;
  for (const parameter of pathParametersOf(operation)) {
    const value = path[parameter.name];
    if (value !== undefined && isUnknownId(classifying, parameter, value)) return;
  }
}

/** True if no resource has the id. Also records the fault or doubt. */
function isUnknownId(classifying: Classifying, parameter: Parameter, value: string): boolean {
  const { spec, sent, known, findings } = classifying;
  const place = `path/${parameter.name}`;
  const requirement = unknownIdRequirement(classifying, parameter, value);
  const cause = "unknown-id";
  const broken = brokenKeyword(spec, parameter, value);
  if (broken) {
    const own = parameter.requirements[broken] ?? requirement;
    findings.fault({ requirement: own, cause, place, constraint: broken });
    return true;
  }
  const validity = known.id(sent, parameter, value);
  findings.unlessGood(validity, { requirement, cause, place, constraint: "unknown" });
  return validity === "wrong";
}

/**
 * Returns the requirement that an accepted unknown id breaks. Some databases ignore spaces at the end of an
 * id.
 */
function unknownIdRequirement(
  { spec, sent, known }: Classifying,
  parameter: Parameter,
  value: string,
): string {
  if (sent.operation.kind === "update") return "UPDATE-UNKNOWN";
  const shorter = value.trimEnd();
  const isPadded =
    shorter !== value &&
    !brokenKeyword(spec, parameter, shorter) &&
    known.id(sent, parameter, shorter) === "good";
  return isPadded ? "READ-UNKNOWN-BLANKS" : "READ-UNKNOWN";
}
