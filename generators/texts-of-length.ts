import type { Schema } from "../spec/model/spec.ts";
import { isEncoded } from "../spec/schema.ts";
import { freshNumber } from "./numbers.ts";
import { matchingTextOfLength } from "./pattern-texts.ts";

interface UniqueTexts {
  unique(): string;
}

/** Returns a unique text of the length in characters. */
export function asciiText(source: UniqueTexts, length: number): string {
  const unique = source.unique();
  return length <= unique.length ? unique.slice(unique.length - length) : unique.padEnd(length, "abcdefghij");
}

/** Returns a valid text of the length in characters, or `undefined` if there is none. */
export function textOfLength(schema: Schema, length: number, source: UniqueTexts): string | undefined {
  const narrow = schema["x-send"];
  const pattern = narrow?.pattern ?? schema.pattern;
  if (pattern !== undefined) {
    return matchingTextOfLength(pattern, length, schema["x-unique"] ? freshNumber(source) : 0);
  }
  if (schema.enum || isEncoded(schema)) return undefined;
  switch (schema.format) {
    case undefined:
      return asciiText(source, length);
    case "uri": {
      const start = "https://example.com/";
      return length < start.length ? undefined : start.padEnd(length, "payments-conformance-");
    }
    case "email": {
      // At most 64 characters come before the @, and 63 are in each label.
      const rest = length - "@example.com".length;
      if (rest <= 0) return undefined;
      // A label and its dot need two characters.
      const most = rest > 60 && (rest - 60) % 50 === 1 ? 61 : 60;
      const name = "alerts".padEnd(Math.min(rest, most), "s").slice(0, rest);
      const labels: string[] = [];
      for (let missing = rest - name.length; missing > 0; missing -= 50)
        labels.push("label".padEnd(49, "l").slice(0, Math.min(49, missing - 1)));
      return `${name}@${labels.map((label) => `${label}.`).join("")}example.com`;
    }
    default:
      return undefined;
  }
}
