/** Some keys differ only in letter case or hyphens, which a careless service ignores. */

import {
  allowsHyphens,
  type KeyVariation,
  keyLengths,
  keyVariations,
  longestKey,
} from "../generators/keys.ts";
import { inOtherCase } from "../generators/text.ts";
import { headerText } from "../generators/values.ts";
import type { Operation, Parameter } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";

const CODES_FROM = 30;
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const TAG_LENGTH = 20;

/** Returns a unique key of the length in characters, also one that is too long or too short. */
export function keyOfLength(target: Target, key: Parameter, length: number): string {
  const text = target.unique();
  const allowed = allowsHyphens(key) ? text : text.replaceAll("-", "");
  return allowed.slice(-length).padEnd(length, ALPHABET);
}

/** Returns a key as near to `length` characters as its limits allow. */
export function freshKey(target: Target, key: Parameter, length = 40): string {
  const lengths = keyLengths(key);
  if (!lengths) return headerText(key.schema, target.unique());
  const [least, most] = lengths;
  return keyOfLength(target, key, Math.max(least, Math.min(length, most)));
}

/** Returns a key with letters of both cases, digits and, if allowed, hyphens, for `variedKey` to change. */
export function firstKey(target: Target, operation: Operation, family = ""): Promise<string> {
  const key = operation.idempotencyKey;
  if (!key) throw new Error(`${operation.key} takes no idempotency key`);
  return target.memoize(`first key ${operation.id} ${family}`, async () => {
    const fresh = freshKey(target, key, longestKey(key));
    if (keyVariations(key).length === 1) return fresh;
    return `${fresh.slice(0, -3)}b${allowsHyphens(key) ? "-" : "0"}A`;
  });
}

/** Returns a key that differs from the first in one part, or a fresh one. */
export async function variedKey(
  target: Target,
  operation: Operation,
  variation: KeyVariation,
  family: string,
): Promise<string> {
  const key = operation.idempotencyKey;
  if (!key) throw new Error(`${operation.key} takes no idempotency key`);
  if (variation === "unlike" || !keyVariations(key).includes(variation))
    return (await unusedDigitKeys(target, key, `${operation.id} ${family}`)).shift() ?? freshKey(target, key);
  const first = await firstKey(target, operation, family);
  switch (variation) {
    case "last character":
      return `${first.slice(0, -1)}B`;
    case "first character":
      return `${first.startsWith("q") ? "r" : "q"}${first.slice(1)}`;
    case "casing":
      // A service that shortens keys loses the last letter.
      return `${first.slice(0, -1)}${inOtherCase(first.slice(-1))}`;
    case "hyphens":
      return first.replaceAll("-", "");
    case "any keys": {
      const place = TAG_LENGTH + (target.settings.seed % (first.length - TAG_LENGTH - 1));
      return `${first.slice(0, place)}${first[place] === "7" ? "8" : "7"}${first.slice(place + 1)}`;
    }
  }
}

/** Returns two unused keys that differ in a leading zero, which a service that stores numbers loses. */
function unusedDigitKeys(target: Target, key: Parameter, name: string): Promise<string[]> {
  return target.memoize(`keys of digits ${name}`, async () => {
    if (keyVariations(key).length === 1) return [];
    const codes = [...target.unique()].map((character) => character.charCodeAt(0) - CODES_FROM);
    const digits = codes.join("");
    const [least = 0, most = 0] = keyLengths(key) ?? [];
    return digits.length >= least && digits.length < most ? [digits, `0${digits}`] : [];
  });
}
