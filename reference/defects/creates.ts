import type { Context } from "../context.ts";
import { BODY_FIELDS, type BodyField } from "../fields/bodies.ts";
import { CREATES, overlook, showField, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json } from "../json.ts";
import type { StoredRecord } from "../store.ts";
import { makeField, storeField, together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";
import { VERSION_CHOICES } from "./tools/condition.ts";
import { inAll, onFields } from "./tools/on-fields.ts";
import { ALWAYS, across, alwaysAndInTurn, inTurn } from "./tools/operator.ts";
import { CHANGES } from "./tools/texts.ts";

const FIELDS = BODY_FIELDS.filter(({ operation }) => CREATES.includes(operation));
const WEBHOOK: Where = ["POST /webhooks"];
const ACCOUNT: Where = ["POST /v1/financial-accounts"];
const versions = alwaysAndInTurn(() => VERSION_CHOICES);

/** Only what was sent is changed: a value of the service's own stays. */
const ifSent = ({ name }: BodyField, { body }: Context) => body[name] !== undefined && body[name] !== null;

function shownAndStored(field: BodyField, change: (value: Json) => Json): Hooks {
  return makeField([field.operation], field.kept, (value, ctx) =>
    value !== undefined && ifSent(field, ctx) ? change(value) : value,
  );
}

function shownOnly(field: BodyField, change: (value: Json) => Json): Hooks {
  return showField([field.operation], field.shown, (value, _item, ctx) =>
    value !== undefined && ifSent(field, ctx) ? change(value) : value,
  );
}

function storedOnly(field: BodyField, change: (value: Json) => Json): Hooks {
  return storeField([field.operation], field.kept, (value, _previous, ctx) =>
    value !== undefined && ifSent(field, ctx) ? change(value) : value,
  );
}

function echoes(): Defect[] {
  return Object.entries(CHANGES).flatMap(([name, { does, applies, change }]) => {
    const fields = FIELDS.filter(applies);
    const about = (apply: typeof shownOnly) => (field: BodyField) => ({
      breaks: ["CREATE-ECHO"],
      does: `${field.name} ${does}`,
      hooks: apply(field, (value) => change(value, field)),
    });
    const shown = fields.filter((_field, index) => index % 2 === 1);
    const made = fields.filter((_field, index) => index % 2 === 0);
    return [
      ...onFields(name, [...inAll(made), ...inTurn(fields, () => VERSION_CHOICES)], about(shownAndStored)),
      ...onFields(name, inAll(shown), about(shownOnly)),
    ];
  });
}

/** The list of webhooks alone shows what was stored: the answer to the create is as it was sent. */
function storedOtherwise(): Defect[] {
  const fields = FIELDS.filter(
    ({ operation, name }) => WEBHOOK.includes(operation) && name !== "verificationMethod",
  );
  return onFields("stored-otherwise", inAll(fields), (field) => ({
    breaks: ["CREATE-LISTED", "CREATE-ECHO"],
    does: `${field.name} is shown as it was sent, and another value is stored`,
    hooks: storedOnly(field, (value) => (field.type === "flag" ? value !== true : field.constant)),
  }));
}

/** Webhooks that are made and never listed, because of what they are. */
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
    ...across("never-listed", WEBHOOK, versions, {
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
    ...across("listed-under-other-id", WEBHOOK, versions, {
      breaks: ["CREATE-LISTED"],
      does: "the list shows a new webhook under another id",
      hooks: () => ({
        stored: (record, ctx) => (record ? { ...record, id: ctx.service.newId("whk") } : record),
      }),
    }),
    ...across("listed-twice", WEBHOOK, versions, {
      breaks: ["CREATE-LISTED", "KEY-REPLAY", "LIST-IDS-UNIQUE", "CREATE-NO-EFFECT"],
      does: "a new webhook is made twice, under two ids",
      hooks: () => ({
        written: (ctx, record) => ctx.service.store.add({ ...record, id: ctx.service.newId("whk") }),
      }),
    }),
    ...across("active-by-default", WEBHOOK, () => [undefined, ...VERSION_CHOICES], {
      breaks: ["CREATE-DEFAULT"],
      does: "a webhook is active where isActive is left out",
      hooks: (where) =>
        makeField(where, "isActive", (value, { body }) => (body.isActive === undefined ? true : value)),
    }),
    ...across("balance-in-other-currency", ACCOUNT, versions, {
      breaks: ["ACCOUNT-ONE-CURRENCY"],
      does: "the balance of a new account is in another currency",
      hooks: (where) =>
        showField(where, "balance", (_value, item) => ({
          available: { currency: item.currency === "USD" ? "EUR" : "USD", value: 0 },
        })),
    }),
    ...across("number-shared", ACCOUNT, versions, {
      breaks: ["ACCOUNT-NUMBER-UNIQUE"],
      does: "every account has the same uvan",
      hooks: (where) => makeField(where, "uvan", () => "900000000000"),
    }),
    ...across("update-before-create", ACCOUNT, versions, {
      breaks: ["TIMES-ORDERED"],
      does: "updateTime lies a minute before createTime",
      hooks: (where) =>
        showField(where, "updateTime", (_value, item) =>
          new Date(Date.parse(String(item.createTime)) - 60_000).toISOString(),
        ),
    }),
    ...across("currency-any-three", ACCOUNT, versions, {
      breaks: ["CREATE-CURRENCY"],
      does: "every currency of three capitals is taken",
      hooks: (where) =>
        together({
          problems: (problems, ctx, stage) =>
            /^[A-Z]{3}$/.test(String(ctx.body.currency))
              ? (overlook(where, { at: "body.currency", rule: "format" }).problems?.(problems, ctx, stage) ??
                problems)
              : problems,
        }),
    }),
  ];
}

/** What a create makes (rows 60, 62, 63 and 69). */
export const createDefects: readonly Defect[] = [...echoes(), ...storedOtherwise(), ...listed()];
