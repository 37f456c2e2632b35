import { ACCOUNT, overlookWhen, parsedJson, rewriteBody, WEBHOOK } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const rule = { row: 61, level: "MUST" } as const;
const currency = {
  ...rule,
  requirement: "CREATE-CURRENCY",
  alsoBreaks: ["ACCOUNT-FIELDS", "MONEY-FIELDS"],
  operations: ACCOUNT,
} as const;

function currencyTaken(pattern: RegExp) {
  return overlookWhen(ACCOUNT, { at: "body.currency", rule: "format" }, ({ body }) => {
    return typeof body.currency === "string" && pattern.test(body.currency);
  });
}

/** Creating bodies with currencies that are none, or that are no JSON object, and are taken (row 61). */
export const createFormDefects: readonly Defect[] = [
  {
    ...currency,
    name: "currency-checked-by-pattern",
    description: "Any three capitals are a currency, ZZZ too.",
    hooks: currencyTaken(/^[A-Z]{3}$/),
  },
  {
    ...currency,
    name: "currency-of-four-letters",
    description: "Currencies of four capitals are taken, as stablecoins have them.",
    hooks: currencyTaken(/^[A-Z]{4}$/),
  },
  {
    ...currency,
    name: "currency-of-two-letters",
    description: "A currency of two letters is taken.",
    hooks: currencyTaken(/^[A-Z]{2}$/),
  },
  {
    ...rule,
    name: "account-body-with-text-behind-it",
    description: "Whatever follows the JSON object in the body is ignored.",
    requirement: "CREATE-MALFORMED",
    operations: ACCOUNT,
    hooks: rewriteBody(ACCOUNT, (text) =>
      parsedJson(text) === undefined ? text.slice(0, text.lastIndexOf("}") + 1) : text,
    ),
  },
  {
    ...rule,
    name: "webhook-body-repaired",
    description: "A body with a comma too many or without its last brackets is repaired.",
    requirement: "CREATE-MALFORMED",
    operations: WEBHOOK,
    hooks: rewriteBody(WEBHOOK, (text) => {
      const stripped = text.replaceAll(/,\s*([}\]])/g, "$1").replace(/,\s*$/, "");
      const repairs = ["", "}", "]}", '"}', '"]}', "}}"].map((ending) => stripped + ending);
      return parsedJson(text) === undefined
        ? (repairs.find((repair) => parsedJson(repair) !== undefined) ?? text)
        : text;
    }),
  },
  {
    ...rule,
    name: "account-body-in-a-list",
    description: "A list with one object in it is taken for that object.",
    requirement: "CREATE-NOT-OBJECT",
    operations: ACCOUNT,
    hooks: rewriteBody(ACCOUNT, (text) => {
      const value = parsedJson(text);
      return Array.isArray(value) && value.length === 1 ? JSON.stringify(value[0]) : text;
    }),
  },
  {
    ...rule,
    name: "webhook-body-as-json-in-a-text",
    description: "A JSON text that holds JSON is taken for what it holds.",
    requirement: "CREATE-NOT-OBJECT",
    operations: WEBHOOK,
    hooks: rewriteBody(WEBHOOK, (text) => {
      const value = parsedJson(text);
      return typeof value === "string" ? value : text;
    }),
  },
];
