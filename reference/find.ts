import type { Context } from "./context.ts";
import { envelope, type Shape, show } from "./envelope.ts";
import type { Purpose } from "./hooks.ts";
import type { Json } from "./json.ts";
import { judge } from "./stages.ts";
import type { Kind, StoredRecord } from "./store.ts";

export function isVisible(ctx: Context, record: StoredRecord, purpose: Purpose): boolean {
  const inSpace = record.space === "" || record.space === ctx.space;
  return ctx.service.hooks.visible(inSpace, ctx, record, purpose);
}

/**
 * Returns undefined only with hooks.
 * @throws Rejected 404 for an unknown id
 */
export function find(
  ctx: Context,
  sought: { kind: Kind; parameter: string; purpose: Purpose; byCode?: boolean },
): StoredRecord | undefined {
  const { hooks, store } = ctx.service;
  const { kind, parameter, purpose } = sought;
  const id = ctx.params[parameter] ?? "";
  const candidate =
    store.get(kind, id) ??
    (sought.byCode ? store.all(kind).find((record) => record.data.code === id) : undefined);
  const inReach = candidate && isVisible(ctx, candidate, purpose) ? candidate : undefined;
  const record = hooks.found(inReach, ctx, { kind, id, purpose });
  const message = `there is no such ${kind}`;
  if (!record) judge(ctx, "find", [{ at: `path.${parameter}`, rule: "known", message }]);
  return record;
}

export function read(
  ctx: Context,
  sought: { kind: Kind; parameter: string; byCode?: boolean },
  shape: Shape,
): Json {
  const record = find(ctx, { ...sought, purpose: "read" });
  if (!record) return envelope(ctx, {});
  const item = show(ctx, record, shape);
  ctx.service.hooks.wasRead(ctx, record);
  return envelope(ctx, item);
}
