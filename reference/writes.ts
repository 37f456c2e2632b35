import type { Context } from "./context.ts";
import { announce } from "./deliveries.ts";
import { envelope, type Shape, show } from "./envelope.ts";
import { find } from "./find.ts";
import { once } from "./idempotency.ts";
import { compact, type Json, type JsonObject } from "./json.ts";
import type { Problem } from "./problems.ts";
import { judge } from "./stages.ts";
import type { Kind, StoredRecord } from "./store.ts";

/** A value of undefined removes the field. */
export type Changes = Readonly<Record<string, Json | undefined>>;

export interface Creation {
  readonly kind: Kind;
  readonly idPrefix: string;
  rules(ctx: Context): readonly Problem[];
  conflicts?(ctx: Context): readonly Problem[];
  data(ctx: Context, now: string): JsonObject;
  readonly shape: Shape;
  readonly event?: string;
}

export interface Update {
  readonly kind: Kind;
  rules(ctx: Context): readonly Problem[];
  conflicts?(ctx: Context, record: StoredRecord): readonly Problem[];
  changes(ctx: Context, record: StoredRecord): Changes;
  readonly shape: Shape;
  readonly event?: string;
}

function keep(ctx: Context, record: StoredRecord, previous: StoredRecord | null): void {
  const { hooks, store } = ctx.service;
  const stored = hooks.stored(record, ctx, previous);
  if (stored && previous) store.replace(stored);
  else if (stored) store.add(stored);
  hooks.written(ctx, record, previous);
}

export async function create(ctx: Context, creation: Creation): Promise<Json> {
  const { hooks } = ctx.service;
  judge(ctx, "body", creation.rules(ctx));
  const result = await once(ctx, async () => {
    const checkConflicts = () => judge(ctx, "conflict", creation.conflicts?.(ctx) ?? []);
    checkConflicts();
    await hooks.pause("checked", ctx);
    if (hooks.recheck(true, ctx)) checkConflicts();
    const now = ctx.service.now();
    const { kind, idPrefix } = creation;
    const data = creation.data(ctx, now.toISOString());
    const id = ctx.service.newId(idPrefix);
    const record = hooks.made({ kind, id, space: ctx.space, writtenAt: now.getTime(), data }, ctx, null);
    keep(ctx, record, null);
    const shown = show(ctx, record, creation.shape);
    if (creation.event) announce(ctx.service, creation.event, record.space, shown);
    await hooks.pause("written", ctx);
    return shown;
  });
  return envelope(ctx, result);
}

/** @throws Rejected before anything is changed */
export async function update(ctx: Context, plan: Update): Promise<Json> {
  const { hooks, store } = ctx.service;
  const found = find(ctx, { kind: plan.kind, parameter: "id", purpose: "write" });
  if (!found) return envelope(ctx, {});
  judge(ctx, "body", plan.rules(ctx));
  judge(ctx, "conflict", plan.conflicts?.(ctx, found) ?? []);
  await hooks.pause("checked", ctx);
  const now = ctx.service.now();
  // Another update may have been written meanwhile.
  const previous = hooks.recheck(true, ctx) ? (store.get(plan.kind, found.id) ?? found) : found;
  const changes = hooks.changes(plan.changes(ctx, previous), ctx, previous);
  const data = compact({ ...previous.data, ...changes });
  const record = hooks.made({ ...previous, writtenAt: now.getTime(), data }, ctx, previous);
  keep(ctx, record, previous);
  const shown = show(ctx, record, plan.shape);
  if (plan.event) announce(ctx.service, plan.event, record.space, shown);
  await hooks.pause("written", ctx);
  return envelope(ctx, shown);
}

export function sentFields(body: JsonObject, names: Readonly<Record<string, string>>): Record<string, Json> {
  const changes: Record<string, Json> = {};
  for (const [sent, kept] of Object.entries(names)) {
    const value = Object.hasOwn(body, sent) ? body[sent] : undefined;
    if (value !== undefined) changes[kept] = value;
  }
  return changes;
}
