import { CREATES, UPDATES, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { OperationName } from "../operations.ts";
import type { StoredRecord } from "../store.ts";
import { mapTexts, parsedJson, rewriteBody } from "../write-hook-tools.ts";
import { together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const WRITES: Where = [...CREATES, ...UPDATES];

function bodiesBecome(where: Where, change: (body: JsonObject) => Json): Hooks {
  return rewriteBody(where, (text) => {
    const body = parsedJson(text);
    return isObject(body) ? JSON.stringify(change(body)) : text;
  });
}

function madeWith(
  change: (record: StoredRecord) => Record<string, Json | undefined>,
  onUpdatesOnly = false,
): Hooks {
  return {
    made: (record, _ctx, previous) =>
      onUpdatesOnly && !previous ? record : withFields(record, change(record)),
  };
}

function canonical(name: string): string {
  return name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function headersCanonical(onUpdatesOnly: boolean): Hooks {
  return madeWith(({ data: { customHeaders } }) => {
    if (!isObject(customHeaders)) return {};
    const entries = Object.entries(customHeaders).map(([name, value]) => [canonical(name), value] as const);
    return { customHeaders: Object.fromEntries(entries) };
  }, onUpdatesOnly);
}

const NOT_NULLABLE: Partial<Record<OperationName, readonly string[]>> = {
  "POST /v1/financial-accounts": ["metadata"],
  "POST /webhooks": ["isActive", "apiVersion", "verificationMethod", "customHeaders", "metadata"],
  "PATCH /webhooks/{id}": ["verificationMethod", "customHeaders", "metadata"],
  "PATCH /payment-codes/{id}": ["expireTime", "metadata"],
};

function nullsDropped(name: OperationName, fields: readonly string[]): Hooks {
  return bodiesBecome([name], (body) =>
    Object.fromEntries(
      Object.entries(body).filter(([field, value]) => value !== null || !fields.includes(field)),
    ),
  );
}

function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textsIn(field: string): Hooks {
  return bodiesBecome(WRITES, (body) => {
    const map = body[field];
    if (!isObject(map)) return body;
    const entries = Object.entries(map).map(([name, value]) => [name, asText(value)] as const);
    return { ...body, [field]: Object.fromEntries(entries) };
  });
}

const details = "Ruling on rows 62 and 80";

export const frameworkVariants: readonly Variant[] = [
  {
    name: "texts-trimmed",
    description: "Blanks at the ends of every text in a body are cut off.",
    why: `${details}: blanks at either end of a text are a SHOULD.`,
    warns: ["CREATE-ECHO-DETAILS", "UPDATE-ECHO-DETAILS"],
    hooks: bodiesBecome(WRITES, (body) => mapTexts(body, (text) => text.trim())),
  },
  {
    name: "header-names-canonical",
    description: "Names of custom headers are kept as X-Like-This.",
    why: `${details}: names of custom headers compare without case.`,
    hooks: headersCanonical(false),
  },
  {
    name: "header-names-canonical-on-update",
    description: "An update, of whatever field, leaves the names of custom headers as X-Like-This.",
    why: `${details}: names of custom headers compare without case.`,
    hooks: headersCanonical(true),
  },
  {
    name: "header-names-in-lower-case",
    description: "Names of custom headers are kept in lower case.",
    why: `${details}: names of custom headers compare without case.`,
    hooks: bodiesBecome(WRITES, (body) => {
      const { customHeaders } = body;
      if (!isObject(customHeaders)) return body;
      const entries = Object.entries(customHeaders).map(
        ([name, value]) => [name.toLowerCase(), value] as const,
      );
      return { ...body, customHeaders: Object.fromEntries(entries) };
    }),
  },
  {
    name: "mail-addresses-in-lower-case",
    description: "Alert addresses are kept in lower case.",
    why: `${details}: the case of the local part of an address is a SHOULD.`,
    warns: ["CREATE-ECHO-DETAILS", "UPDATE-ECHO-DETAILS"],
    hooks: madeWith(({ data: { alertEmails } }) =>
      Array.isArray(alertEmails) ? { alertEmails: mapTexts(alertEmails, (text) => text.toLowerCase()) } : {},
    ),
  },
  {
    name: "metadata-made-text",
    description: "Metadata values that are no text become the text of the same value.",
    why: `${details}: a metadata value that was no text may be shown as the text of the same value.`,
    hooks: textsIn("metadata"),
  },
  {
    name: "null-optional-is-absent",
    description: "null in an optional field counts as the field left out.",
    why: "Ruling on rows 61 and 82: null for an optional field may be taken as absent; that it is rejected is a SHOULD.",
    warns: ["CREATE-NULL-OPTIONAL", "UPDATE-NULL-OPTIONAL"],
    hooks: together(
      ...Object.entries(NOT_NULLABLE).map(([name, fields]) => nullsDropped(name as OperationName, fields)),
    ),
  },
  {
    name: "null-body-is-empty",
    description: "A body of null is an empty object.",
    why: "Ruling on rows 61 and 82: that a body of null is rejected is a SHOULD.",
    warns: ["UPDATE-NULL-BODY"],
    hooks: rewriteBody(WRITES, (text) => (text.trim() === "null" ? "{}" : text)),
  },
];
