import { answerSuccess, CREATES, isAt, showEnvelope } from "../../hook-tools.ts";
import { ACCOUNT, CODE_UPDATE, PAYOUT_UPDATE, WEBHOOK, WEBHOOK_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const must = { level: "MUST" } as const;

/** Defects of how creates and updates answer: status, content type, envelope (rows 1 to 4). */
export const writeResponseDefects: readonly Defect[] = [
  {
    ...must,
    name: "create-account-answers-202",
    description: "Creating a financial account answers 202 Accepted.",
    requirement: "STATUS-200",
    row: 1,
    operations: ACCOUNT,
    hooks: answerSuccess(ACCOUNT, (response) => ({ ...response, status: 202 })),
  },
  {
    ...must,
    name: "update-payout-answers-204",
    description: "Updating a payout answers 204 without a body.",
    requirement: "STATUS-200",
    row: 1,
    alsoBreaks: ["JSON-CONTENT-TYPE", "JSON-BODY"],
    operations: PAYOUT_UPDATE,
    hooks: answerSuccess(PAYOUT_UPDATE, () => ({
      status: 204,
      headers: {},
      body: "",
      delayMs: 0,
      transfer: "whole",
      fault: "none",
    })),
  },
  {
    ...must,
    name: "cancelling-answers-202",
    description: "An update of a payment code with a status answers 202 Accepted.",
    requirement: "STATUS-200",
    row: 1,
    operations: CODE_UPDATE,
    hooks: answerSuccess(CODE_UPDATE, (response, { body }) =>
      typeof body.status === "string" ? { ...response, status: 202 } : response,
    ),
  },
  {
    ...must,
    name: "update-code-answers-as-html",
    description: "Updating a payment code answers JSON with the content type text/html.",
    requirement: "JSON-CONTENT-TYPE",
    row: 1,
    operations: CODE_UPDATE,
    hooks: answerSuccess(CODE_UPDATE, (response) => ({
      ...response,
      headers: { ...response.headers, "Content-Type": "text/html; charset=utf-8" },
    })),
  },
  {
    ...must,
    name: "update-webhook-answers-nothing",
    description: "Updating a webhook answers 200 with an empty body.",
    requirement: "JSON-BODY",
    row: 1,
    operations: WEBHOOK_UPDATE,
    hooks: answerSuccess(WEBHOOK_UPDATE, (response) => ({ ...response, body: "" })),
  },
  {
    ...must,
    name: "create-webhook-answers-guarded-json",
    description: "Creating a webhook answers JSON behind characters that guard it against script inclusion.",
    requirement: "JSON-BODY",
    row: 1,
    operations: WEBHOOK,
    hooks: answerSuccess(WEBHOOK, (response) => ({ ...response, body: `)]}',\n${String(response.body)}` })),
  },
  {
    ...must,
    name: "creates-without-success",
    description: "Creating calls leave success out.",
    requirement: "SUCCESS-TRUE",
    row: 2,
    operations: CREATES,
    hooks: showEnvelope(CREATES, ({ success: _, ...body }) => body),
  },
  {
    ...must,
    name: "taken-reference-answers-200",
    description: "A reference that is taken is answered 200 with success false.",
    requirement: "SUCCESS-TRUE",
    row: 2,
    alsoBreaks: ["UNIQUE-REJECTED", "UNIQUE-PARALLEL"],
    operations: ACCOUNT,
    hooks: {
      rejection: (rejection, ctx) =>
        isAt(ctx, ACCOUNT) && rejection.problems.some(({ rule }) => rule === "unique")
          ? { ...rejection, status: 200 }
          : rejection,
    },
  },
  {
    ...must,
    name: "update-payout-messages-null",
    description: "Updating a payout answers null for messages.",
    requirement: "MESSAGES-ARRAY",
    row: 2,
    operations: PAYOUT_UPDATE,
    hooks: showEnvelope(PAYOUT_UPDATE, (body) => ({ ...body, messages: null })),
  },
  {
    ...must,
    name: "create-webhook-result-in-a-list",
    description: "Creating a webhook answers a list with the webhook in it.",
    requirement: "RESULT-OBJECT",
    row: 3,
    operations: WEBHOOK,
    hooks: showEnvelope(WEBHOOK, (body) => ({ ...body, result: [body.result ?? null] })),
  },
  {
    ...must,
    name: "creates-with-pagination-null",
    description: "Creating calls answer null for pagination.",
    requirement: "PAGINATION-ABSENT",
    row: 4,
    operations: CREATES,
    hooks: showEnvelope(CREATES, (body) => ({ ...body, pagination: null })),
  },
  {
    ...must,
    name: "update-webhook-with-pagination",
    description: "Updating a webhook answers with the pagination of a list of one.",
    requirement: "PAGINATION-ABSENT",
    row: 4,
    operations: WEBHOOK_UPDATE,
    hooks: showEnvelope(WEBHOOK_UPDATE, (body) => ({
      ...body,
      pagination: { count: 1, total: 1, next: null },
    })),
  },
];
