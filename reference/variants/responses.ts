import { EVERYWHERE, LISTS, showEnvelope, showItems } from "../hook-tools.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { answering, mapDeep, together, withHeaders } from "./tools.ts";
import type { Variant } from "./variant.ts";

const FREE_FORM = ["metadata", "customHeaders"];

function extended(value: Json, key: string): Json {
  if (!isObject(value) || FREE_FORM.includes(key)) return value;
  return { object: key || "resource", ...value, _links: { self: null, "rel/other": [1, "two", {}] } };
}

function extend(value: JsonObject): JsonObject {
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    FREE_FORM.includes(name) ? inner : mapDeep(inner, extended, name),
  ]);
  return { ...Object.fromEntries(fields), object: "resource", links: { self: null } };
}

function typed(name: string, contentType: string, description: string): Variant {
  return {
    name,
    description,
    why: "Row 1: application/json and any +json type are JSON content types, with any parameters and casing.",
    hooks: answering((response) => withHeaders(response, { "Content-Type": contentType })),
  };
}

export const responseVariants: readonly Variant[] = [
  {
    name: "null-for-empty-lists",
    description: "The result of an empty list is null.",
    why: "Section 2.1: result is an array of objects or null for lists; row 30 counts null as 0.",
    hooks: showEnvelope(LISTS, (body) =>
      Array.isArray(body.result) && body.result.length === 0 ? { ...body, result: null } : body,
    ),
  },
  {
    name: "undocumented-fields",
    description: "Every object shows fields that the specification does not name, nested ones too.",
    why: "Row 5: undocumented fields are allowed anywhere.",
    hooks: together(
      showItems(EVERYWHERE, extend),
      showEnvelope(EVERYWHERE, (body) => ({
        ...body,
        apiVersion: null,
        ...(isObject(body.pagination)
          ? { pagination: { ...body.pagination, previous: null, hasMore: "unknown", limit: -1 } }
          : {}),
      })),
    ),
  },
  {
    name: "undocumented-fields-in-one-shape",
    description: "Amounts have a display text in the list of payment codes, but not in the single shape.",
    why: "Row 5: undocumented fields are allowed anywhere; row 52 compares documented ones.",
    hooks: showItems(
      ["GET /v1/payment-codes"],
      (item) =>
        mapDeep(item, (value, key) =>
          isObject(value) && /amount|Total$/i.test(key) ? { ...value, display: `${value.value}` } : value,
        ) as JsonObject,
    ),
  },
  {
    name: "request-ids",
    description: "Every answer names its request and time, in the body and in headers.",
    why: "Row 5: undocumented fields are allowed; row 53 asks that a read changes nothing.",
    hooks: together(
      showEnvelope(EVERYWHERE, (body, ctx) => ({
        requestId: `req-${ctx.number}`,
        servedAt: ctx.service.now().toISOString(),
        ...body,
      })),
      answering((response, ctx) => withHeaders(response, { "X-Request-Id": `req-${ctx.number}` })),
    ),
  },
  {
    name: "messages-of-any-kind",
    description: "messages holds texts, numbers, objects, lists and null.",
    why: "Section 2.1: messages is an array of any.",
    hooks: showEnvelope(EVERYWHERE, (body) => ({
      ...body,
      messages: ["All is well", 42, -0.5, true, null, { code: "info", success: false }, [[]]],
    })),
  },
  typed(
    "json-typed-in-capitals",
    "Application/JSON ; Charset=UTF-8",
    "The content type is in mixed casing, with a parameter.",
  ),
  typed(
    "vendor-json-type",
    'application/vnd.payments.v2+json; profile="a;b=c"; charset="utf-8"',
    "The content type is a vendor's own +json type with quoted parameters.",
  ),
];
