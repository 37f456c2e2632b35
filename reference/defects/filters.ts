import type { Context } from "../context.ts";
import { overlook, refuse, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { LATER_PAGES, VERSION_CHOICES } from "../operators/condition.ts";
import { across, type Cases, EVERY_VERSION } from "../operators/operator.ts";
import { asked } from "../read-hook-tools.ts";
import type { StoredRecord } from "../store.ts";
import type { Defect } from "./defect.ts";

const CODES: Where = ["GET /v1/payment-codes"];
const PROVIDERS: Where = ["GET /banks", "GET /momos"];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ussd_code: [],
  mode: ["one_time", "recurrent"],
  status: ["pending", "processing", "expired", "cancelled", "completed"],
};
const PARAMETERS = Object.keys(VALUES);

const everyCase: Cases = () => [undefined, ...VERSION_CHOICES, LATER_PAGES];

function passing(
  name: string,
  decide: (passes: boolean, about: { value: string; record: StoredRecord; ctx: Context }) => boolean,
): () => Hooks {
  return () => ({
    matches: (passes, ctx, { parameter, value, record }) =>
      parameter === name ? decide(passes, { value, record, ctx }) : passes,
  });
}

function fieldOf(parameter: string, { data }: StoredRecord): string {
  return String(data[parameter === "ussd_code" ? "ussdCode" : parameter] ?? "");
}

function stale(parameter: string): () => Hooks {
  return () => {
    const first = new Map<string, string>();
    return {
      written: (_ctx, record, previous) => {
        if (previous && !first.has(record.id)) first.set(record.id, fieldOf(parameter, previous));
      },
      matches: (passes, _ctx, filter) => {
        const old = first.get(filter.record.id);
        return filter.parameter === parameter && old !== undefined ? old === filter.value : passes;
      },
    };
  };
}

const newest = (ctx: Context, record: StoredRecord) =>
  ctx.service.store
    .all(record.kind)
    .filter(({ space }) => space === ctx.space)
    .indexOf(record) < 40;

function codeFilters(parameter: string): Defect[] {
  const at = parameter;
  const values = VALUES[parameter] ?? [];
  return [
    ...across("filter-ignored", CODES, everyCase, {
      at,
      breaks: ["FILTER-SOUND", "CURSOR-FILTERED"],
      does: `${parameter} is ignored`,
      hooks: passing(parameter, () => true),
    }),
    ...across("filter-finds-nothing", CODES, EVERY_VERSION, {
      at,
      breaks: ["FILTER-COMPLETE"],
      does: `${parameter} finds nothing`,
      hooks: passing(parameter, () => false),
    }),
    ...across("filter-of-newest", CODES, EVERY_VERSION, {
      at,
      breaks: ["FILTER-COMPLETE"],
      does: `${parameter} is looked for among the newest 40 only`,
      hooks: passing(parameter, (passes, { record, ctx }) => passes && newest(ctx, record)),
    }),
    ...across("filter-one-of-two", CODES, EVERY_VERSION, {
      at,
      breaks: ["FILTER-SOUND"],
      does: `${parameter} beside another filter: one of the two is enough`,
      hooks: passing(
        parameter,
        (passes, { ctx }) => passes || PARAMETERS.some((other) => other !== parameter && asked(ctx, other)),
      ),
    }),
    ...across("filter-refused", CODES, EVERY_VERSION, {
      at,
      breaks: ["PARAMETER-ACCEPTED", "FILTER-COMPLETE", "FILTER-SOUND"],
      does: `${parameter} is refused`,
      hooks: (where) =>
        refuse(
          where,
          "query",
          { at: `query.${parameter}`, rule: "enum", message: "no such filter" },
          (ctx) => asked(ctx, parameter) !== "",
        ),
    }),
    ...(parameter === "status"
      ? across("filter-stale", CODES, () => [undefined], {
          at,
          breaks: ["FILTER-COMPLETE", "FILTER-SOUND"],
          does: `a changed ${parameter} is found under its old value`,
          hooks: stale(parameter),
          alsoAt: ["PATCH /payment-codes/{id}"],
        })
      : []),
    ...values.flatMap((value, index) => {
      const next = values[(index + 1) % values.length] ?? value;
      return [
        ...across("value-finds-nothing", CODES, () => [undefined], {
          at: `${at}-${value}`,
          breaks: ["FILTER-COMPLETE"],
          does: `${parameter}=${value} finds nothing`,
          hooks: passing(parameter, (passes, filter) => passes && filter.value !== value),
        }),
        ...across("value-finds-others", CODES, () => [undefined], {
          at: `${at}-${value}`,
          breaks: ["FILTER-SOUND"],
          does: `${parameter}=${value} finds ${next} too`,
          hooks: passing(
            parameter,
            (passes, filter) =>
              passes || (filter.value === value && fieldOf(parameter, filter.record) === next),
          ),
        }),
        ...across("value-refused", CODES, () => [undefined], {
          at: `${at}-${value}`,
          breaks: ["PARAMETER-ACCEPTED", "FILTER-COMPLETE", "FILTER-SOUND"],
          does: `${parameter}=${value} is refused`,
          hooks: (where) =>
            refuse(
              where,
              "query",
              { at: `query.${parameter}`, rule: "enum", message: "no such value" },
              (ctx) => asked(ctx, parameter) === value,
            ),
        }),
        ...across("value-not-listed-alone", CODES, () => [undefined], {
          at: `${at}-${value}`,
          breaks: ["LIST-SHOWS-ALL"],
          does: `what is ${value} is listed under a filter only`,
          hooks: () => ({
            members: (members, ctx) =>
              PARAMETERS.some((name) => asked(ctx, name))
                ? members
                : members.filter((record) => fieldOf(parameter, record) !== value),
          }),
        }),
      ];
    }),
    ...(values.length > 0
      ? across("unknown-value-taken", CODES, EVERY_VERSION, {
          at,
          breaks: ["FILTER-ENUM"],
          does: `an unknown ${parameter} finds nothing instead of being refused`,
          hooks: (where) => overlook(where, { at: `query.${parameter}`, rule: "enum" }),
        })
      : []),
  ];
}

const byBeginning = across("filter-prefix", CODES, EVERY_VERSION, {
  at: "ussd_code",
  breaks: ["FILTER-SOUND"],
  does: "codes that begin like the ussd_code are found too",
  hooks: passing(
    "ussd_code",
    (passes, { value, record }) => passes || fieldOf("ussd_code", record).startsWith(value.slice(0, 5)),
  ),
});

const country =
  (isMeant: (value: string | undefined) => boolean): ((where: Where) => Hooks) =>
  () => ({
    problems: (problems, ctx, stage) =>
      stage === "query" && isMeant(ctx.query.get("country")?.[0]) ? [] : problems,
  });

export const filterDefects: readonly Defect[] = [
  ...PARAMETERS.flatMap(codeFilters),
  ...byBeginning,
  ...across("country-ignored", PROVIDERS, EVERY_VERSION, {
    breaks: ["FILTER-SOUND"],
    does: "providers of every country are listed",
    hooks: passing("country", () => true),
  }),
  ...across("country-and-neighbour", PROVIDERS, EVERY_VERSION, {
    breaks: ["FILTER-SOUND"],
    does: "a provider of another country is listed too",
    hooks: passing(
      "country",
      (passes, { record, ctx }) => passes || ctx.service.store.all(record.kind)[0] === record,
    ),
  }),
  ...across("country-optional", PROVIDERS, EVERY_VERSION, {
    breaks: ["PARAMETER-REQUIRED"],
    does: "calls without a country pass",
    hooks: country((value) => value === undefined),
  }),
  ...across("country-empty", PROVIDERS, EVERY_VERSION, {
    breaks: ["PARAMETER-INVALID", "PARAMETER-REQUIRED"],
    does: "a country with no characters passes",
    hooks: country((value) => value === ""),
  }),
  ...across("country-of-one", PROVIDERS, EVERY_VERSION, {
    breaks: ["PARAMETER-INVALID"],
    does: "a country of one character passes",
    hooks: country((value) => value?.length === 1),
  }),
  ...PARAMETERS.flatMap((one, index) =>
    PARAMETERS.slice(index + 1).flatMap((other) =>
      across("pair-refused", CODES, () => [undefined], {
        at: `${one}-and-${other}`,
        breaks: ["PARAMETER-ACCEPTED"],
        does: `${one} and ${other} are refused together`,
        hooks: (where) =>
          refuse(
            where,
            "query",
            { at: `query.${other}`, rule: "known", message: `not with ${one}` },
            (ctx) => asked(ctx, one) !== "" && asked(ctx, other) !== "",
          ),
      }),
    ),
  ),
  ...across("limit-refused-when-filtered", CODES, () => [undefined], {
    breaks: ["PARAMETER-ACCEPTED"],
    does: "limit=50 is refused beside a status",
    hooks: (where) =>
      refuse(
        where,
        "query",
        { at: "query.limit", rule: "maximum", message: "too many" },
        (ctx) => asked(ctx, "limit") === "50" && asked(ctx, "status") !== "",
      ),
  }),
  ...across("country-of-three", PROVIDERS, EVERY_VERSION, {
    breaks: ["PARAMETER-INVALID"],
    does: "a country of three characters passes",
    hooks: country((value) => value?.length === 3),
  }),
  ...across("country-refused-when-empty", PROVIDERS, EVERY_VERSION, {
    breaks: ["FILTER-NOTHING-FOUND"],
    does: "a country without providers is refused",
    hooks: (where) =>
      refuse(where, "query", { at: "query.country", rule: "known", message: "no such country" }, (ctx) => {
        const kind = ctx.operation === "GET /banks" ? "bank" : "momo";
        return !ctx.service.store.all(kind).some(({ data }) => data.country === asked(ctx, "country"));
      }),
  }),
];
