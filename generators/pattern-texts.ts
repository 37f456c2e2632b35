import fc from "fast-check";
import { keptIn } from "../spec/memoized.ts";
import type { Schema } from "../spec/model/spec.ts";

export function patternOf(pattern: string): RegExp {
  return new RegExp(pattern, "u");
}

/** Generating a text takes milliseconds, so texts are kept. */
const matchingTexts = new Map<string, string>();

/** Returns a text that matches the pattern, and a plain one if there is any. */
function anyMatchingText(pattern: string, variation: number): string {
  return keptIn(matchingTexts, `${variation} ${pattern}`, () => {
    const made = samplesOf(pattern, variation);
    // A service may reject an unusual text for another reason.
    const plain = [...made, ...PLAIN_TEXTS].find((text) => isPlain(text) && patternOf(pattern).test(text));
    return plain ?? made[0] ?? "";
  });
}

/** Returns the longest plain text of some that match the schema, because short ones are soon taken. */
export function uniqueMatchingText(schema: Schema, variation: number): string {
  const samples = samplesOf(schema.pattern ?? "", variation);
  const fitting = samples.filter((text) => isPlain(text) && hasValidLength(text, schema));
  const [longest] = fitting.sort((one, other) => other.length - one.length);
  return longest ?? matchingText(schema, variation);
}

function hasValidLength({ length }: string, { minLength = 0, maxLength = length }: Schema): boolean {
  return length >= minLength && length <= maxLength;
}

const PLAIN_TEXTS = [
  "conformance",
  "Conformance",
  "CONFORMANCE",
  "Conformance 1",
  "a1",
  "A1",
  "1",
  "12345678",
];

function isPlain(text: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

const textsOfPattern = new Map<string, fc.Arbitrary<string>>();

/**
 * Returns a generator of texts that match the pattern, and keeps it. Making a generator takes a hundred times
 * as long as a text.
 * @throws Error if fast-check does not support the pattern
 */
function textsFor(pattern: string): fc.Arbitrary<string> {
  // With bias, fast-check repeats small values too often for unique fields.
  return keptIn(textsOfPattern, pattern, () => fc.noBias(fc.stringMatching(patternOf(pattern))));
}

const LOOKS_AROUND = /\(\?<?[=!](?:[^()\\]|\\.)*\)/g;
const MANY_SAMPLES = 200;

/** Returns some texts that match the pattern. With lookaround, they are found by chance, or not at all. */
function samplesOf(pattern: string, seed: number): string[] {
  const plain = pattern.replace(LOOKS_AROUND, "");
  try {
    const made = fc.sample(textsFor(plain), { seed, numRuns: plain === pattern ? 8 : MANY_SAMPLES });
    return plain === pattern ? made : made.filter((text) => patternOf(pattern).test(text)).slice(0, 8);
  } catch {
    return [];
  }
}

const TEXTS_TRIED = 12;

/** Returns a text that matches the pattern and, if one is found, the lengths. */
export function matchingText(schema: Schema, variation: number): string {
  const { pattern = "", minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  for (let attempt = 0; attempt < TEXTS_TRIED; attempt++) {
    const text = anyMatchingText(pattern, variation + attempt * 1000);
    if (hasValidLength(text, schema)) return text;
  }
  const wanted = Math.max(minLength, Math.min(minLength + 4, maxLength));
  return matchingTextOfLength(pattern, wanted, variation) ?? anyMatchingText(pattern, variation);
}

/** Returns a matching text of this length, by adding or taking away characters, or `undefined`. */
export function matchingTextOfLength(pattern: string, length: number, variation: number): string | undefined {
  const fits = patternOf(pattern);
  for (let attempt = 0; attempt < TEXTS_TRIED; attempt++) {
    const text = anyMatchingText(pattern, variation + attempt * 1000);
    const missing = length - text.length;
    for (let at = text.length; at >= 0; at--) {
      const fillers = missing > 0 ? ["a", "0", "A", "-"] : [""];
      for (const filler of fillers) {
        const changed =
          text.slice(0, at) + filler.repeat(Math.max(missing, 0)) + text.slice(at + Math.max(-missing, 0));
        if (changed.length === length && fits.test(changed)) return changed;
      }
    }
  }
  return undefined;
}
