import type { Context } from "../context.ts";
import { BODY_FIELDS } from "../fields/bodies.ts";
import {
  answerSuccess,
  CREATES,
  DOCUMENTED,
  EVERYWHERE,
  IN_SPACES,
  PAGED,
  SINGLES,
  UPDATES,
  type Where,
} from "../hook-tools.ts";
import type { Json } from "../json.ts";
import { VERSION_CHOICES } from "../operators/condition.ts";
import { alsoInTurn, inAll, onFields } from "../operators/on-fields.ts";
import { ALWAYS, across, type Cases, EVERY_VERSION, SOME_VERSION } from "../operators/operator.ts";
import type { Problem } from "../problems.ts";
import { asked } from "../read-hook-tools.ts";
import { crash, crashInstead } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const BREAKS = ["NO-SERVER-ERROR"];
const WRITES: Where = [...CREATES, ...UPDATES];
const OPAQUE: Where = PAGED.filter((operation) => operation !== "GET /webhooks");
const ANSWERED: Where = EVERYWHERE.filter((name) => DOCUMENTED.includes(name) || name.startsWith("GET"));

/**
 * A service may reject NUL and leap seconds, so the suite sends these under one version only, and such rows
 * vary no version (`inAll`).
 */
const STUMBLING: Readonly<
  Record<string, readonly [does: string, pattern: RegExp, fields: RegExp, cases?: typeof inAll]>
> = {
  "odd-text-crashes": [
    "a character outside the basic plane",
    /[\u{10000}-\u{10ffff}]/u,
    /^(name|description|metadata)$/,
  ],
  "quote-crashes": ["an apostrophe", /'/, /^(name|description|metadata)$/],
  "nul-crashes": ["NUL", /\\u0000/, /^(name|metadata)$/, inAll],
  "leap-second-crashes": ["a leap second", /:60/, /^expireTime$/, inAll],
};

const holding = (name: string, pattern: RegExp) => (ctx: Context) =>
  pattern.test(JSON.stringify(ctx.body[name] ?? null));

const sought = ({ params }: Context) => params.idOrCode ?? params.id ?? "";
const isUnknown = ({ rule }: Problem) => rule === "known";

function isOfItsForm(ctx: Context): boolean {
  const [encoded = ""] = asked(ctx, "after").split(".");
  try {
    return Array.isArray(JSON.parse(Buffer.from(encoded, "base64url").toString()) as Json);
  } catch {
    return false;
  }
}

type Refused = readonly [
  where: Where,
  cases: Cases,
  does: string,
  isMeant: (problem: Problem, ctx: Context) => boolean,
];

const at =
  (place: string, rule?: string): Refused[3] =>
  (problem) =>
    problem.at === place && (rule === undefined || problem.rule === rule);
const KEY = "header.Idempotency-Key";

const REFUSED: Readonly<Record<string, Refused>> = {
  "credentials-crash": [
    DOCUMENTED,
    SOME_VERSION,
    "a call without proper credentials",
    at("header.Authorization"),
  ],
  "space-crashes": [IN_SPACES, SOME_VERSION, "an improper Service-Space-Id", at("header.Service-Space-Id")],
  "unknown-version-crashes": [DOCUMENTED, ALWAYS, "an unknown Service-Version", at("header.Service-Version")],
  "limit-crashes": [PAGED, SOME_VERSION, "an improper limit", at("query.limit")],
  "cursor-crashes": [PAGED, SOME_VERSION, "a cursor that was never issued", ({ rule }) => rule === "cursor"],
  "odd-cursor-crashes": [
    OPAQUE,
    SOME_VERSION,
    "a cursor of the right form that was never issued",
    ({ rule }, ctx) => rule === "cursor" && isOfItsForm(ctx),
  ],
  "long-cursor-crashes": [PAGED, SOME_VERSION, "a cursor that is too long", at("query.after", "maxLength")],
  "country-crashes": [["GET /banks", "GET /momos"], SOME_VERSION, "an improper country", at("query.country")],
  "mode-crashes": [["GET /v1/payment-codes"], SOME_VERSION, "an unknown mode", at("query.mode")],
  "status-crashes": [["GET /v1/payment-codes"], SOME_VERSION, "an unknown status", at("query.status")],
  "unknown-crashes": [UPDATES, SOME_VERSION, "an update of an unknown id", isUnknown],
  "broken-json-crashes": [WRITES, SOME_VERSION, "a body that is not JSON", at("body", "json")],
  "no-object-crashes": [WRITES, SOME_VERSION, "a body that is no object", at("body", "object")],
  "key-crashes-when-long": [CREATES, EVERY_VERSION, "a key that is too long", at(KEY, "maxLength")],
  "key-crashes-when-missing": [CREATES, EVERY_VERSION, "a missing key", at(KEY, "required")],
  "unique-crashes": [
    ["POST /v1/financial-accounts"],
    EVERY_VERSION,
    "a used reference",
    at("body.reference", "unique"),
  ],
};

const AWKWARD: Readonly<Record<string, readonly [does: string, isMeant: (id: string) => boolean]>> = {
  quote: ["an unknown id with a quote", (id) => /['"]/.test(id)],
  long: ["an unknown id of more than 255 characters", (id) => id.length > 255],
  "non-ascii": ["an unknown id with other characters than ASCII", (id) => /[^\0-\x7f]/.test(id)],
  slash: ["an unknown id with a slash", (id) => id.includes("/")],
  plain: ["every unknown id", () => true],
};

export const crashDefects: readonly Defect[] = [
  ...across("server-error", ANSWERED, () => VERSION_CHOICES, {
    breaks: BREAKS,
    does: "every success turns into a 500",
    hooks: (where) => answerSuccess(where, (response) => ({ ...response, status: 500 })),
  }),
  ...Object.entries(STUMBLING).flatMap(([name, [does, pattern, fields, cases = alsoInTurn]]) =>
    onFields(name, cases(BODY_FIELDS.filter((field) => fields.test(field.name))), (field) => ({
      breaks: BREAKS,
      does: `${does} in ${field.name} is answered with 500`,
      hooks: crash([field.operation], holding(field.name, pattern)),
    })),
  ),
  ...Object.entries(REFUSED).flatMap(([name, [where, cases, does, isMeant]]) =>
    across(name, where, cases, {
      breaks: BREAKS,
      does: `${does} is answered with 500`,
      hooks: () => crashInstead(where, isMeant),
    }),
  ),
  ...Object.entries(AWKWARD).flatMap(([place, [does, isMeant]]) =>
    across("unknown-crashes", SINGLES, ALWAYS, {
      at: place,
      breaks: BREAKS,
      does: `${does} is answered with 500`,
      hooks: (where) => crashInstead(where, (problem, ctx) => isUnknown(problem) && isMeant(sought(ctx))),
    }),
  ),
];
