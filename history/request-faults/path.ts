import type { Parameter, Spec } from "../../spec/model/spec.ts";
import type { Asked } from "./asked.ts";
import type { Findings } from "./findings.ts";
import type { Known } from "./known.ts";
import { brokenKeyword } from "./parameter.ts";

export function classifyPath(spec: Spec, asked: Asked, known: Known, findings: Findings): void {
  const { operation } = asked;
  const parameters = [...operation.outer, ...(operation.pathParameter ? [operation.pathParameter] : [])];
  for (const parameter of parameters) {
    const value = asked.path[parameter.name];
    if (value !== undefined && isUnknownId(spec, asked, known, findings, parameter, value)) return;
  }
}

function isUnknownId(
  spec: Spec,
  asked: Asked,
  known: Known,
  findings: Findings,
  parameter: Parameter,
  value: string,
): boolean {
  const place = `path/${parameter.name}`;
  const requirement = unknownIdRequirement(spec, asked, known, parameter, value);
  const cause = "unknown-id";
  const broken = brokenKeyword(spec, parameter, value);
  // No resource has an id that breaks the rules for ids.
  if (broken) {
    const own = parameter.requirements[broken] ?? requirement;
    findings.fault({ requirement: own, cause, place, constraint: broken });
    return true;
  }
  const standing = known.id(asked, parameter, value);
  if (standing === "wrong")
    findings.fault({ requirement, cause, place, constraint: "unknown", basis: "history" });
  else if (standing !== "good") findings.doubt(place, standing.open);
  return standing === "wrong";
}

/** Databases may ignore spaces at the end of an id, so such an id has its own requirement. */
function unknownIdRequirement(
  spec: Spec,
  asked: Asked,
  known: Known,
  parameter: Parameter,
  value: string,
): string {
  if (asked.operation.kind === "update") return "UPDATE-UNKNOWN";
  const shorter = value.trimEnd();
  const isPadded =
    shorter !== value &&
    !brokenKeyword(spec, parameter, shorter) &&
    known.id(asked, parameter, shorter) === "good";
  return isPadded ? "READ-UNKNOWN-BLANKS" : "READ-UNKNOWN";
}
