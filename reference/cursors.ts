import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "./context.ts";
import type { Kind, StoredRecord } from "./store.ts";

export type Paging = "opaque" | "ids" | "none";

export interface ListIdentity {
  readonly kind: Kind;
  readonly filters: readonly (readonly [string, string])[];
}

function seal(ctx: Context, list: ListIdentity, payload: string): Buffer {
  const bound = JSON.stringify([list.kind, ctx.space, list.filters, payload]);
  return createHmac("sha256", ctx.service.cursorSecret).update(bound).digest().subarray(0, 12);
}

export function encodeCursor(ctx: Context, list: ListIdentity, item: StoredRecord): string {
  const payload = Buffer.from(JSON.stringify([item.id, ctx.service.store.rank(list.kind, item.id)]));
  return `${payload.toString("base64url")}.${seal(ctx, list, payload.toString()).toString("base64url")}`;
}

/** Returns null if this list did not issue the cursor. */
export function decodeCursor(
  ctx: Context,
  list: ListIdentity,
  text: string,
  items: readonly StoredRecord[],
): number | null {
  const [encoded = "", sealed = "", ...rest] = text.split(".");
  const payload = Buffer.from(encoded, "base64url");
  const given = Buffer.from(sealed, "base64url");
  const expected = seal(ctx, list, payload.toString());
  const wellSpelled =
    payload.toString("base64url") === encoded && given.toString("base64url") === sealed && rest.length === 0;
  if (!wellSpelled || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const [id, rank] = JSON.parse(payload.toString()) as [string, number];
  const item = ctx.service.store.get(list.kind, id);
  const index = item ? items.indexOf(item) : -1;
  if (index >= 0) return index + 1;
  const rankOf = (other: StoredRecord | undefined) =>
    other ? ctx.service.store.rank(list.kind, other.id) : 0;
  const newestFirst = rankOf(items[0]) >= rankOf(items.at(-1));
  const behind = items.findIndex((other) => (newestFirst ? rankOf(other) < rank : rankOf(other) > rank));
  return behind < 0 ? items.length : behind;
}

export function afterId(text: string, items: readonly StoredRecord[]): number | null {
  const index = items.findIndex((item) => item.id === text);
  return index < 0 ? null : index + 1;
}
