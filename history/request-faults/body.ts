/** Finds faults of the body as a whole (sections 4.2 to 4.15). */

import { isObject } from "../../spec/json.ts";
import { type Asked, type AskedWithBody, headerOf, sideOf } from "./asked.ts";
import { classifyFields } from "./body-fields.ts";
import type { Classifying } from "./classifying.ts";
import type { Findings } from "./findings.ts";

const PLACE = "body";
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;

export function classifyBody(classifying: Classifying<AskedWithBody>): void {
  const { spec, asked, findings } = classifying;
  const { request, operation } = asked;
  if (!hasJsonType(asked, findings)) return;
  const { body } = request;
  if (body?.cut || body?.unreadable) {
    findings.doubt(PLACE, null);
    return;
  }
  const value = body?.json();
  const whole = (
    name: string,
    cause: "malformed-json" | "invalid-body",
    constraint: "json" | "type" | "null",
  ) => findings.fault({ requirement: `${sideOf(operation)}-${name}`, cause, place: PLACE, constraint });
  if (!body?.text) {
    // If no field is required, a service may accept an empty body.
    const isDue = (spec.schemas.flatten(asked.body).required ?? []).length > 0;
    if (isDue) whole("MALFORMED", "malformed-json", "json");
    else findings.doubt(PLACE, null);
  } else if (value === undefined) whole("MALFORMED", "malformed-json", "json");
  else if (value === null) whole("NULL-BODY", "invalid-body", "null");
  else if (isObject(value)) classifyFields(classifying, value);
  else whole("NOT-OBJECT", "invalid-body", "type");
}

function hasJsonType(asked: Asked, findings: Findings): boolean {
  const place = "header/content-type";
  const { operation } = asked;
  const header = headerOf(asked, "content-type") ?? "";
  const [type = "", ...parameters] = header
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (JSON_TYPE.test(type)) {
    if (parameters.length > 0)
      findings.feature(place, "charset", parameters.join(), `${sideOf(operation)}-CHARSET`);
    return true;
  }
  const rule = { "text/plain": "TEXT-PLAIN", "application/x-www-form-urlencoded": "FORM-DATA" }[type];
  const cause = "unsupported-media-type";
  if (rule)
    findings.fault({ requirement: `${sideOf(operation)}-${rule}`, cause, place, constraint: "content-type" });
  else findings.doubt(place, type === "" ? "missingContentType" : null);
  return type === "";
}
