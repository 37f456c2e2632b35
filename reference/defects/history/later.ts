import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { SINGLES, UPDATES, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { ALWAYS, across } from "../../operators/operator.ts";
import type { Kind } from "../../store.ts";
import type { Defect } from "../defect.ts";
import { WITH_SEVERAL_FIELDS, wanted } from "./rejections.ts";

const DELAYS = [300, 900];

const idOf = ({ params }: Context) => params.id ?? "";

function recordKindOf({ operation }: Context): Kind {
  return operation.includes("webhooks")
    ? "webhook"
    : operation.includes("payouts")
      ? "payout"
      : "paymentCode";
}

const takenBack = (delay: number) => (): Hooks => ({
  stored: (record, { service }, previous) => {
    service.later(delay, () => {
      const isLatest = record && service.store.get(record.kind, record.id)?.data === record.data;
      if (isLatest && previous) service.store.replace(previous);
    });
    return record;
  },
});

const doneLater = (delay: number) => (): Hooks => ({
  problems: (problems, ctx, stage) => {
    const { service, space } = ctx;
    if (stage === "body" && problems.length > 0) {
      const changes = wanted(ctx, problems);
      service.later(delay, () => {
        const record = service.store.get(recordKindOf(ctx), idOf(ctx));
        if (record?.space === space)
          service.store.replace({ ...record, data: { ...record.data, ...changes } });
      });
    }
    return problems;
  },
});

const vanishing = (delay: number) => (): Hooks => ({
  written: ({ service }, { kind, id }) => service.later(delay, () => service.store.remove(kind, id)),
});

const uncancelled = (): Hooks => ({
  stored: (record, { body }, previous) =>
    record && previous?.data.status === "cancelled" && body.status === undefined
      ? { ...record, data: { ...record.data, status: "pending" } }
      : record,
});

function missingMeanwhile(): Hooks {
  const busy = new Map<string, Context>();
  return {
    pause: (point, ctx) => {
      if (point !== "checked") return;
      busy.set(idOf(ctx), ctx);
      return wait(25);
    },
    response: (response, ctx) => {
      if (busy.get(idOf(ctx)) === ctx) busy.delete(idOf(ctx));
      return response;
    },
    found: (record, _ctx, { id, purpose }) => (purpose === "read" && busy.has(id) ? undefined : record),
  };
}

const READ: Where = SINGLES.filter((name) =>
  UPDATES.some((update) => update.endsWith(name.slice("GET".length))),
);

export const laterHistoryDefects: readonly Defect[] = [
  ...DELAYS.flatMap((delay) => [
    ...across("taken-back-later", UPDATES, ALWAYS, {
      at: `${delay}ms`,
      breaks: ["UPDATE-STORED"],
      does: `an update is taken back after ${delay} milliseconds`,
      hooks: () => takenBack(delay),
    }),
    ...across("refused-done-later", WITH_SEVERAL_FIELDS, ALWAYS, {
      at: `${delay}ms`,
      breaks: ["UPDATE-NO-EFFECT"],
      does: `an update that is refused for its body is done after ${delay} milliseconds, but for the invalid fields`,
      hooks: () => doneLater(delay),
    }),
    ...across("vanishes-later", ["POST /webhooks"], ALWAYS, {
      at: `${delay}ms`,
      breaks: ["CREATE-LISTED"],
      does: `a new webhook is gone after ${delay} milliseconds`,
      hooks: () => vanishing(delay),
    }),
  ]),
  ...across("uncancelled", ["PATCH /payment-codes/{id}"], ALWAYS, {
    breaks: ["UPDATE-KEEPS"],
    does: "an update of a cancelled code makes it pending again",
    hooks: () => uncancelled,
  }),
  ...across("missing-meanwhile", READ, ALWAYS, {
    breaks: ["READ-ACCEPTED"],
    does: "a resource is not found while an update of it is under way",
    alsoAt: UPDATES,
    hooks: () => missingMeanwhile,
  }),
];
