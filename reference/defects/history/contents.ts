import { BODY_FIELDS, type BodyField, prefixOf } from "../../fields/bodies.ts";
import { moveLimit, showItems, UPDATES, WEBHOOK_WRITES, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { OperationName } from "../../operations.ts";
import { inAll, onFields } from "../../operators/on-fields.ts";
import { operator } from "../../operators/operator.ts";
import { makeField, overlookWhen, together } from "../../write-hook-tools.ts";
import type { Defect } from "../defect.ts";

const OBJECTS = BODY_FIELDS.filter(({ type }) => type === "object");
const METADATA = OBJECTS.filter(({ name }) => name === "metadata");
const LISTS = BODY_FIELDS.filter(({ type }) => type === "list");

function taking(
  { operation, name, kept }: BodyField,
  at: string,
  isMeant: (value: Json | undefined) => boolean,
  to: (value: Json) => Json,
): Hooks {
  const where: Where = [operation];
  return together(
    overlookWhen(where, { at, rule: "type" }, ({ body }) => isMeant(body[name])),
    makeField(where, kept, (value, { body }) =>
      value !== undefined && isMeant(body[name]) ? to(value) : value,
    ),
  );
}

const isEmptyList = (value: Json | undefined) => Array.isArray(value) && value.length === 0;
const isOfNumbers = (value: Json | undefined) =>
  Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === "number");
const isPartlyText = (value: Json | undefined) =>
  Array.isArray(value) &&
  typeof value[0] === "string" &&
  value.some((element) => typeof element !== "string");

function weakTypes(): Defect[] {
  return [
    ...onFields("empty-list-taken", inAll(OBJECTS), (field) => ({
      breaks: [`${prefixOf(field.operation)}-TYPE`],
      does: `an empty list is taken for ${field.name}`,
      hooks: taking(field, `body.${field.name}`, isEmptyList, () => ({})),
    })),
    ...onFields("number-list-taken", inAll(LISTS), (field) => ({
      breaks: [`${prefixOf(field.operation)}-TYPE`],
      does: `a list of numbers is taken for ${field.name}`,
      hooks: taking(field, `body.${field.name}[]`, isOfNumbers, (value) =>
        Array.isArray(value) ? value.map(String) : value,
      ),
    })),
    ...onFields("mixed-list-taken", inAll(LISTS), (field) => ({
      breaks: [`${prefixOf(field.operation)}-TYPE`],
      does: `a list that begins with a text is taken for ${field.name}, whatever follows`,
      hooks: taking(field, `body.${field.name}[]`, isPartlyText, (value) =>
        Array.isArray(value) ? value.filter((element) => typeof element === "string") : value,
      ),
    })),
  ];
}

const LOST: Readonly<Record<string, readonly [what: string, keep: (value: Json, depth: number) => boolean]>> =
  {
    "objects-lost": ["objects in it", (value) => !isObject(value)],
    "inner-objects-lost": ["objects in objects in it", (value, depth) => !isObject(value) || depth < 1],
    "lists-lost": ["lists in it", (value) => !Array.isArray(value)],
    "blanks-lost": ["empty texts in it", (value) => value !== ""],
    "numbers-lost": ["numbers in it", (value) => typeof value !== "number"],
    "flags-lost": ["what is false in it", (value) => value !== false],
  };

function kept(value: JsonObject, keep: (value: Json, depth: number) => boolean, depth = 0): JsonObject {
  const entries = Object.entries(value).filter(([, entry]) => keep(entry, depth));
  return Object.fromEntries(
    entries.map(([key, entry]) => [key, isObject(entry) ? kept(entry, keep, depth + 1) : entry]),
  );
}

function lost(): Defect[] {
  return Object.entries(LOST).flatMap(([name, [what, keep]]) =>
    onFields(name, inAll(METADATA), (field) => ({
      breaks: [`${prefixOf(field.operation)}-ECHO`],
      does: `metadata loses ${what}`,
      hooks: makeField([field.operation], field.kept, (value) =>
        isObject(value) ? kept(value, keep) : value,
      ),
    })),
  );
}

/** True if the same names have the same texts and numbers, and only objects differ. */
function differsOnlyInside(one: JsonObject, other: JsonObject): boolean {
  const asText = (value: Json | undefined) => (isObject(value) ? "object" : JSON.stringify(value));
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => asText(one[name]) === asText(other[name]));
}

function comparedFlat(): Defect[] {
  const updated = METADATA.filter(({ operation }) => UPDATES.includes(operation));
  return onFields("inner-change-ignored", inAll(updated), ({ operation, kept: field }) => ({
    breaks: ["UPDATE-ECHO", "UPDATE-STORED"],
    does: "metadata stays as it was if only objects in it change",
    hooks: makeField([operation], field, (value, _ctx, previous) =>
      isObject(value) && isObject(previous) && differsOnlyInside(value, previous) ? previous : value,
    ),
  }));
}

const FIELDS_OF: readonly (readonly [OperationName, requirement: string])[] = [
  ["POST /v1/financial-accounts", "ACCOUNT-FIELDS"],
  ["PATCH /payment-codes/{id}", "CODE-FIELDS"],
  ["PATCH /payouts/{id}", "PAYOUT-FIELDS"],
  ["POST /webhooks", "WEBHOOK-FIELDS"],
  ["PATCH /webhooks/{id}", "WEBHOOK-FIELDS"],
];

/** Shows empty objects as lists, which are the same in some languages. */
function shownAsLists(): Defect[] {
  const places = FIELDS_OF.flatMap(([operation, requirement]) =>
    ["metadata", ...(WEBHOOK_WRITES.includes(operation) ? ["customHeaders"] : [])].map((field) => ({
      operation,
      requirement,
      field,
    })),
  );
  return operator(
    "empty-shown-as-list",
    places.map(({ operation, requirement, field }) => ({
      operation,
      at: field,
      breaks: [requirement],
      does: `${field} without entries is answered as a list`,
      hooks: showItems([operation], (item) => {
        const value = item[field];
        const isEmpty = isObject(value) && Object.keys(value).length === 0;
        return isEmpty ? { ...item, [field]: [] } : item;
      }),
    })),
  );
}

const grown: Defect[] = operator("limit-grows", [
  {
    operation: "PATCH /payment-codes/{id}",
    at: "allowedProviders",
    breaks: ["UPDATE-TOO-MANY"],
    does: "one provider too many is taken once ten were set",
    hooks: () => {
      let isFull = false;
      return {
        ...moveLimit(
          ["PATCH /payment-codes/{id}"],
          { at: "body.allowedProviders", rule: "maxItems" },
          (limit) => (isFull ? limit + 1 : limit),
        ),
        written: ({ body }) => {
          if (Array.isArray(body.allowedProviders) && body.allowedProviders.length === 10) isFull = true;
        },
      };
    },
  },
]);

export const contentHistoryDefects: readonly Defect[] = [
  ...weakTypes(),
  ...lost(),
  ...comparedFlat(),
  ...shownAsLists(),
  ...grown,
];
