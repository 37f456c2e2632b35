import {
  answerSuccess,
  showEnvelope,
  showField,
  showItems,
  showPagination,
  type Where,
} from "../hook-tools.ts";
import type { JsonObject } from "../json.ts";
import { UNDER_NEWER } from "../operators/condition.ts";
import { across, SOME_VERSION } from "../operators/operator.ts";
import { type Part, parts } from "../operators/parts.ts";
import type { Defect } from "./defect.ts";

const LISTS: Where = ["GET /v1/financial-accounts", "GET /v1/financial-transactions"];
const SINGLES: Where = ["GET /v1/provider-kyc/{providerId}", "GET /v1/receipts/{orderNumber}"];
const READS: Where = [...LISTS, ...SINGLES];

const OLDER_READS: Where = READS.filter((operation) => !operation.includes("receipts"));

const ENVELOPE = ["NAMED-ENVELOPE"];
const LISTED = ["NAMED-LIST", "NAMED-ENVELOPE"];
const PARTS: readonly Part[] = [
  { part: "success", values: ["missing", "false", "null"], where: READS, breaks: ENVELOPE },
  { part: "messages", values: ["missing", "text"], where: READS, breaks: ENVELOPE },
  { part: "result", values: ["missing", "text"], where: READS, breaks: ENVELOPE },
  { part: "pagination", values: ["object"], where: SINGLES, breaks: LISTED },
  { part: "pagination", values: ["missing", "null"], where: LISTS, breaks: LISTED },
];
const PAGINATION: readonly Part[] = [
  { part: "count", values: ["missing", "text", "fraction"], where: LISTS, breaks: ["NAMED-LIST"] },
  { part: "next", values: ["number"], where: LISTS, breaks: ["NAMED-LIST"] },
  { part: "total", values: ["text", "fraction"], where: LISTS, breaks: ["NAMED-LIST"] },
];

export const undocumentedDefects: readonly Defect[] = [
  ...parts(PARTS, showEnvelope, "named-"),
  ...parts(PAGINATION, showPagination, "named-"),
  ...across("named-bare", READS, SOME_VERSION, {
    breaks: ENVELOPE,
    does: "the result is answered without its envelope",
    hooks: (where) => showEnvelope(where, (body) => body.result ?? null),
  }),
  ...across("named-count-wrong", LISTS, SOME_VERSION, {
    breaks: ["NAMED-LIST"],
    does: "count is one more than the items",
    hooks: (where) =>
      showPagination(where, (pagination) => ({ ...pagination, count: Number(pagination.count) + 1 })),
  }),
  ...across("named-no-json", READS, SOME_VERSION, {
    breaks: ["NAMED-SUCCESS", "NAMED-ENVELOPE"],
    does: "a success is an HTML page",
    hooks: (where) =>
      answerSuccess(where, (response) => ({
        ...response,
        body: "<!doctype html><p>Here",
        headers: { "Content-Type": "text/html" },
      })),
  }),
  ...across("named-status-201", READS, SOME_VERSION, {
    breaks: ["NAMED-SUCCESS"],
    does: "a success is answered 201",
    hooks: (where) => answerSuccess(where, (response) => ({ ...response, status: 201 })),
  }),
  ...across("named-item-twice", LISTS, SOME_VERSION, {
    breaks: ["NAMED-LIST"],
    does: "the first item of a page is shown twice",
    hooks: (where) =>
      showEnvelope(where, (body) => {
        const items = Array.isArray(body.result) ? body.result : [];
        const result = [...items.slice(0, 1), ...items];
        return { ...body, result, pagination: { ...(body.pagination as JsonObject), count: result.length } };
      }),
  }),
  ...across("named-field-lost", OLDER_READS, () => [UNDER_NEWER], {
    breaks: ["VERSION-FIELDS"],
    does: "records lack their last field",
    hooks: (where) => showItems(where, (item) => Object.fromEntries(Object.entries(item).slice(0, -1))),
  }),
  ...across("named-time-other", LISTS, () => [UNDER_NEWER], {
    breaks: ["VERSION-VALUES"],
    does: "records have another createTime",
    hooks: (where) => showField(where, "createTime", () => "2020-01-01T00:00:00.000Z"),
  }),
  ...across("named-fields-move", SINGLES, SOME_VERSION, {
    breaks: ["NAMED-STABLE"],
    does: "every reading has a field named for it",
    hooks: (where) => showItems(where, (item, ctx) => ({ ...item, [`reading${ctx.number}`]: true })),
  }),
  ...across("named-items-move", LISTS, SOME_VERSION, {
    breaks: ["NAMED-STABLE"],
    does: "every reading begins one item further on",
    hooks: () => () => {
      let readings = 0;
      return { members: (members) => members.slice(readings++ % Math.max(members.length, 1)) };
    },
  }),
];
