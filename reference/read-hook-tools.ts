import type { Context } from "./context.ts";
import type { ListIdentity } from "./cursors.ts";
import { isAt, showItems, type Where } from "./hook-tools.ts";
import type { Hooks } from "./hooks.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { StoredRecord } from "./store.ts";

export const CODES: Where = ["GET /v1/payment-codes"];
export const CODE_READ: Where = ["GET /payment-codes/{id}"];
export const COUNTRY_SHOWN: Where = ["GET /countries", "GET /countries/{idOrCode}"];
export const OLDER = "caph.2025-06-20";
export const NEWER = "caph.2025-08-23";

export function asked(ctx: Context, name: string): string {
  return ctx.query.get(name)?.[0] ?? "";
}

export function limitOf(ctx: Context): number {
  return Number(asked(ctx, "limit") || 10);
}

export const FILTERS: readonly string[] = ["mode", "status", "ussd_code"];

export function isFiltered(ctx: Context): boolean {
  return FILTERS.some((name) => asked(ctx, name) !== "");
}

/** True for about one in `n` records, and always for the same ones. */
export function oneIn(n: number, ctx: Context, record: StoredRecord): boolean {
  return ctx.service.store.rank(record.kind, record.id) % n === 3 % n;
}

export interface Shown {
  readonly item: JsonObject;
  readonly ctx: Context;
  readonly record: StoredRecord;
}

type Change = (value: Json | undefined) => Json | undefined;

function changed(value: Json | undefined, path: readonly string[], change: Change): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (key === "*" && Array.isArray(value))
    return value.map((element) => changed(element, rest, change) ?? null);
  if (!isObject(value)) return value;
  const { [key]: inner, ...others } = value;
  const next = changed(inner, rest, change);
  if (next === undefined) return inner === undefined ? value : others;
  return { ...value, [key]: next };
}

/** A part `*` of the path stands for every element of a list. */
export function changeAt(item: JsonObject, path: string, change: Change): JsonObject {
  const result = changed(item, path.split("/"), change);
  return isObject(result) ? result : item;
}

export function showAt(
  where: Where,
  path: string,
  change: (value: Json | undefined, shown: Shown) => Json | undefined,
): Hooks {
  return showItems(where, (item, ctx, { record }) =>
    changeAt(item, path, (value) => change(value, { item, ctx, record })),
  );
}

export function moveStart(where: Where, move: (start: number, ctx: Context) => number): Hooks {
  return {
    cursorStart: (start, ctx, { parameter }) =>
      start === null || parameter !== "after" || !isAt(ctx, where) ? start : Math.max(0, move(start, ctx)),
  };
}

export function listOf(ctx: Context): ListIdentity {
  const filters = ["ussd_code", "mode", "status"].flatMap((name): [string, string][] =>
    asked(ctx, name) ? [[name, asked(ctx, name)]] : [],
  );
  return { kind: isAt(ctx, CODES) ? "paymentCode" : "ussdOtp", filters };
}

export function spacesOf(ctx: Context): readonly string[] {
  return ctx.service.tokens.get(ctx.token) ?? [];
}
