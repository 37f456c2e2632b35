/**
 * Idempotency keys that no other run sends. Some differ from another key in one way that a careless service
 * may lose.
 */

import { headerText } from "../generators/values.ts";
import type { Operation, Parameter } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
/** The length of the run tag and its hyphen, and of the shortest key that holds a tag and a variable part. */
const MARK_LENGTH = 20;
const SHORTEST_KEY = 24;
const USUAL_LENGTH = 64;

/** A key of exactly `length` letters, digits and hyphens that no other run sends. */
export function keyOfLength(target: Target, length: number): string {
  const mark = target.unique();
  // Run tags differ at their ends.
  return mark.slice(-length).padEnd(length, ALPHABET);
}

/** A key that no other run sends, with about `length` characters if the header's rules allow that. */
export function freshKey(target: Target, key: Parameter, length = 40): string {
  if (hasForm(key)) return headerText(key.schema, target.unique());
  const { minLength = 0, maxLength = length } = key.schema;
  return keyOfLength(target, Math.max(minLength, Math.min(length, maxLength)));
}

/** True if the header's rules prescribe a format or pattern. The key then varies within it only. */
export function hasForm({ schema }: Parameter): boolean {
  return schema.format !== undefined || schema.pattern !== undefined;
}

/** How a key differs from the first key of its family. `unlike` differs in every character. */
export type KeyTwist = "unlike" | "last character" | "first character" | "casing" | "hyphens" | "any keys";

/** The ways in which two keys of a header can differ. */
export function keyTwists(key: Parameter): KeyTwist[] {
  if (hasForm(key) || longestKey(key) < SHORTEST_KEY) return ["unlike"];
  return ["unlike", "last character", "first character", "casing", "hyphens", "any keys"];
}

function longestKey(key: Parameter): number {
  return key.schema.maxLength ?? USUAL_LENGTH;
}

/**
 * The first key of a family: as long as allowed, with letters of both cases, digits and hyphens. The family
 * of the default version has the name "".
 */
export function firstKey(target: Target, operation: Operation, family = ""): Promise<string> {
  const key = operation.idempotencyKey;
  if (!key) throw new Error(`${operation.key} takes no idempotency key`);
  return target.once(`first key ${operation.id} ${family}`, async () =>
    keyTwists(key).length === 1
      ? freshKey(target, key, longestKey(key))
      : `${keyOfLength(target, longestKey(key)).slice(0, -3)}b-A`,
  );
}

export async function twistedKey(
  target: Target,
  operation: Operation,
  twist: KeyTwist,
  family = "",
): Promise<string> {
  const key = operation.idempotencyKey;
  if (!key) throw new Error(`${operation.key} takes no idempotency key`);
  if (twist === "unlike" || !keyTwists(key).includes(twist)) return freshKey(target, key);
  const first = await firstKey(target, operation, family);
  switch (twist) {
    case "last character":
      return `${first.slice(0, -1)}B`;
    case "first character":
      return `${first.startsWith("q") ? "r" : "q"}${first.slice(1)}`;
    case "casing":
      // Only the last letter changes: a service that cuts keys loses it too.
      return `${first.slice(0, -1)}${swapped(first.slice(-1))}`;
    case "hyphens":
      return first.replaceAll("-", "");
    case "any keys": {
      const place = MARK_LENGTH + (target.settings.seed % (first.length - MARK_LENGTH - 1));
      return `${first.slice(0, place)}${first[place] === "7" ? "8" : "7"}${first.slice(place + 1)}`;
    }
  }
}

function swapped(text: string): string {
  return [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join("");
}
