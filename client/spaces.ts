import { matchingText } from "../generators/pattern-texts.ts";
import { literalPrefix } from "../generators/wrong-spaces.ts";
import { inventedSpace } from "../history/creates/invented-names.ts";
import type { Schema } from "../spec/model/spec.ts";
import { parameterFaults } from "../spec/schema/parameter-value.ts";
import { NotTested } from "./check.ts";
import type { Target } from "./target.ts";

const LONG_ID_CHARACTERS = 24;

/** False if no well-formed space id can be made up. */
export function hasUnknownSpace(target: Target, schema: Schema): boolean {
  return madeUpSpace(target, schema) !== undefined;
}

/**
 * Returns a well-formed space id that names no space.
 * @throws NotTested if none fits the schema
 */
export function unknownSpace(target: Target, schema: Schema): string {
  const made = madeUpSpace(target, schema);
  if (made === undefined) throw new NotTested("no-data", "no other well-formed space id can be made up");
  return made;
}

function madeUpSpace(target: Target, schema: Schema): string | undefined {
  const fits = (text: string) => parameterFaults(target.spec.schemas, schema, text).length === 0;
  // A service may compare only the first characters of an id, so the known id is lengthened.
  const longer = inventedSpace(target.settings.space, target.runId);
  const spelled = inventedSpace(`${literalPrefix(schema.pattern)}conformance`, target.runId);
  // A long random id is unlikely to be an existing space.
  const long = { ...schema, minLength: Math.min(schema.maxLength ?? LONG_ID_CHARACTERS, LONG_ID_CHARACTERS) };
  const seed = Number.parseInt(target.runId.slice(0, 6), 36) || 0;
  const isOther = (text: string) =>
    text !== target.settings.space && text !== target.settings.secondSpace && fits(text);
  const formed = () =>
    schema.pattern === undefined ? [] : [0, 1, 2].map((n) => matchingText(long, seed + n));
  return (
    [longer, spelled, ...similarSpaces(target.settings.space, target.runId)].find(isOther) ??
    formed().find(isOther)
  );
}

function similarSpaces(space: string, runId: string): string[] {
  return [4, 6, 8, 12, 36, 3, 2, 1].map((length) => {
    const kept = space.slice(0, Math.max(space.length - length, 0));
    const rest = [...space.slice(kept.length)].map((character, index) => {
      const digit = Number.parseInt(runId.charAt(index % runId.length), 16) || 0;
      if (/\d/.test(character)) return String((Number(character) + digit + 1) % 10);
      if (/[a-f]/.test(character)) return "abcdef".charAt((character.charCodeAt(0) + digit) % 6);
      if (/[g-z]/.test(character))
        return "ghijklmnopqrstuvwxyz".charAt((character.charCodeAt(0) + digit) % 20);
      if (/[A-Z]/.test(character)) return "ABCDEF".charAt((character.charCodeAt(0) + digit) % 6);
      return character;
    });
    return `${kept}${rest.join("")}`;
  });
}
