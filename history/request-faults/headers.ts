/** Finds faults in headers (sections 4, 5 and 9). */

import type { Parameter } from "../../spec/model/spec.ts";
import { header } from "../entry.ts";
import type { Classifying } from "./classifying.ts";
import { brokenKeyword } from "./parameter.ts";
import type { SentRequest } from "./sent-request.ts";

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
function classifySpace({ spec, sent, known, findings }: Classifying, space: Parameter): void {
  const place = headerPlace(space);
  if (!sent.space) {
    const fault = { requirement: "SPACE-MISSING", cause: "missing-space", constraint: "required" } as const;
    if (space.required && isUnrecorded(sent, space)) findings.doubt(place, null);
    else if (space.required) findings.fault({ ...fault, place });
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
function classifyVersion({ spec, sent, findings }: Classifying, parameter: Parameter): void {
  const { version } = sent;
  const place = headerPlace(parameter);
  if (version === null) {
    if (parameter.required && isUnrecorded(sent, parameter)) findings.doubt(place, null);
    else if (parameter.required) findings.missingParameter(place);
    return;
  }
  if (version === "") findings.doubt(place, "emptyVersion");
  else if (brokenKeyword(spec, parameter, version))
    findings.fault({ requirement: "VERSION-UNKNOWN", cause: "unknown-version", place, constraint: "enum" });
}

/** Notes whether the idempotency key is missing, empty, malformed or used before. */
function classifyKey({ spec, sent, known, findings }: Classifying, parameter: Parameter): void {
  const place = headerPlace(parameter);
  const value = header(sent.request.headers, parameter.name);
  if (!value) {
    const requirement = value === undefined ? "KEY-MISSING" : "KEY-EMPTY";
    if (parameter.required && isUnrecorded(sent, parameter)) findings.doubt(place, null);
    else if (parameter.required)
      findings.fault({ requirement, cause: "missing-idempotency-key", place, constraint: "required" });
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
function classifyOther({ spec, sent, findings }: Classifying, parameter: Parameter): void {
  const place = headerPlace(parameter);
  const value = header(sent.request.headers, parameter.name);
  const broken = value === undefined ? undefined : brokenKeyword(spec, parameter, value);
  const cause = "invalid-parameter";
  if (parameter.required && isUnrecorded(sent, parameter)) findings.doubt(place, null);
  else if (value === undefined && parameter.required)
    findings.fault({ requirement: "PARAMETER-REQUIRED", cause, place, constraint: "required" });
  else if (value === "" && !parameter.required) findings.doubt(place, "emptyParameters");
  else if (broken) {
    const requirement = parameter.requirements[broken] ?? "PARAMETER-INVALID";
    findings.fault({ requirement, cause, place, constraint: broken });
  }
}

function isUnrecorded(sent: SentRequest, { name }: Parameter): boolean {
  return sent.request.isPartial === true && header(sent.request.headers, name) === undefined;
}

function headerPlace({ name }: Parameter): string {
  return `header/${name.toLowerCase()}`;
}
