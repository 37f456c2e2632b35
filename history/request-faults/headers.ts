/** Finds faults in headers (sections 4, 5 and 9). */

import type { Parameter } from "../../spec/model/spec.ts";
import type { RequestFault } from "../classification.ts";
import { header } from "../entry.ts";
import type { Classifying } from "./classifying.ts";
import { MISSING_PARAMETER } from "./findings.ts";
import { brokenKeyword } from "./parameter.ts";

/** Finds faults of space, version, key and other headers. */
export function classifyHeaders(classifying: Classifying): void {
  const { space, version, idempotencyKey, parameters } = classifying.sent.operation;
  if (space) classifySpace(classifying, space);
  if (version) classifyVersion(classifying, version);
  if (idempotencyKey) classifyKey(classifying, idempotencyKey);
  for (const parameter of parameters)
    if (parameter.in === "header" && parameter.role === "other") classifyOther(classifying, parameter);
}

/** Notes whether the space header is missing, malformed or not of this caller. */
function classifySpace(classifying: Classifying, space: Parameter): void {
  const { spec, sent, known, findings } = classifying;
  const place = headerPlace(space);
  if (!sent.space) {
    noteMissing(classifying, space, { requirement: "SPACE-MISSING", cause: "missing-space" });
    return;
  }
  const broken = brokenKeyword(spec, space, sent.space);
  if (broken) {
    const requirement = broken === "maxLength" ? "SPACE-LENGTH" : "SPACE-PATTERN";
    findings.fault({ requirement, cause: "invalid-space", place, constraint: broken });
    return;
  }
  findings.unlessGood(known.space(sent), {
    requirement: "SPACE-UNKNOWN",
    cause: "unknown-space",
    place,
    constraint: "unknown",
  });
}

/** Notes whether the version header is missing, empty or not supported. */
function classifyVersion(classifying: Classifying, parameter: Parameter): void {
  const { spec, sent, findings } = classifying;
  const { version } = sent;
  const place = headerPlace(parameter);
  if (version === null) noteMissing(classifying, parameter, MISSING_PARAMETER);
  else if (version === "") findings.doubt(place, "emptyVersion");
  else if (brokenKeyword(spec, parameter, version))
    findings.fault({ requirement: "VERSION-UNKNOWN", cause: "unknown-version", place, constraint: "enum" });
}

/** Notes whether the idempotency key is missing, empty, malformed or used before. */
function classifyKey(classifying: Classifying, parameter: Parameter): void {
  const { spec, sent, known, findings } = classifying;
  const place = headerPlace(parameter);
  const value = header(sent.request.headers, parameter.name);
  if (!value) {
    const requirement = value === undefined ? "KEY-MISSING" : "KEY-EMPTY";
    noteMissing(classifying, parameter, { requirement, cause: "missing-idempotency-key" });
    return;
  }
  const broken = brokenKeyword(spec, parameter, value);
  if (broken) {
    const requirement =
      parameter.requirements[broken] ?? (broken === "maxLength" ? "KEY-TOO-LONG" : "PARAMETER-INVALID");
    findings.fault({ requirement, cause: "invalid-idempotency-key", place, constraint: broken });
    return;
  }
  findings.unlessGood(known.key(sent, value), {
    requirement: "KEY-OTHER-BODY",
    cause: "idempotency-conflict",
    place,
    constraint: "used-with-another-body",
  });
}

/** Notes whether another header is missing or breaks its schema. */
function classifyOther(classifying: Classifying, parameter: Parameter): void {
  const { spec, sent, findings } = classifying;
  const place = headerPlace(parameter);
  const value = header(sent.request.headers, parameter.name);
  const broken = value === undefined ? undefined : brokenKeyword(spec, parameter, value);
  if (value === undefined) noteMissing(classifying, parameter, MISSING_PARAMETER);
  else if (value === "" && !parameter.required) findings.doubt(place, "emptyParameters");
  else if (broken) {
    const requirement = parameter.requirements[broken] ?? "PARAMETER-INVALID";
    findings.fault({ requirement, cause: "invalid-parameter", place, constraint: broken });
  }
}

/** Notes that a required header is missing. Recorded traffic may lack headers that were sent. */
function noteMissing(
  { sent, findings }: Classifying,
  parameter: Parameter,
  fault: Pick<RequestFault, "requirement" | "cause">,
): void {
  if (!parameter.required) return;
  const place = headerPlace(parameter);
  const isUnrecorded = sent.request.isPartial && header(sent.request.headers, parameter.name) === undefined;
  if (isUnrecorded) findings.doubt(place, null);
  else findings.fault({ ...fault, place, constraint: "required" });
}

function headerPlace({ name }: Parameter): string {
  return `header/${name.toLowerCase()}`;
}
