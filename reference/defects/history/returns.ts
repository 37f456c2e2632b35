import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../context.ts";
import type { Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { JsonObject } from "../../json.ts";
import { ALWAYS, across } from "../../operators/operator.ts";
import { NEWER, OLDER } from "../../read-hook-tools.ts";
import type { Defect } from "../defect.ts";

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function ignoresFirstValues(): Hooks {
  const firsts = new Map<string, JsonObject>();
  return {
    changes: (changes, _ctx, { id, data }) => {
      const first = firsts.get(id) ?? data;
      firsts.set(id, first);
      return Object.fromEntries(
        Object.entries(changes).filter(
          ([name, value]) => name === "url" || value === undefined || !same(value, first[name]),
        ),
      );
    },
  };
}

function revivesBeside(): Hooks {
  const before = new WeakMap<Context, JsonObject>();
  const isCancelling = ({ body }: Context) => body.status === "cancelled";
  return {
    pause: async (point, ctx) => {
      if (point !== "checked" || isCancelling(ctx)) return;
      const record = ctx.service.store.get("paymentCode", ctx.params.id ?? "");
      if (record) before.set(ctx, record.data);
      await wait(25);
    },
    stored: (record, ctx) => {
      const { status } = before.get(ctx) ?? {};
      return record && status !== undefined ? { ...record, data: { ...record.data, status } } : record;
    },
  };
}

function unknownToOtherVersion(): Hooks {
  const made = new Set<string>();
  const versionOf = ({ request }: Context) => request.headers["service-version"] ?? NEWER;
  return {
    written: (ctx, { id }, previous) => {
      if (!previous && versionOf(ctx) === OLDER) made.add(id);
    },
    found: (record, ctx, { purpose }) =>
      record && purpose === "write" && made.has(record.id) && versionOf(ctx) !== OLDER ? undefined : record,
  };
}

function countsUnknown(): Hooks {
  const unknown = new Set<string>();
  return {
    found: (record, _ctx, { id }) => {
      if (!record) unknown.add(id);
      return record;
    },
    pagination: (pagination) =>
      typeof pagination.total === "number"
        ? { ...pagination, total: pagination.total + unknown.size }
        : pagination,
  };
}

const COUNTED: readonly (readonly [list: Where, read: Where])[] = [
  [["GET /banks"], ["GET /banks/{idOrCode}"]],
  [["GET /momos"], ["GET /momos/{idOrCode}"]],
  [["GET /countries"], ["GET /countries/{idOrCode}"]],
];

export const returnHistoryDefects: readonly Defect[] = [
  // The payout for updates has no metadata at first, so payouts are left out.
  ...across("first-values-ignored", ["PATCH /payment-codes/{id}", "PATCH /webhooks/{id}"], ALWAYS, {
    breaks: ["UPDATE-ECHO", "UPDATE-STORED"],
    does: "a value that a field had before its first update is not taken again",
    hooks: () => ignoresFirstValues,
  }),
  ...across("revived-beside", ["PATCH /payment-codes/{id}"], ALWAYS, {
    breaks: ["CANCEL-STATUS"],
    does: "an update at the same moment as a cancellation writes the status as it was before",
    hooks: () => revivesBeside,
  }),
  ...across("unknown-to-other-version", ["PATCH /webhooks/{id}"], ALWAYS, {
    breaks: ["UPDATE-ACCEPTED"],
    does: `a webhook created under ${OLDER} is unknown to updates under another version`,
    alsoAt: ["POST /webhooks"],
    hooks: () => unknownToOtherVersion,
  }),
  ...COUNTED.flatMap(([list, read]) =>
    across("total-counts-unknown", list, ALWAYS, {
      breaks: ["LIST-TOTAL-EXACT"],
      does: "total counts records that reads asked for in vain, too",
      alsoAt: read,
      hooks: () => countsUnknown,
    }),
  ),
];
