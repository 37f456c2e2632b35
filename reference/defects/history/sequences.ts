import { BODY_FIELDS, type BodyField } from "../../fields/bodies.ts";
import { UPDATES, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { isOrdinary, isSent } from "../../operators/changing.ts";
import { inAll, onFields } from "../../operators/on-fields.ts";
import { ALWAYS, across, eachWith, operator } from "../../operators/operator.ts";
import type { StoredRecord } from "../../store.ts";
import { makeField, together } from "../../write-hook-tools.ts";
import type { Defect } from "../defect.ts";

const CODE: Where = ["PATCH /payment-codes/{id}"];
const WEBHOOK: Where = ["PATCH /webhooks/{id}"];
const FIELDS = BODY_FIELDS.filter((field) => UPDATES.includes(field.operation) && isOrdinary(field));
const LISTS_OF_TEXTS = FIELDS.filter(({ type }) => type === "list");

function losesFormer(): Hooks {
  const before = new Map<string, JsonObject>();
  return {
    changes: (changes, _ctx, { id, data }) => {
      const old = before.get(id);
      if (!old) return changes;
      const gone = Object.fromEntries(Object.keys(data).map((name) => [name, old[name]]));
      return { ...gone, status: data.status, ...changes };
    },
    written: (_ctx, { id }, previous) => {
      if (previous) before.set(id, previous.data);
    },
  };
}

const empty = ({ type }: BodyField): Json | undefined =>
  type === "list" ? [] : type === "object" ? {} : type === "flag" ? false : undefined;

function emptying(): Defect[] {
  const victims = FIELDS.filter(
    ({ operation, name, type, required }) =>
      !required && operation !== "PATCH /payouts/{id}" && (type !== "text" || name === "apiVersion"),
  ).filter(({ operation, name }) => !(CODE.includes(operation) && name === "isActive"));
  const pairs = eachWith(
    FIELDS.filter(({ nullable }) => nullable),
    (field) => victims.filter((victim) => victim.operation === field.operation && victim.name !== field.name),
  );
  return operator(
    "null-empties",
    pairs.map(([field, victim]) => ({
      operation: field.operation,
      at: `${victim.name}-for-${field.name}`,
      breaks: ["UPDATE-KEEPS"],
      does: `null for ${field.name} empties ${victim.name}, which is not sent`,
      hooks: makeField([field.operation], victim.kept, (value, { body }) =>
        body[field.name] === null && body[victim.name] === undefined ? empty(victim) : value,
      ),
    })),
  );
}

function spilling(field: BodyField, from: "updated" | "read"): () => Hooks {
  return () => {
    let latest: string | undefined;
    return {
      wasRead: (_ctx, { id }) => {
        if (from === "read") latest = id;
      },
      written: (ctx, record, previous) => {
        const { store } = ctx.service;
        const other = latest === undefined ? undefined : store.get(record.kind, latest);
        const value = record.data[field.kept];
        if (previous && other && other.id !== record.id && isSent(field, ctx) && value !== undefined)
          store.replace({ ...other, data: { ...other.data, [field.kept]: value } });
        if (from === "updated" && previous) latest = record.id;
      },
    };
  };
}

function taking(field: BodyField): () => Hooks {
  return () => {
    let latest: StoredRecord | undefined;
    return together(
      makeField([field.operation], field.kept, (value, { params, body }) =>
        latest && latest.id !== params.id && body[field.name] === undefined
          ? (latest.data[field.kept] ?? value)
          : value,
      ),
      {
        written: (_ctx, record, previous) => {
          if (previous) latest = record;
        },
      },
    );
  };
}

const OTHERS = ["UPDATE-KEEPS", "UPDATE-NO-EFFECT", "UPDATE-KEEPS-REST"];
export const READS: Readonly<Record<string, readonly string[]>> = {
  "PATCH /payment-codes/{id}": ["GET /payment-codes/{id}"],
  "PATCH /payouts/{id}": ["GET /payouts/{id}"],
};

function spills(): Defect[] {
  const ofWebhooks = FIELDS.filter(({ operation, name }) => WEBHOOK.includes(operation) && name !== "url");
  const metadata = FIELDS.filter(({ operation, name }) => operation in READS && name === "metadata");
  return [
    ...onFields("spilt", inAll(ofWebhooks), (field) => ({
      breaks: OTHERS,
      does: `a new ${field.name} is given to the webhook updated before, too`,
      hooks: spilling(field, "updated"),
    })),
    ...onFields("spilt-on-read", inAll(metadata), (field) => ({
      alsoAt: READS[field.operation],
      breaks: OTHERS,
      does: `new ${field.name} is given to the resource read before, too`,
      hooks: spilling(field, "read"),
    })),
    ...onFields("taken-from-other", inAll(ofWebhooks), (field) => ({
      breaks: ["UPDATE-KEEPS"],
      does: `where it is not sent, ${field.name} is taken from the webhook updated before`,
      hooks: taking(field),
    })),
  ];
}

const elements = (value: Json | undefined) => (Array.isArray(value) ? value : []);
const MIXED: Readonly<Record<string, readonly [string, change: (now: Json[], before: Json[]) => Json[]]>> = {
  "tail-kept": [
    "a list that is shorter than the one before keeps its tail",
    (now, before) => [...now, ...before.slice(now.length)],
  ],
  "lists-joined": [
    "a list is added to the one before",
    (now, before) => [...before.filter((element) => !now.includes(element)), ...now],
  ],
  "cut-to-former": [
    "a list that is longer than the one before is cut to its length",
    (now, before) => (before.length > 0 ? now.slice(0, before.length) : now),
  ],
  "same-length-ignored": [
    "a list as long as the one before is ignored",
    (now, before) => (now.length === before.length ? before : now),
  ],
};

function mixed(): Defect[] {
  return Object.entries(MIXED).flatMap(([name, [does, change]]) =>
    onFields(name, inAll(LISTS_OF_TEXTS), (field) => ({
      breaks: ["UPDATE-ECHO"],
      does: `${field.name}: ${does}`,
      hooks: makeField([field.operation], field.kept, (value, ctx, previous) =>
        isSent(field, ctx) ? change(elements(value), elements(previous)) : value,
      ),
    })),
  );
}

/** After null, members from before return with the next ones. */
function revived(): Defect[] {
  const maps = FIELDS.filter(({ type }) => type === "object");
  return onFields("members-revived", inAll(maps), (field) => ({
    breaks: ["UPDATE-ECHO", "UPDATE-STORED"],
    does: `${field.name}: members come back after null`,
    hooks: () => {
      const former = new Map<string, JsonObject>();
      return makeField([field.operation], field.kept, (value, ctx, previous) => {
        const id = ctx.params.id ?? "";
        const before = isObject(previous) ? previous : {};
        if (Object.keys(before).length > 0) former.set(id, before);
        const isAfterNull = Object.keys(before).length === 0 && isObject(value) && isSent(field, ctx);
        return isAfterNull && Object.keys(value).length > 0 ? { ...former.get(id), ...value } : value;
      });
    },
  }));
}

const SWITCHES: Readonly<
  Record<string, readonly [breaks: string, does: string, kept: (kept: string) => Hooks]>
> = {
  "same-toggles": [
    "UPDATE-ECHO",
    "isActive changes if it is sent with the value that it has",
    (kept) => ({
      changes: (changes, { body }, { data }) =>
        typeof body.isActive === "boolean" && body.isActive === data[kept]
          ? { ...changes, [kept]: !body.isActive }
          : changes,
    }),
  ],
  "on-restores": [
    "UPDATE-KEEPS",
    "switching on again brings the name and the metadata back that the resource first had",
    () => {
      const first = new Map<string, JsonObject>();
      return {
        changes: (changes, { body }, { id, data }) => {
          const { name = null, metadata = {} } = first.get(id) ?? data;
          if (!first.has(id)) first.set(id, data);
          return body.isActive === true ? { name, metadata, ...changes } : changes;
        },
      };
    },
  ],
  "off-empties": [
    "UPDATE-KEEPS",
    "switching off empties the metadata",
    () => ({
      changes: (changes, { body }) => (body.isActive === false ? { metadata: {}, ...changes } : changes),
    }),
  ],
};

export const sequenceHistoryDefects: readonly Defect[] = [
  ...across("second-loses-first", [...CODE, ...WEBHOOK], ALWAYS, {
    breaks: ["UPDATE-KEEPS"],
    does: "an update takes back what the one before it changed",
    hooks: () => losesFormer,
  }),
  ...emptying(),
  ...spills(),
  ...mixed(),
  ...revived(),
  ...Object.entries(SWITCHES).flatMap(([name, [breaks, does, hooks]]) =>
    across(name, [...CODE, ...WEBHOOK], ALWAYS, {
      breaks: [breaks],
      does,
      hooks:
        ([operation]) =>
        () =>
          hooks(operation !== undefined && CODE.includes(operation) ? "enable" : "isActive"),
    }),
  ),
];
