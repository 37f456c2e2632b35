import type { Context } from "../context.ts";
import { BODY_FIELDS, type BodyField, prefixOf } from "../fields/bodies.ts";
import { moveLimit, overlook, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json } from "../json.ts";
import { alsoInTurn, inAll, onFields } from "../operators/on-fields.ts";
import type { Problem, Rule } from "../problems.ts";
import { coerce, crashInstead, makeField, overlookWhen, takeNull, together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";
import { wholes } from "./whole-bodies.ts";

interface RuleFault {
  readonly operator: string;
  readonly applies: (field: BodyField) => boolean;
  readonly breaks: (field: BodyField) => readonly string[];
  readonly does: (field: BodyField) => string;
  readonly hooks: (field: BodyField) => Hooks;
}

const SAMPLE: Record<BodyField["type"], Json> = { text: "", flag: false, list: [], object: {} };
const typeName = (value: Json | undefined) =>
  Array.isArray(value) ? "list" : value === null ? "null" : typeof value;

function madeFit({ type, constant }: BodyField): (value: Json) => Json {
  return (value) => {
    if (type === "text")
      return typeof value === "string" ? value : typeof value === "object" ? constant : String(value);
    if (type === "flag") return typeof value === "boolean" ? value : Boolean(value);
    if (type === "list")
      return Array.isArray(value) ? value.filter((element) => typeof element === "string") : constant;
    return isObject(value) ? value : SAMPLE.object;
  };
}

function takeType(field: BodyField, taken: string): Hooks {
  const { operation, name, kept } = field;
  const where: Where = [operation];
  const { made } = coerce(where, name, madeFit(field), kept);
  return {
    ...overlookWhen(
      where,
      { at: `body.${name}`, rule: ["type", "format", "enum"] },
      ({ body }) => typeName(body[name]) === taken,
    ),
    ...(made ? { made } : {}),
  };
}

const typeFault = (taken: string, applies: RuleFault["applies"]): RuleFault => ({
  operator: `${taken}-taken`,
  applies,
  breaks: ({ operation }) => [`${prefixOf(operation)}-TYPE`],
  does: ({ name }) => `a ${taken} is taken for ${name}`,
  hooks: (field) => takeType(field, taken),
});

const sizeRule = ({ type }: BodyField, end: "min" | "max"): Rule =>
  type === "list" ? `${end}Items` : `${end}Length`;
const SIZE_REQUIREMENTS = {
  list: { min: "TOO-FEW", max: "TOO-MANY" },
  text: { min: "TOO-SHORT", max: "TOO-LONG" },
} as const;
const sizeRequirement = ({ type }: BodyField, end: "min" | "max") =>
  SIZE_REQUIREMENTS[type === "list" ? "list" : "text"][end];

const moved = (
  name: string,
  end: "min" | "max",
  does: string,
  to: (limit: number) => number,
  edge: boolean,
  also: readonly string[] = [],
): RuleFault => ({
  operator: name,
  applies: (field) => field[end] !== undefined && to(field[end] ?? 0) >= 0,
  breaks: (field) =>
    [edge ? "EDGES" : sizeRequirement(field, end), ...also].map(
      (requirement) => `${prefixOf(field.operation)}-${requirement}`,
    ),
  does: ({ name: field }) => `${does} of ${field}`,
  hooks: (field) =>
    moveLimit([field.operation], { at: `body.${field.name}`, rule: sizeRule(field, end) }, to),
});

const RULES: readonly RuleFault[] = [
  typeFault("number", ({ type }) => type !== "flag"),
  typeFault("boolean", ({ type }) => type !== "flag"),
  typeFault("string", ({ type }) => type !== "text"),
  typeFault("object", ({ type }) => type !== "object"),
  typeFault("list", ({ type }) => type !== "list"),
  {
    operator: "odd-elements-taken",
    applies: ({ type }) => type === "list",
    breaks: ({ operation }) => [`${prefixOf(operation)}-TYPE`],
    does: ({ name }) => `elements of ${name} may be of any type`,
    hooks: (field) =>
      together(overlook([field.operation], { at: `body.${field.name}[]`, rule: "type" }), {
        made: coerce([field.operation], field.name, madeFit(field), field.kept).made ?? ((record) => record),
      }),
  },
  {
    operator: "required-optional",
    applies: ({ required }) => required,
    breaks: ({ operation }) => [`${prefixOf(operation)}-REQUIRED`],
    does: ({ name }) => `${name} may be left out`,
    hooks: ({ operation, name, kept, constant }) =>
      together(overlook([operation], { at: `body.${name}`, rule: "required" }), {
        made: (record, _ctx, previous) =>
          record.data[kept] === undefined && !previous
            ? { ...record, data: { ...record.data, [kept]: constant } }
            : record,
      }),
  },
  {
    operator: "null-taken",
    applies: ({ nullable, required }) => !nullable && required,
    breaks: ({ operation }) => [`${prefixOf(operation)}-NULL`],
    does: ({ name }) => `null is taken for ${name}`,
    hooks: ({ operation, name, constant }) => takeNull([operation], name, constant),
  },
  {
    operator: "null-kept",
    applies: ({ nullable, required, kept, name }) => !nullable && !required && kept === name,
    breaks: ({ operation }) => [
      `${prefixOf(operation)}-NULL`,
      `${prefixOf(operation)}-ECHO`,
      "WEBHOOK-FIELDS",
      "CODE-FIELDS",
      "ACCOUNT-FIELDS",
    ],
    does: ({ name }) => `null is taken for ${name}, and shown`,
    hooks: ({ operation, name, kept }) =>
      together(overlook([operation], { at: `body.${name}`, rule: "null" }), {
        made: (record, { body }) =>
          body[name] === null ? { ...record, data: { ...record.data, [kept]: null } } : record,
      }),
  },
  {
    operator: "null-as-absent",
    applies: ({ nullable, required }) => !nullable && !required,
    breaks: ({ operation }) => [`${prefixOf(operation)}-NULL-OPTIONAL`],
    does: ({ name }) => `null is taken for ${name}, as if it were left out`,
    hooks: ({ operation, name, kept }) =>
      together(
        overlook([operation], { at: `body.${name}`, rule: "null" }),
        makeField([operation], kept, (value, _ctx, previous) => (value === null ? previous : value)),
      ),
  },
  moved("one-more-taken", "max", "one more than the maximum is taken", (limit) => limit + 1, false),
  moved("any-size-taken", "max", "there is no maximum", () => 1e9, false),
  moved("none-taken", "min", "there is no minimum", () => 0, false),
  moved("maximum-refused", "max", "the maximum is one too low", (limit) => limit - 1, true),
  // Half of at most 3 addresses is 1, so an ordinary body with 2 is rejected.
  moved("half-refused", "max", "the maximum is half of what it is", (limit) => Math.floor(limit / 2), true, [
    "ACCEPTED",
  ]),
  moved("minimum-refused", "min", "the minimum is one too high", (limit) => limit + 1, true),
  {
    operator: "any-value-taken",
    // No section says that an update must reject an invalid URL.
    applies: ({ form, name, operation }) =>
      form !== undefined && !(name === "url" && prefixOf(operation) === "UPDATE"),
    breaks: ({ operation, name }) => [
      name === "currency"
        ? "CREATE-CURRENCY"
        : name === "url"
          ? "CREATE-URL"
          : `${prefixOf(operation)}-INVALID`,
    ],
    does: ({ name }) => `${name} may have any value`,
    hooks: ({ operation, name, kept, form, constant }) =>
      together(overlook([operation], { at: `body.${name}`, ...(form ? { rule: form } : {}) }), {
        made: (record, { body }, previous) =>
          body[name] !== "cancelled" && name === "status"
            ? { ...record, data: { ...record.data, [kept]: previous?.data[kept] ?? constant } }
            : record,
      }),
  },
];

function ruleFaults(): Defect[] {
  return RULES.flatMap(({ operator: name, applies, breaks, does, hooks }) =>
    onFields(name, alsoInTurn(BODY_FIELDS.filter(applies)), (field) => ({
      breaks: breaks(field),
      does: does(field),
      hooks: hooks(field),
    })),
  );
}

const WRONGS: Readonly<
  Record<
    string,
    {
      readonly rules: readonly Rule[];
      readonly applies: (field: BodyField) => boolean;
      readonly does: string;
    }
  >
> = {
  type: { rules: ["type"], applies: () => true, does: "of another type" },
  size: { rules: ["maxLength", "maxItems"], applies: ({ max }) => max !== undefined, does: "over its limit" },
  form: {
    rules: ["format", "enum"],
    applies: ({ form, name, operation }) =>
      form !== undefined && !(name === "url" && prefixOf(operation) === "UPDATE"),
    does: "with a value that it can't have",
  },
  missing: { rules: ["required"], applies: ({ required }) => required, does: "left out" },
};

function isAbout({ name }: BodyField, rules: readonly Rule[]): (problem: Problem) => boolean {
  return ({ at, rule }) => (at === `body.${name}` || at === `body.${name}[]`) && rules.includes(rule);
}

function refusals(): Defect[] {
  return Object.entries(WRONGS).flatMap(([kind, { rules, applies, does }]) => {
    const fields = BODY_FIELDS.filter(applies);
    return [
      ...onFields(`${kind}-crashes`, inAll(fields), (field) => ({
        breaks: ["NO-SERVER-ERROR"],
        does: `${field.name} ${does} is answered with 500`,
        hooks: crashInstead([field.operation], isAbout(field, rules)),
      })),
      ...onFields(`${kind}-refused-but-done`, inAll(fields), (field) => ({
        breaks: [`${prefixOf(field.operation)}-NO-EFFECT`],
        does: `a body with ${field.name} ${does} is refused, and the rest is carried out`,
        hooks: doneAllTheSame(field, isAbout(field, rules)),
      })),
    ];
  });
}

function doneAllTheSame(
  { operation, name, kept, constant }: BodyField,
  isMeant: (problem: Problem) => boolean,
): Hooks {
  const hit = new WeakSet<Context>();
  return {
    problems: (problems, ctx, stage) => {
      if (stage === "body" && problems.some(isMeant)) hit.add(ctx);
      return problems;
    },
    late: (late, ctx, stage) => late || (stage === "body" && hit.has(ctx)),
    changes: (changes, ctx) => {
      if (!hit.has(ctx)) return changes;
      const { [kept]: _, ...others } = changes;
      return Object.keys(others).length > 0 ? others : { metadata: { refused: "but done" } };
    },
    made: (record, ctx, previous) => {
      if (!hit.has(ctx)) return record;
      const metadata = previous
        ? { ...record.data, metadata: { refused: "but done" } }
        : { ...record.data, [kept]: constant };
      return operation.startsWith("POST") && name === "reference"
        ? { ...record, data: { ...metadata, reference: null } }
        : { ...record, data: metadata };
    },
  };
}

export const bodyDefects: readonly Defect[] = [...ruleFaults(), ...refusals(), ...wholes()];
