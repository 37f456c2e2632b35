import { answerSuccess, showEnvelope, showPagination, type Where } from "../hook-tools.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Defect } from "./defect.ts";
import { VERSION_CHOICES } from "./tools/condition.ts";
import { across, alwaysAndInTurn } from "./tools/operator.ts";

const LISTS: Where = ["GET /v1/financial-accounts", "GET /v1/financial-transactions"];
const SINGLES: Where = ["GET /v1/provider-kyc/{providerId}", "GET /v1/receipts/{orderNumber}"];
const READS: Where = [...LISTS, ...SINGLES];
const versions = alwaysAndInTurn(() => VERSION_CHOICES);

type Envelope = readonly [
  where: Where,
  breaks: readonly string[],
  does: string,
  change: (body: JsonObject) => Json,
];
const without = (body: JsonObject, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

const ENVELOPES: Readonly<Record<string, Envelope>> = {
  "named-success-missing": [
    READS,
    ["NAMED-ENVELOPE"],
    "success is missing",
    (body) => without(body, "success"),
  ],
  "named-success-false": [
    READS,
    ["NAMED-ENVELOPE"],
    "success is false",
    (body) => ({ ...body, success: false }),
  ],
  "named-messages-missing": [
    READS,
    ["NAMED-ENVELOPE"],
    "messages is missing",
    (body) => without(body, "messages"),
  ],
  "named-messages-text": [
    READS,
    ["NAMED-ENVELOPE"],
    "messages is a text",
    (body) => ({ ...body, messages: "" }),
  ],
  "named-result-missing": [READS, ["NAMED-ENVELOPE"], "result is missing", (body) => without(body, "result")],
  "named-result-text": [
    READS,
    ["NAMED-ENVELOPE"],
    "result is a text",
    (body) => ({ ...body, result: "see elsewhere" }),
  ],
  "named-bare": [
    READS,
    ["NAMED-ENVELOPE"],
    "the result is answered without its envelope",
    (body) => body.result ?? null,
  ],
  "named-pagination-there": [
    SINGLES,
    ["NAMED-LIST", "NAMED-ENVELOPE"],
    "a single result comes with pagination",
    (body) => ({ ...body, pagination: { count: 1, next: null } }),
  ],
  "named-pagination-missing": [
    LISTS,
    ["NAMED-LIST", "NAMED-ENVELOPE"],
    "a list comes without pagination",
    (body) => without(body, "pagination"),
  ],
  "named-pagination-null": [
    LISTS,
    ["NAMED-LIST", "NAMED-ENVELOPE"],
    "pagination of a list is null",
    (body) => ({ ...body, pagination: null }),
  ],
};

/** Operations that are named without a shape (section 4.17). */
export const namedOnlyDefects: readonly Defect[] = [
  ...Object.entries(ENVELOPES).flatMap(([name, [where, breaks, does, change]]) =>
    across(name, where, versions, { breaks, does, hooks: (at) => showEnvelope(at, change) }),
  ),
  ...across("named-count-wrong", LISTS, versions, {
    breaks: ["NAMED-LIST"],
    does: "count is one more than the items",
    hooks: (where) =>
      showPagination(where, (pagination) => ({ ...pagination, count: Number(pagination.count) + 1 })),
  }),
  ...across("named-count-text", LISTS, versions, {
    breaks: ["NAMED-LIST"],
    does: "count is a text",
    hooks: (where) =>
      showPagination(where, (pagination) => ({ ...pagination, count: String(pagination.count) })),
  }),
  ...across("named-count-missing", LISTS, versions, {
    breaks: ["NAMED-LIST"],
    does: "count is missing",
    hooks: (where) => showPagination(where, (pagination) => without(pagination, "count") as JsonObject),
  }),
  ...across("named-no-json", READS, versions, {
    breaks: ["NAMED-ENVELOPE"],
    does: "a success is an HTML page",
    hooks: (where) =>
      answerSuccess(where, (response) => ({
        ...response,
        body: "<!doctype html><p>Here",
        headers: { "Content-Type": "text/html" },
      })),
  }),
  ...across("named-crashes", READS, versions, {
    breaks: ["NO-SERVER-ERROR"],
    does: "every success turns into a 500",
    hooks: (where) => answerSuccess(where, (response) => ({ ...response, status: 500 })),
  }),
];
