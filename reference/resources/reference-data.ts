import type { Context } from "../context.ts";
import { plainShape } from "../envelope.ts";
import { read } from "../find.ts";
import type { Handlers } from "../handlers.ts";
import { isCountry } from "../iso.ts";
import { characters, type Json } from "../json.ts";
import { type Filter, list } from "../lists.ts";
import type { Problem } from "../problems.ts";
import type { Kind } from "../store.ts";

function checkCountry(ctx: Context, value: string | null, problems: Problem[]): void {
  const at = "query.country";
  if (value === null) {
    problems.push({ at, rule: "required", message: "country is required" });
    return;
  }
  const { hooks } = ctx.service;
  const least = hooks.limit(2, ctx, { at, rule: "minLength" });
  const most = hooks.limit(2, ctx, { at, rule: "maxLength" });
  const length = characters(value);
  if (length < least) problems.push({ at, rule: "minLength", message: "country is not 2 characters" });
  else if (length > most) problems.push({ at, rule: "maxLength", message: "country is not 2 characters" });
  else if (length === 2 && !isCountry(value))
    problems.push({ at, rule: "enum", message: "country is no ISO 3166-1 alpha-2 code" });
}

const countryFilter: Filter = {
  parameter: "country",
  check: checkCountry,
  matches: (record, value) => record.data.country === value,
};

function providers(ctx: Context, kind: Kind): Json {
  return list(ctx, { kind, paging: "none", filters: [countryFilter], total: true, shape: plainShape });
}

function oneOf(ctx: Context, kind: Kind): Json {
  return read(ctx, { kind, parameter: "idOrCode", byCode: true }, plainShape);
}

export const referenceDataHandlers = {
  "GET /banks": (ctx) => providers(ctx, "bank"),
  "GET /banks/{idOrCode}": (ctx) => oneOf(ctx, "bank"),
  "GET /momos": (ctx) => providers(ctx, "momo"),
  "GET /momos/{idOrCode}": (ctx) => oneOf(ctx, "momo"),
  "GET /countries": (ctx) => list(ctx, { kind: "country", paging: "none", total: true, shape: plainShape }),
  "GET /countries/{idOrCode}": (ctx) => oneOf(ctx, "country"),
} satisfies Handlers;
