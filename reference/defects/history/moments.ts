import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { CREATES, UPDATES, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { compact, isObject, type JsonObject } from "../../json.ts";
import { ALWAYS, across, eachWith, operator } from "../../operators/operator.ts";
import { type Problem, Rejected } from "../../problems.ts";
import { NEWER, OLDER } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import { makeField } from "../../write-hook-tools.ts";
import type { Defect } from "../defect.ts";

import { READS } from "./sequences.ts";

const CODE: Where = ["PATCH /payment-codes/{id}"];
const WEBHOOK: Where = ["PATCH /webhooks/{id}"];
const LOCKED: Problem = { at: "url", rule: "state", message: "locked" };

function answersLater(of: (ctx: Context) => string): () => Hooks {
  return () => {
    const latest = new Map<string, JsonObject>();
    return {
      item: (item, ctx) => {
        latest.set(of(ctx), item);
        return item;
      },
      pause: (point) => (point === "written" ? wait(25) : undefined),
      envelope: (body, ctx) => ({ ...body, result: latest.get(of(ctx)) ?? body.result ?? null }),
    };
  };
}

function crashesBeside(): Hooks {
  const busy = new Map<string, Context>();
  const idOf = ({ params }: Context) => params.id ?? "";
  return {
    pause: async (point, ctx) => {
      if (point !== "checked") return;
      if (busy.has(idOf(ctx))) throw new Rejected({ status: 500, headers: {}, problems: [LOCKED] });
      busy.set(idOf(ctx), ctx);
      await wait(25);
    },
    response: (response, ctx) => {
      if (busy.get(idOf(ctx)) === ctx) busy.delete(idOf(ctx));
      return response;
    },
  };
}

function replayResets(isMeant: (field: string) => boolean): () => Hooks {
  return () => {
    const made = new Map<string, JsonObject>();
    return {
      written: (_ctx, { id, data }, previous) => {
        if (!previous) made.set(id, data);
      },
      keyReplay: (result, { service: { store } }) => {
        const record = store.get("webhook", String(result.id));
        const first = record && made.get(record.id);
        if (first) {
          const names = Object.keys({ ...record.data, ...first }).filter(isMeant);
          const back = Object.fromEntries(names.map((name) => [name, first[name]]));
          store.replace({ ...record, data: compact({ ...record.data, ...back }) });
        }
        return result;
      },
    };
  };
}

function repeatOfAnother(): Hooks {
  let last = { id: "", sent: "" };
  return {
    changes: (changes, { params: { id = "" }, request }) => {
      const sent = request.body.toString("utf8");
      const isRepeat = last.sent === sent && last.id !== id;
      last = { id, sent };
      return isRepeat ? {} : changes;
    },
  };
}

function renamed(ctx: Context, record: StoredRecord): StoredRecord {
  const { store } = ctx.service;
  const next = { ...record, id: ctx.service.newId("new") };
  store.remove(record.kind, record.id);
  store.add(next);
  return next;
}

function unseenBy(version: string): () => Hooks {
  return () => {
    const before = new Map<string, JsonObject>();
    const sent = ({ request }: Context) => request.headers["service-version"] ?? NEWER;
    return {
      written: (ctx, { id }, previous) => {
        if (previous && sent(ctx) !== version) before.set(id, previous.data);
        else before.delete(id);
      },
      found: (record, ctx, { purpose }) => {
        const old = record && purpose === "read" && sent(ctx) === version ? before.get(record.id) : undefined;
        return record && old ? { ...record, data: old } : record;
      },
      members: (all, ctx) =>
        sent(ctx) !== version
          ? all
          : all.map((record) => ({ ...record, data: before.get(record.id) ?? record.data })),
    };
  };
}

const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  ...READS,
  "PATCH /webhooks/{id}": ["GET /webhooks"],
};

function versions(): Defect[] {
  return operator(
    "unseen-by-version",
    eachWith(UPDATES, () => [OLDER, NEWER]).map(([operation, version]) => ({
      operation,
      alsoAt: SHOWN_BY[operation],
      at: version === OLDER ? "older" : "newer",
      breaks: ["UPDATE-STORED"],
      does: `an update under another version is not shown under ${version}`,
      hooks: unseenBy(version),
    })),
  );
}

const isCancelling = ({ body }: Context) => body.status === "cancelled";
const CANCELS: Readonly<
  Record<string, readonly [does: string, isMeant: (ctx: Context, previous: JsonObject) => boolean]>
> = {
  "cancel-alone-not-stored": ["without another field", ({ body }) => Object.keys(body).length === 1],
  "cancel-with-others-not-stored": ["with another field", ({ body }) => Object.keys(body).length > 1],
  "cancel-switched-off-not-stored": [
    "of a code that is switched off",
    (_ctx, { enable }) => enable === false,
  ],
  "cancel-with-null-not-stored": [
    "with null for another field",
    ({ body }) => Object.values(body).includes(null),
  ],
  "cancel-emptied-not-stored": [
    "of a code without metadata",
    (_ctx, { metadata }) => !isObject(metadata) || Object.keys(metadata).length === 0,
  ],
};

const cancels: Defect[] = Object.entries(CANCELS).flatMap(([name, [which, isMeant]]) =>
  across(name, CODE, ALWAYS, {
    breaks: ["CANCEL-STATUS"],
    does: `a cancellation ${which} is answered and not stored`,
    hooks: () => ({
      stored: (record, ctx, previous) =>
        record && previous && isCancelling(ctx) && isMeant(ctx, previous.data)
          ? { ...record, data: compact({ ...record.data, status: previous.data.status }) }
          : record,
    }),
  }),
);

export const momentHistoryDefects: readonly Defect[] = [
  ...across("both-answer-later", UPDATES, ALWAYS, {
    breaks: ["UPDATE-ECHO"],
    does: "of two updates of a resource at the same moment both are answered with what the later one made",
    hooks: () => answersLater(({ params }) => params.id ?? ""),
  }),
  ...across("answers-shared", [...WEBHOOK, ...CREATES], ALWAYS, {
    breaks: (operation) =>
      operation.startsWith("POST") ? ["CREATE-ECHO", "KEY-DISTINCT"] : ["UPDATE-ECHO", "UPDATE-IDENTITY"],
    does: "calls at the same moment are all answered with what the latest one made",
    hooks: () => answersLater(() => ""),
  }),
  ...across("crash-beside-another", UPDATES, ALWAYS, {
    breaks: ["NO-SERVER-ERROR"],
    does: "of two updates of a resource at the same moment one is answered with 500",
    hooks: () => crashesBeside,
  }),
  ...across("repeat-of-another", WEBHOOK, ALWAYS, {
    breaks: ["UPDATE-ECHO", "UPDATE-STORED"],
    does: "an update like the last one of another webhook is taken for its repetition, and not done",
    hooks: () => repeatOfAnother,
  }),
  ...across("renamed", UPDATES, ALWAYS, {
    breaks: ["UPDATE-IDENTITY", "UPDATE-KEEPS-REST", "UPDATE-STORED"],
    does: "an updated resource has a new id, in the answer and from then on",
    hooks: () => {
      const ids = new WeakMap<Context, string>();
      return {
        written: (ctx, record) => void ids.set(ctx, renamed(ctx, record).id),
        item: (item, ctx) => ({ ...item, id: ids.get(ctx) ?? item.id ?? null }),
      };
    },
  }),
  ...across("moved-in-time", [...CODE, ...WEBHOOK], ALWAYS, {
    breaks: ["UPDATE-IDENTITY"],
    does: "the second update of a resource, and each one after it, sets createTime to the present",
    hooks: (where) => () => {
      const updated = new Set<string>();
      return makeField(where, "createTime", (value, { params, service }) => {
        const isFirst = !updated.has(params.id ?? "");
        updated.add(params.id ?? "");
        return isFirst ? value : service.now().toISOString();
      });
    },
  }),
  ...versions(),
  ...cancels,
  ...["all", "isActive", "name", "metadata"].flatMap((at) =>
    across("replay-resets", WEBHOOK, ALWAYS, {
      at,
      alsoAt: ["POST /webhooks"],
      breaks: ["UPDATE-STORED", "UPDATE-KEEPS"],
      does: `what updates made of ${at === "all" ? "a webhook" : at} is taken back once its create is sent again with its key`,
      hooks: () => replayResets((field) => at === "all" || at === field),
    }),
  ),
];
