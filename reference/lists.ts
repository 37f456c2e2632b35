import type { Context } from "./context.ts";
import { afterId, decodeCursor, encodeCursor, type ListIdentity, type Paging } from "./cursors.ts";
import { envelope, type Shape, show } from "./envelope.ts";
import { isVisible } from "./find.ts";
import type { Window } from "./hooks.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Problem } from "./problems.ts";
import { checkCursorLength, pageSize, parameter } from "./query.ts";
import { judge } from "./stages.ts";
import type { Kind, StoredRecord } from "./store.ts";

export interface Filter {
  readonly parameter: string;
  check(ctx: Context, value: string | null, problems: Problem[]): void;
  matches(record: StoredRecord, value: string): boolean;
}

export interface ListPlan {
  readonly kind: Kind;
  readonly paging: Paging;
  readonly cursorMax?: number;
  readonly filters?: readonly Filter[];
  readonly total?: boolean;
  readonly shape: Shape;
}

interface Asked {
  readonly size: number;
  readonly after: string | null;
  readonly before: string | null;
  readonly filters: readonly (readonly [Filter, string])[];
}

function readParameters(ctx: Context, plan: ListPlan): Asked {
  const problems: Problem[] = [];
  const filters: [Filter, string][] = [];
  for (const filter of plan.filters ?? []) {
    const value = parameter(ctx, filter.parameter, problems);
    filter.check(ctx, value, problems);
    if (value !== null) filters.push([filter, value]);
  }
  const paged = plan.paging !== "none";
  const size = paged ? pageSize(ctx, problems) : Number.POSITIVE_INFINITY;
  const after = paged ? parameter(ctx, "after", problems) : null;
  const before = plan.paging === "ids" ? parameter(ctx, "before", problems) : null;
  checkCursorLength(ctx, "after", after, plan.cursorMax ?? 2000, problems);
  checkCursorLength(ctx, "before", before, plan.cursorMax ?? 2000, problems);
  judge(ctx, "query", problems);
  return { size, after, before, filters };
}

function startOf(
  ctx: Context,
  plan: ListPlan,
  list: ListIdentity,
  name: "after" | "before",
  text: string,
  items: readonly StoredRecord[],
): number | null {
  const start = plan.paging === "ids" ? afterId(text, items) : decodeCursor(ctx, list, text, items);
  const taken = ctx.service.hooks.cursorStart(start, ctx, { text, parameter: name, items });
  const message = `${name} is not a cursor of this list`;
  if (taken === null) judge(ctx, "query", [{ at: `query.${name}`, rule: "cursor", message }]);
  return taken;
}

function windowOf(
  ctx: Context,
  plan: ListPlan,
  list: ListIdentity,
  asked: Asked,
  items: readonly StoredRecord[],
): Window {
  const { size, after, before } = asked;
  if (after === null && before !== null) {
    const behind = startOf(ctx, plan, list, "before", before, items) ?? items.length + 1;
    return { start: Math.max(0, behind - 1 - size), end: behind - 1 };
  }
  const start = after === null ? 0 : (startOf(ctx, plan, list, "after", after, items) ?? 0);
  return { start, end: Math.min(start + size, items.length) };
}

export function list(ctx: Context, plan: ListPlan): Json {
  const { hooks, store } = ctx.service;
  const asked = readParameters(ctx, plan);
  const inSpace = store.all(plan.kind).filter((record) => isVisible(ctx, record, "list"));
  const members = hooks.members(inSpace, ctx, plan.kind);
  const passes = (record: StoredRecord) =>
    asked.filters.every(([filter, value]) =>
      hooks.matches(filter.matches(record, value), ctx, { parameter: filter.parameter, value, record }),
    );
  const items = asked.filters.length === 0 ? members : members.filter(passes);
  const identity: ListIdentity = {
    kind: plan.kind,
    filters: asked.filters.map(([filter, value]) => [filter.parameter, value]),
  };
  const window = hooks.window(windowOf(ctx, plan, identity, asked, items), ctx, { items, size: asked.size });
  const page = items.slice(window.start, window.end);
  const last = page.at(-1);
  const follows = window.end < items.length && last !== undefined;
  const cursor = !follows ? null : plan.paging === "ids" ? last.id : encodeCursor(ctx, identity, last);
  const next = hooks.cursorText(cursor, ctx, { items, window });
  const pagination: JsonObject = plan.total
    ? { count: page.length, total: items.length, next }
    : { count: page.length, next };
  const result = page.map((record, index) => show(ctx, record, plan.shape, index));
  for (const record of page) hooks.wasRead(ctx, record);
  return envelope(ctx, result, hooks.pagination(pagination, ctx, { items, window }));
}
