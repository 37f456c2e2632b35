/** Parameters of the path: ids and codes. */

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
    if (value !== undefined) classifyId(spec, asked, known, findings, parameter, value);
  }
}

function classifyId(
  spec: Spec,
  asked: Asked,
  known: Known,
  findings: Findings,
  parameter: Parameter,
  value: string,
): void {
  const place = `path/${parameter.name}`;
  const unknown = asked.operation.kind === "update" ? "UPDATE-UNKNOWN" : "READ-UNKNOWN";
  const cause = "unknown-id";
  const broken = brokenKeyword(spec, parameter, value);
  // No resource has an id that breaks the rules for ids.
  if (broken) {
    findings.fault({
      requirement: parameter.requirements[broken] ?? unknown,
      cause,
      place,
      constraint: broken,
    });
    return;
  }
  const standing = known.id(asked, parameter, value);
  if (standing === "wrong") {
    const shorter = value.trimEnd();
    // A database may ignore blanks at the end.
    const isPadded = shorter !== value && known.id(asked, parameter, shorter) === "good";
    const requirement = isPadded && unknown === "READ-UNKNOWN" ? "READ-UNKNOWN-BLANKS" : unknown;
    findings.fault({ requirement, cause, place, constraint: "unknown", basis: "history" });
  } else if (standing !== "good") findings.doubt(place, standing.open);
}
