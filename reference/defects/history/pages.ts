import type { Context } from "../../context.ts";
import { PAGED, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { OperationName } from "../../operations.ts";
import { ALWAYS, across, type Fault, type Row, tabled } from "../../operators/operator.ts";
import { asked, isFiltered, limitOf } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import type { Defect } from "../defect.ts";

const CODES: Where = ["GET /v1/payment-codes"];
const WEBHOOKS: Where = ["GET /webhooks"];

const itemCursor = (operation: OperationName) => (operation === "GET /webhooks" ? ["ITEM-CURSOR-AFTER"] : []);

function shuffled(
  change: (items: readonly StoredRecord[], page: number) => readonly StoredRecord[],
): () => Hooks {
  return () => {
    let reads = 0;
    return {
      members: (members, ctx) => {
        reads += 1;
        return reads % 2 === 0 ? change(members, limitOf(ctx)) : members;
      },
    };
  };
}

function inPages(
  change: (page: readonly StoredRecord[]) => readonly StoredRecord[],
): (items: readonly StoredRecord[], size: number) => readonly StoredRecord[] {
  return (items, size) =>
    Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
      change(items.slice(page * size, (page + 1) * size)),
    ).flat();
}

const swapped = ([first, second, ...others]: readonly StoredRecord[]) =>
  [second, first, ...others].filter((item) => item !== undefined);

/** The last item of a page stays, because the cursor points to it. */
const ORDERS: Readonly<Record<string, Row>> = {
  "order-turns": [
    (operation) => ["LIST-ORDER", "CURSOR-REPEATABLE", ...itemCursor(operation)],
    "at every second reading the items of a page are in reverse order, but for the last",
    shuffled(inPages((page) => [...page.slice(0, -1).toReversed(), ...page.slice(-1)])),
  ],
  "first-two-swap": [
    (operation) => ["LIST-ORDER", "CURSOR-REPEATABLE", ...itemCursor(operation)],
    "at every second reading the first two items of a page change places",
    shuffled(inPages((page) => (page.length > 2 ? swapped(page) : page))),
  ],
};

function remembered(nameOf: (ctx: Context) => string): () => Hooks {
  return () => {
    const places = new Map<string, string>();
    return {
      cursorStart: (start, ctx, { parameter, items }) => {
        const index = items.findIndex(({ id }) => id === places.get(nameOf(ctx)));
        return parameter === "after" && start !== null && index >= 0 ? index + 1 : start;
      },
      pagination: (pagination, ctx, { items, window }) => {
        const last = items[window.end - 1];
        if (last) places.set(nameOf(ctx), last.id);
        return pagination;
      },
    };
  };
}

function endsWithWalk(): Hooks {
  let walk = 0;
  const walks = new Map<string, number>();
  return {
    cursorStart: (start, _ctx, { text, parameter }) =>
      parameter === "after" && (walks.get(text) ?? walk) < walk - 1 ? null : start,
    cursorText: (text, ctx) => {
      if (asked(ctx, "after") === "") walk += 1;
      if (text !== null) walks.set(text, walk);
      return text;
    },
  };
}

const STANDS: Readonly<Record<string, Row>> = {
  "place-of-token": [
    (operation) => ["CURSOR-COMPLETE", "CURSOR-ONCE", "CURSOR-REPEATABLE", ...itemCursor(operation)],
    "a cursor goes on behind the page that the token read last",
    () => remembered(({ request }) => request.headers.authorization ?? ""),
  ],
  "place-of-limit": [
    (operation) => ["CURSOR-REPEATABLE", ...itemCursor(operation)],
    "a cursor goes on behind the page that was last read with the same limit",
    () => remembered(({ request, query }) => `${request.headers.authorization} ${query.get("limit")}`),
  ],
  "cursor-ends-with-walk": [
    ["CURSOR-ACCEPTED", "CURSOR-REPEATABLE"],
    "a cursor is refused once the list was begun twice again",
    () => endsWithWalk,
  ],
};

function updated(hooks: (times: (record: StoredRecord) => number) => Hooks): () => Hooks {
  return () => {
    const times = new Map<string, number>();
    return {
      written: (_ctx, { id }, previous) => {
        if (previous) times.set(id, (times.get(id) ?? 0) + 1);
      },
      ...hooks(({ id }) => times.get(id) ?? 0),
    };
  };
}

/** Moves the start of a page after an updated record. */
function behindUpdated(
  times: (record: StoredRecord) => number,
  move: (start: number) => number,
): NonNullable<Hooks["cursorStart"]> {
  return (start, _ctx, { items }) => {
    const last = start === null ? undefined : items[start - 1];
    return start !== null && last && times(last) > 0 ? move(start) : start;
  };
}

function unlessLost(isLost: (item: StoredRecord) => boolean): NonNullable<Hooks["cursorStart"]> {
  return (start, _ctx, { text, items }) =>
    items.some((item) => item.id === text && isLost(item)) ? null : start;
}

function ofUpdated(): Defect[] {
  const webhook = (
    name: string,
    breaks: readonly string[],
    does: string,
    hooks: () => Hooks,
  ): Fault & { name: string } => ({
    name,
    breaks,
    does,
    hooks: () => hooks,
    alsoAt: ["PATCH /webhooks/{id}", "POST /webhooks"],
  });
  const code = (
    name: string,
    breaks: readonly string[],
    does: string,
    hooks: () => Hooks,
  ): Fault & { name: string } => ({
    ...webhook(name, breaks, does, hooks),
    alsoAt: ["PATCH /payment-codes/{id}"],
  });
  const ofWebhooks = [
    webhook(
      "updated-twice-shown-twice",
      ["LIST-IDS-UNIQUE", "CURSOR-ONCE"],
      "a webhook that was updated twice is listed twice",
      updated((times) => ({
        members: (all) => all.flatMap((record) => (times(record) === 2 ? [record, record] : [record])),
      })),
    ),
    webhook(
      "cursor-of-updated-lost",
      ["ITEM-CURSOR-AFTER", "CURSOR-ACCEPTED"],
      "the id of an updated webhook is refused as a cursor",
      updated((times) => ({ cursorStart: unlessLost((item) => times(item) > 0) })),
    ),
    webhook(
      "cursor-of-deactivated-lost",
      ["ITEM-CURSOR-AFTER", "CURSOR-ACCEPTED"],
      "the id of a webhook that was deactivated is refused as a cursor",
      updated((times) => ({
        cursorStart: unlessLost((item) => item.data.isActive === false && times(item) > 0),
      })),
    ),
    webhook(
      "total-counts-updates",
      ["LIST-TOTAL-EXACT"],
      "total counts each webhook once for each of its updates",
      updated((times) => ({
        pagination: (pagination, _ctx, { items }) => ({
          ...pagination,
          total: items.reduce((sum, item) => sum + Math.max(1, times(item)), 0),
        }),
      })),
    ),
  ];
  const ofCodes = [
    code(
      "updated-lost-under-filter",
      ["FILTER-COMPLETE"],
      "a code that was updated is found under no filter",
      updated((times) => ({ matches: (matches, _ctx, { record }) => matches && times(record) === 0 })),
    ),
    code(
      "updated-twice-lost-under-filter",
      ["FILTER-COMPLETE"],
      "a code that was updated twice is found under no filter",
      updated((times) => ({ matches: (matches, _ctx, { record }) => matches && times(record) < 2 })),
    ),
    code(
      "updated-shown-under-filter-only",
      ["LIST-SHOWS-ALL"],
      "a code that was updated is listed under filters only",
      updated((times) => ({
        members: (all, ctx) => (isFiltered(ctx) ? all : all.filter((record) => times(record) === 0)),
      })),
    ),
    code(
      "cursor-of-updated-starts-over",
      ["CURSOR-ONCE", "CURSOR-END", "CURSOR-COMPLETE", "CURSOR-FILTERED"],
      "behind a page that ends with an updated code, the list begins again",
      updated((times) => ({ cursorStart: behindUpdated(times, () => 0) })),
    ),
    code(
      "cursor-of-updated-skips",
      ["CURSOR-COMPLETE", "CURSOR-FILTERED"],
      "behind a page that ends with an updated code, one code is left out",
      updated((times) => ({ cursorStart: behindUpdated(times, (start) => start + 1) })),
    ),
  ];
  return [
    ...ofWebhooks.flatMap(({ name, ...fault }) => across(name, WEBHOOKS, ALWAYS, fault)),
    ...ofCodes.flatMap(({ name, ...fault }) => across(name, CODES, ALWAYS, fault)),
    ...across("updated-twice-unlisted", ["PATCH /webhooks/{id}"], ALWAYS, {
      breaks: ["UPDATE-STORED"],
      does: "a webhook that was updated twice is no longer listed",
      alsoAt: WEBHOOKS,
      hooks: () => updated((times) => ({ members: (all) => all.filter((record) => times(record) < 2) })),
    }),
  ];
}

function countsRefused(): Hooks {
  let refused = 0;
  return {
    problems: (problems, { operation }, stage) => {
      if (problems.length > 0 && stage === "body" && operation === "POST /webhooks") refused += 1;
      return problems;
    },
    pagination: (pagination) =>
      typeof pagination.total === "number"
        ? { ...pagination, total: pagination.total + refused }
        : pagination,
  };
}

export const pageHistoryDefects: readonly Defect[] = [
  ...tabled(PAGED, ALWAYS, ORDERS),
  ...tabled(PAGED, ALWAYS, STANDS),
  ...ofUpdated(),
  ...across("total-counts-refused", WEBHOOKS, ALWAYS, {
    breaks: ["LIST-TOTAL-EXACT"],
    does: "total counts creates that were refused, too",
    alsoAt: ["POST /webhooks"],
    hooks: () => countsRefused,
  }),
];
