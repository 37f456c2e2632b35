/** Recorders may mask different values alike (`***`), so masked texts are no evidence. */

import { isObject } from "../../spec/json.ts";
import type { Schema, Spec } from "../../spec/model/spec.ts";

const MASK =
  /^(?:.*[*•]{3,}.*|.*(?:…|\.\.\.)|x{4,}|[[(<{]?\s*(?:redacted|masked|filtered|hidden|removed|omitted|truncated|secret|sanitized|obfuscated)\b.*)$/is;

export function isMask(text: string): boolean {
  return MASK.test(text);
}

/** True if a field shows a mask although the specification allows none there. */
export function showsMask({ schemas }: Spec, schema: Schema | undefined, value: unknown): boolean {
  if (schema === undefined) return false;
  let found = false;
  schemas.walk(schema, value, ({ schema: part, value: shown }) => {
    if (part["x-secret"] || part["x-maskable"] || part["x-hidden"]) return;
    const isFreeForm = isObject(shown) && part.properties === undefined;
    found ||= isFreeForm ? holdsMask(shown) : typeof shown === "string" && isMask(shown);
  });
  return found;
}

function holdsMask(value: unknown): boolean {
  if (typeof value === "string") return isMask(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsMask);
}
