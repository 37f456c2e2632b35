import { isObject } from "../../spec/json.ts";
import { DEEPEST_LEVEL, jsonSize } from "../../spec/json-size.ts";
import type { Schema, Spec } from "../../spec/model/spec.ts";
import { bodyOf } from "../body.ts";
import type { Body, Pairs } from "../entry.ts";
import { textsIn } from "../values/tags.ts";
import type { ForeignBody } from "./exchange.ts";

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
    found ||= isFreeForm ? textsIn(shown).some(isMask) : typeof shown === "string" && isMask(shown);
  });
  return found;
}

/** Request headers that let a service answer differently. */
const CONDITIONS = [
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "range",
  "prefer",
  "x-http-method-override",
];

/** Returns the value of the header, or null if it is missing, or unknown. */
export function headerOf(headers: Pairs | null, name: string | undefined): string | null {
  const wanted = name?.toLowerCase();
  return headers?.find(([each]) => each === wanted)?.[1] ?? null;
}

const PARTIAL_CONTENT = 206;
const NOT_MODIFIED = 304;

/** True if JSON is accepted, and the request has no conditions, repeated headers or masks. */
export function askForPlainJson(headers: Pairs, names: readonly string[]): boolean {
  const own = names.map((name) => name.toLowerCase());
  const once = own.every((name) => headers.filter(([each]) => each === name).length <= 1);
  const plain = headers.every(
    ([name, value]) => !CONDITIONS.includes(name) && !(own.includes(name) && isMask(value)),
  );
  const accept = headers.filter(([name]) => name === "accept").map(([, value]) => value);
  return (
    once &&
    plain &&
    (accept.length === 0 || accept.some((value) => /json|\*\/\*|application\/\*/i.test(value)))
  );
}

/** True for answers that follow a condition or a range, which the recorder may have left out. */
export function mayAnswerCondition(
  status: number | undefined,
  headers: Pairs | null,
  ignored: ReadonlySet<string>,
): boolean {
  const isLeftOut = headers === null || CONDITIONS.some((name) => ignored.has(name));
  return isLeftOut && (status === PARTIAL_CONTENT || status === NOT_MODIFIED);
}

/**
 * Returns the body of a recorded message. A body that the recorder shortened or masked counts as cut, and so
 * does one that is nested too deep.
 */
export function recordedBody(
  { text, cut, unreadable }: ForeignBody,
  headers: Pairs | null,
  hasMask: (json: unknown) => boolean,
): Body {
  if (jsonSize(text).depth > DEEPEST_LEVEL) return bodyOf(text, { cut: true, unreadable, json: undefined });
  const plain = bodyOf(text, { unreadable, ...(unreadable === undefined ? {} : { json: undefined }) });
  const json = plain.json();
  const isCut = cut || (json === undefined ? isMask(text) || isIncomplete(text, headers) : hasMask(json));
  return isCut ? bodyOf(text, { cut: true, unreadable }) : plain;
}

function isIncomplete(text: string, headers: Pairs | null): boolean {
  const length = headerOf(headers, "content-length");
  if (length === null || headerOf(headers, "content-encoding") !== null) return isBeginning(text);
  return Buffer.byteLength(text) < Number(length);
}

function isBeginning(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gs, "");
  const count = (pattern: RegExp) => bare.match(pattern)?.length ?? 0;
  return bare.includes('"') || count(/[[{]/g) > count(/[\]}]/g);
}
