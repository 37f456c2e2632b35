/** Values that a recorder hid. They are no evidence, and equal masks may hide different values. */

import type { Schema, Spec } from "../../spec/model/spec.ts";

const MASK =
  /^(?:.*[*•]{3,}.*|.*(?:…|\.\.\.)|x{4,}|[[(<{]?\s*(?:redacted|masked|filtered|hidden|removed|secret|sanitized|obfuscated)\b.*)$/is;

export function isMask(text: string): boolean {
  return MASK.test(text);
}

/** True if a JSON value has a mask in a field in which the service itself shows no secret. */
export function showsMask({ schemas }: Spec, schema: Schema | undefined, value: unknown): boolean {
  if (schema === undefined) return false;
  let found = false;
  schemas.walk(schema, value, ({ schema: part, value: shown }) => {
    if (typeof shown === "string" && !part["x-secret"] && isMask(shown)) found = true;
  });
  return found;
}
