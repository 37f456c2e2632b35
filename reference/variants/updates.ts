import { isAt, refuse, UPDATES } from "../hook-tools.ts";
import { isObject, type Json } from "../json.ts";
import type { StoredRecord } from "../store.ts";
import type { Variant } from "./variant.ts";

const CODES = ["PATCH /payment-codes/{id}"] as const;

function codeOf(ids: readonly Json[], providers: readonly StoredRecord[]): Json[] {
  return ids.map((id) => providers.find((provider) => provider.id === id)?.data.code ?? id);
}

const openNull = "Row 84: what null means in an update is left open";

export const updateVariants: readonly Variant[] = [
  {
    name: "metadata-merged",
    description: "An update adds to the metadata there is instead of replacing it.",
    why: "Ruling on row 80: whether metadata that was not sent is kept is left open.",
    hooks: {
      changes: (changes, ctx, record) => {
        const { metadata } = changes;
        const before = record.data.metadata;
        if (!isAt(ctx, UPDATES) || !isObject(metadata) || !isObject(before)) return changes;
        return { ...changes, metadata: { ...before, ...metadata } };
      },
    },
  },
  {
    name: "header-names-tidied-on-update",
    description: "An update of a webhook turns the names of its custom headers into small letters.",
    why: "Ruling on row 62: names of custom headers compare without case.",
    hooks: {
      changes: (changes, ctx, record) => {
        const headers = changes.customHeaders ?? record.data.customHeaders;
        if (record.kind !== "webhook" || !isAt(ctx, UPDATES) || !isObject(headers)) return changes;
        const tidied = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
        return { ...changes, customHeaders: Object.fromEntries(tidied) };
      },
    },
  },
  {
    name: "null-changes-nothing",
    description: "A field that is sent as null keeps its value.",
    why: `${openNull}.`,
    hooks: {
      changes: (changes, { body }, record) => {
        const kept: Record<string, Json | undefined> = { ...changes };
        const names = { isActive: "enable", allowedProviders: "authorizedProviders" } as const;
        for (const [sent, value] of Object.entries(body)) {
          if (value !== null) continue;
          const other = record.kind === "paymentCode" ? names[sent as keyof typeof names] : undefined;
          delete kept[other ?? sent];
        }
        return kept;
      },
    },
  },
  {
    name: "null-sets-back",
    description: "A field that is sent as null gets the value it would have had at first.",
    why: `${openNull}.`,
    hooks: {
      changes: (changes, { body }, record) => {
        const back: Record<string, Json> = {};
        if (body.name === null) back.name = "Unnamed";
        if (body.isActive === null)
          back[record.kind === "webhook" ? "isActive" : "enable"] = record.kind !== "webhook";
        if (body.apiVersion === null) back.apiVersion = "caph.2025-06-20";
        if (record.kind === "webhook" && body.events === null) back.events = [];
        return { ...changes, ...back };
      },
    },
  },
  {
    name: "active-unless-told-otherwise",
    description: "An update of a payment code without isActive makes it active.",
    why: "Section 4.5: isActive has the default true; row 81 exempts it.",
    hooks: {
      changes: (changes, ctx) =>
        isAt(ctx, CODES) && ctx.body.isActive === undefined ? { ...changes, enable: true } : changes,
    },
  },
  {
    name: "cancelled-codes-frozen",
    description: "A payment code that is cancelled, completed or expired cannot be changed.",
    why: "Ruling on row 83: what is done to a cancelled code is left open.",
    hooks: refuse(
      CODES,
      "conflict",
      { at: "path.id", rule: "state", message: "this payment code is closed" },
      ({ service, params }) => {
        const status = service.store.get("paymentCode", params.id ?? "")?.data.status;
        return status === "cancelled" || status === "completed" || status === "expired";
      },
    ),
  },
  {
    name: "cancelled-codes-switched-off",
    description: "Cancelling a payment code also sets isActive to false, unless it was sent.",
    why: "Section 3: cancelled is a state of its own; row 81 exempts isActive.",
    hooks: {
      changes: (changes, ctx) =>
        isAt(ctx, CODES) && ctx.body.status === "cancelled" && ctx.body.isActive === undefined
          ? { ...changes, enable: false }
          : changes,
    },
  },
  {
    name: "provider-ids-in-codes-out",
    description: "allowedProviders takes ids of providers only, and shows their codes.",
    why: "Sections 4.5 and 2.7 speak of ids and of codes; row 80 lets them come back as either.",
    hooks: {
      problems: (problems, ctx, stage) => {
        const sent = ctx.body.allowedProviders;
        if (stage !== "body" || !isAt(ctx, CODES) || !Array.isArray(sent)) return problems;
        const { store } = ctx.service;
        const known = (id: Json) =>
          typeof id !== "string" ||
          store.get("bank", id) !== undefined ||
          store.get("momo", id) !== undefined;
        if (sent.every(known)) return problems;
        const message = "there is no such provider";
        return [...problems, { at: "body.allowedProviders[]", rule: "known", message }];
      },
      changes: (changes, ctx) => {
        const { authorizedProviders } = changes;
        if (!Array.isArray(authorizedProviders)) return changes;
        const { store } = ctx.service;
        const providers = [...store.all("bank"), ...store.all("momo")];
        return { ...changes, authorizedProviders: codeOf(authorizedProviders, providers) };
      },
    },
  },
  {
    name: "expiry-in-the-past-refused",
    description: "A payment code cannot be made to have expired already.",
    why: "Ruling on row 80: an expireTime is sent in the future; others are not shown.",
    hooks: refuse(
      CODES,
      "body",
      { at: "body.expireTime", rule: "minimum", message: "expireTime is in the past" },
      ({ body, service }) => Date.parse(String(body.expireTime)) < service.now().getTime(),
    ),
  },
  {
    name: "empty-payout-update-refused",
    description: "An update of a payout without metadata is refused.",
    why: "Row 85: accepting an empty payout update is a SHOULD.",
    warns: ["UPDATE-EMPTY-PAYOUT"],
    hooks: refuse(
      ["PATCH /payouts/{id}"],
      "body",
      { at: "body.metadata", rule: "required", message: "metadata is required" },
      ({ body }) => !Object.hasOwn(body, "metadata"),
    ),
  },
];
