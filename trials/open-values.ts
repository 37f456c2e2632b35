/** Values of a body that the specification leaves open, sent together in few creating calls. */

import type { Call } from "../client/call.ts";
import { type Answer, isAccepted } from "../client/target.ts";
import { withBody } from "../generators/request.ts";
import { UNHEARD_OF } from "../history/invented-names.ts";
import { UNIT_NAMES } from "../profiles/prose.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";
import { operationsOf, type Place } from "./rule.ts";

/** An astral character for each hexadecimal digit. */
function astral(digit: number): string {
  return String.fromCodePoint(0x1f600 + digit);
}

/** A hand with a skin tone for each hexadecimal digit. */
function toned(digit: number): string {
  return String.fromCodePoint(0x1f446 + (digit % 11), 0x1f3fd);
}

/** `count` characters that encode the run tag, so that no other run has sent them. */
function spelled(runId: string, count: number, character: (digit: number) => string): string {
  return Array.from({ length: count }, (_, index) =>
    character(Number.parseInt(runId.charAt(index) || "0", 16)),
  ).join("");
}

/** A question about one field of a body that the specification leaves open. */
export interface Open {
  requirement: string;
  practice: "unknownBodyFields" | "emptyTexts" | "lowerCaseCodes" | "unheardOfValues";
  subject: string;
  field?: string;
  /** True if the field is unique in a space, so that the answer depends on earlier requests. */
  unique?: boolean;
  change(valid: JsonObject, runId: string): JsonObject;
}

function isText(schema: Schema): boolean {
  return typesOf(schema).includes("string") && !schema.format && !schema.enum && !schema.pattern;
}

export const UNKNOWN: Open = {
  requirement: "CREATE-UNKNOWN-FIELDS",
  practice: "unknownBodyFields",
  subject: "a field that is not documented",
  change: (valid) => ({ ...valid, conformanceUnknown: "x" }),
};

export function openValues(spec: Spec, operation: Operation): Open[] {
  return spec.schemas.fields(operation.body).flatMap(([field, schema]): Open[] => {
    const open = (
      requirement: string,
      practice: Open["practice"],
      subject: string,
      value: (valid: JsonObject) => unknown,
    ): Open => ({
      requirement,
      practice,
      subject,
      field,
      unique: schema["x-unique"] !== undefined,
      change: (valid) => ({ ...valid, [field]: value(valid) }),
    });
    const unheard = typesOf(schema).includes("array") ? [UNHEARD_OF] : UNHEARD_OF;
    return [
      ...(isText(schema) && schema.minLength === undefined && !schema["x-send"]
        ? [open("CREATE-EMPTY-TEXT", "emptyTexts", `an empty ${field}`, () => "")]
        : []),
      ...(schema.format === "currency-code"
        ? [
            open("CREATE-CODE-CASE", "lowerCaseCodes", `${field} in lower case`, (valid) =>
              String(valid[field]).toLowerCase(),
            ),
          ]
        : []),
      ...(schema["x-open"]
        ? [open(schema["x-open"], "unheardOfValues", `an unheard-of value in ${field}`, () => unheard)]
        : []),
    ];
  });
}

/** Values that most services accept: sent together first, to create few resources. */
const LIKELY: ReadonlySet<string> = new Set(["CREATE-UNKNOWN-FIELDS", "CREATE-EMPTY-TEXT"]);

/** Sends a minimal body with some open values; fewer of them if the service rejects them together. */
export async function tried(call: Call, opens: Open[]): Promise<Map<string, Answer>> {
  const { target, version } = call;
  const valid = await call.body("minimal");
  const sent = opens.reduce((body, open) => open.change(body, target.runId), valid);
  const answer = await call.send(withBody(await call.under(version).valid(), sent));
  if (isAccepted(answer) || opens.length === 1) return new Map(opens.map(({ subject }) => [subject, answer]));
  const likely = opens.filter(({ requirement }) => LIKELY.has(requirement));
  const half = Math.ceil(opens.length / 2);
  const first = likely.length > 0 && likely.length < opens.length ? likely : opens.slice(0, half);
  const rest = opens.filter((open) => !first.includes(open));
  return new Map([...(await tried(call, first)), ...(await tried(call, rest))]);
}

/**
 * The ways of counting. An astral character is one code point, two UTF-16 units and four bytes; a hand with a skin
 * tone is one grapheme of two code points. The first accepted length decides, as shorter ones are accepted too.
 */
export const UNITS = [
  { unit: "graphemes", share: 1, characters: "characters of two code points", character: toned },
  { unit: "code-points", share: 1, characters: "astral characters", character: astral },
  { unit: "utf-16", share: 2, characters: "astral characters", character: astral },
  { unit: "bytes", share: 4, characters: "astral characters", character: astral },
] as const;

type Unit = (typeof UNITS)[number];

export interface CountPlace extends Place {
  unit: Unit;
  field: string;
  maxLength: number;
  /** The sent text in words. */
  sent: string;
  subject: string;
}

export function countPlaces(spec: Spec): CountPlace[] {
  return operationsOf(spec, "create").flatMap((operation) =>
    spec.schemas.fields(operation.body).flatMap(([field, schema]) => {
      const { maxLength } = schema;
      if (!isText(schema) || maxLength === undefined) return [];
      return UNITS.map((unit) => {
        const count = Math.floor(maxLength / unit.share);
        const sent = `${count} ${unit.characters}`;
        const subject = `${field} of ${sent} (${UNIT_NAMES[unit.unit]} within the limit)`;
        return { operation, unit, field, maxLength, sent, subject, detail: subject };
      });
    }),
  );
}

/**
 * The answer to texts of the greatest length of a unit, in all fields at once. If a longer text was accepted, it is
 * not sent.
 */
export function counted(call: Call, index: number): Promise<Answer> {
  const { target, operation } = call;
  return target.once(`counted ${operation.id} ${index}`, async () => {
    const longer = index > 0 ? await counted(call, index - 1) : undefined;
    if (longer && isAccepted(longer)) return longer;
    const { share, character } = UNITS[index] ?? UNITS[0];
    const valid = await call.body("minimal");
    const texts = countPlaces(target.spec)
      .filter((place) => place.operation.id === operation.id)
      .map(({ field, maxLength }) => [
        field,
        spelled(target.runId, Math.floor(maxLength / share), character),
      ]);
    return call.send(withBody(await call.valid(), { ...valid, ...Object.fromEntries(texts) }));
  });
}
