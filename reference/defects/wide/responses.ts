import {
  answerSuccess,
  CREATES,
  EVERYWHERE,
  SHOWN,
  SINGLES,
  showEnvelope,
  UPDATES,
  type Where,
} from "../../hook-tools.ts";
import { isObject } from "../../json.ts";
import { answerText, OLDER } from "../../read-hook-tools.ts";
import { crashInstead } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const SINGLE_RESULTS: Where = [...SINGLES, ...CREATES, ...UPDATES];
const PROVIDER_LISTS: Where = ["GET /banks", "GET /momos"];

/** Defects of answers that a layer in front of all operations makes (rows 1 to 4). */
export const wideResponseDefects: readonly Defect[] = [
  {
    name: "every-success-is-203",
    description: "A proxy that rewrites answers marks every success as 203 Non-Authoritative Information.",
    requirement: "STATUS-200",
    row: 1,
    level: "MUST",
    operations: SHOWN,
    hooks: answerSuccess(SHOWN, (response) => ({ ...response, status: 203 })),
  },
  {
    name: "every-success-typed-as-text",
    description: "A gateway gives every success the content type text/plain.",
    requirement: "JSON-CONTENT-TYPE",
    row: 1,
    level: "MUST",
    operations: SHOWN,
    hooks: answerSuccess(SHOWN, (response) => ({
      ...response,
      headers: { ...response.headers, "Content-Type": "text/plain; charset=utf-8" },
    })),
  },
  {
    name: "older-version-behind-guard-prefix",
    description:
      "Under caph.2025-06-20 every success stands behind the guard prefix )]}', against script inclusion.",
    requirement: "JSON-BODY",
    row: 1,
    level: "MUST",
    operations: SHOWN,
    hooks: answerText(SHOWN, (text, { version }) => (version === OLDER ? `)]}',\n${text}` : text)),
  },
  {
    name: "success-as-number",
    description: "success of every answer is 1, as the database has it.",
    requirement: "SUCCESS-TRUE",
    row: 2,
    level: "MUST",
    operations: SHOWN,
    hooks: showEnvelope(SHOWN, (body) => ({ ...body, success: 1 })),
  },
  {
    name: "no-messages-as-empty-object",
    description:
      "Without anything to tell, messages is an empty object, as some languages write an empty list.",
    requirement: "MESSAGES-ARRAY",
    row: 2,
    level: "MUST",
    operations: SHOWN,
    hooks: showEnvelope(SHOWN, (body) => ({ ...body, messages: {} })),
  },
  {
    name: "older-version-shows-lists-of-one",
    description: "Under caph.2025-06-20 a single resource is answered as a list with one element.",
    requirement: "RESULT-OBJECT",
    row: 3,
    level: "MUST",
    operations: SINGLE_RESULTS,
    hooks: showEnvelope(SINGLE_RESULTS, (body, { version }) =>
      version === OLDER ? { ...body, result: [body.result ?? null] } : body,
    ),
  },
  {
    name: "providers-keyed-by-code",
    description: "The result of the lists of banks and momos is an object with the codes as its keys.",
    requirement: "RESULT-LIST",
    row: 3,
    level: "MUST",
    operations: PROVIDER_LISTS,
    hooks: showEnvelope(PROVIDER_LISTS, (body) => ({
      ...body,
      result: Object.fromEntries(
        (Array.isArray(body.result) ? body.result : []).map((item) => [
          String(isObject(item) ? item.code : ""),
          item,
        ]),
      ),
    })),
  },
  {
    name: "updates-with-pagination-null",
    description: "Updates answer null for pagination.",
    requirement: "PAGINATION-ABSENT",
    row: 4,
    level: "MUST",
    operations: UPDATES,
    hooks: showEnvelope(UPDATES, (body) => ({ ...body, pagination: null })),
  },
  {
    name: "unknown-token-is-500",
    description: "A token that is not known is answered with 500, on every operation.",
    requirement: "NO-SERVER-ERROR",
    alsoBreaks: ["AUTH-UNKNOWN-TOKEN", "AUTH-ALTERED-TOKEN"],
    row: 1,
    level: "MUST",
    operations: EVERYWHERE,
    hooks: crashInstead(EVERYWHERE, ({ at, rule }) => at === "header.Authorization" && rule === "token"),
  },
];
