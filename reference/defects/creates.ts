import { BODY_FIELDS } from "../fields/bodies.ts";
import { CREATES, showField, type Where } from "../hook-tools.ts";
import { isObject } from "../json.ts";
import { changing, isSent } from "../operators/changing.ts";
import { inAll, onFields } from "../operators/on-fields.ts";
import { ALWAYS, across, EVERY_VERSION, SOME_VERSION } from "../operators/operator.ts";
import type { StoredRecord } from "../store.ts";
import { makeField } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const FIELDS = BODY_FIELDS.filter(({ operation }) => CREATES.includes(operation));
const WEBHOOK: Where = ["POST /webhooks"];
const ACCOUNT: Where = ["POST /v1/financial-accounts"];

function storedOtherwise(): Defect[] {
  const fields = FIELDS.filter(
    ({ operation, name }) => WEBHOOK.includes(operation) && name !== "verificationMethod",
  );
  return onFields("stored-otherwise", inAll(fields), (field) => ({
    breaks: ["CREATE-LISTED", "CREATE-ECHO"],
    does: `${field.name} is shown as it was sent, and another value is stored`,
    hooks: changing(
      field,
      "stored",
      (ctx) => isSent(field, ctx),
      (value) => (field.type === "flag" ? value !== true : field.constant),
    ),
  }));
}

const UNLISTED: Readonly<Record<string, (webhook: StoredRecord) => boolean>> = {
  active: ({ data }) => data.isActive === true,
  inactive: ({ data }) => data.isActive !== true,
  "without-metadata": ({ data }) => !isObject(data.metadata) || Object.keys(data.metadata).length === 0,
  "with-headers": ({ data }) => isObject(data.customHeaders),
  "with-secret": ({ data }) => isObject(data.verificationMethod),
  "without-api-version": ({ data }) => data.apiVersion === undefined,
  "with-alert-emails": ({ data }) => Array.isArray(data.alertEmails) && data.alertEmails.length > 0,
  "of-every-event": ({ data }) => Array.isArray(data.events) && data.events.length > 5,
};

function listed(): Defect[] {
  return [
    ...across("never-listed", WEBHOOK, SOME_VERSION, {
      breaks: ["CREATE-LISTED"],
      does: "a new webhook is answered and not kept",
      hooks: () => ({ stored: () => null }),
    }),
    ...Object.entries(UNLISTED).flatMap(([at, isMeant]) =>
      across("kind-never-listed", WEBHOOK, ALWAYS, {
        at,
        breaks: ["CREATE-LISTED"],
        does: `a new webhook that is ${at.replaceAll("-", " ")} is answered and not kept`,
        hooks: () => ({ stored: (record) => (record && isMeant(record) ? null : record) }),
      }),
    ),
    ...across("listed-under-other-id", WEBHOOK, SOME_VERSION, {
      breaks: ["CREATE-LISTED"],
      does: "the list shows a new webhook under another id",
      hooks: () => ({
        stored: (record, ctx) => (record ? { ...record, id: ctx.service.newId("whk") } : record),
      }),
    }),
    ...across("listed-twice", WEBHOOK, SOME_VERSION, {
      breaks: ["CREATE-LISTED", "KEY-REPLAY", "LIST-IDS-UNIQUE", "CREATE-NO-EFFECT"],
      does: "a new webhook is made twice, under two ids",
      hooks: () => ({
        written: (ctx, record) => ctx.service.store.add({ ...record, id: ctx.service.newId("whk") }),
      }),
    }),
    ...across("active-by-default", WEBHOOK, EVERY_VERSION, {
      breaks: ["CREATE-DEFAULT"],
      does: "a webhook is active where isActive is left out",
      hooks: (where) =>
        makeField(where, "isActive", (value, { body }) => (body.isActive === undefined ? true : value)),
    }),
    ...across("balance-in-other-currency", ACCOUNT, SOME_VERSION, {
      breaks: ["ACCOUNT-ONE-CURRENCY"],
      does: "the balance of a new account is in another currency",
      hooks: (where) =>
        showField(where, "balance", (_value, item) => ({
          available: { currency: item.currency === "USD" ? "EUR" : "USD", value: 0 },
        })),
    }),
    ...across("number-shared", ACCOUNT, SOME_VERSION, {
      breaks: ["ACCOUNT-NUMBER-UNIQUE"],
      does: "every account has the same uvan",
      hooks: (where) => makeField(where, "uvan", () => "900000000000"),
    }),
    ...across("update-before-create", ACCOUNT, SOME_VERSION, {
      breaks: ["TIMES-ORDERED"],
      does: "updateTime lies a minute before createTime",
      hooks: (where) =>
        showField(where, "updateTime", (_value, item) =>
          new Date(Date.parse(String(item.createTime)) - 60_000).toISOString(),
        ),
    }),
  ];
}

export const createDefects: readonly Defect[] = [...storedOtherwise(), ...listed()];
