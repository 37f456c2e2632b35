/** Finds faults of whole bodies (sections 4.2 to 4.15). */

import { isObject } from "../../spec/json.ts";
import { header } from "../entry.ts";
import { classifyFields } from "./body-fields.ts";
import type { Classifying } from "./classifying.ts";
import type { Findings } from "./findings.ts";
import { type SentRequest, type SentWithBody, sideOf } from "./sent-request.ts";

const PLACE = "body";
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;

/** Finds faults of the whole body, such as malformed JSON, and of its fields. */
export function classifyBody(classifying: Classifying<SentWithBody>): void {
  const { spec, sent, findings } = classifying;
  const { request, operation } = sent;
  if (!hasJsonType(sent, findings)) return;
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
    const isDue = spec.schemas.required(sent.body).length > 0;
    if (isDue) whole("MALFORMED", "malformed-json", "json");
    else findings.doubt(PLACE, null);
  } else if (value === undefined) whole("MALFORMED", "malformed-json", "json");
  else if (value === null) whole("NULL-BODY", "invalid-body", "null");
  else if (isObject(value)) classifyFields(classifying, value);
  else whole("NOT-OBJECT", "invalid-body", "type");
}

function hasJsonType(sent: SentRequest, findings: Findings): boolean {
  const place = "header/content-type";
  const { operation } = sent;
  const contentType = header(sent.request.headers, "content-type") ?? "";
  const [type = "", ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (JSON_TYPE.test(type)) {
    if (parameters.length > 0) findings.feature("charset", `${sideOf(operation)}-CHARSET`);
    return true;
  }
  const rule = { "text/plain": "TEXT-PLAIN", "application/x-www-form-urlencoded": "FORM-DATA" }[type];
  const cause = "unsupported-media-type";
  if (rule)
    findings.fault({ requirement: `${sideOf(operation)}-${rule}`, cause, place, constraint: "content-type" });
  else findings.doubt(place, type === "" ? "missingContentType" : null);
  return type === "";
}
