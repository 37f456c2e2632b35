import { BODY_FIELDS, type BodyField } from "../../fields/bodies.ts";
import { CREATE_CONDITIONS } from "../../history/create-conditions.ts";
import { CREATES, moveLimit, overlook, refuse, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { Json } from "../../json.ts";
import { changing, isOrdinary, isSent } from "../../operators/changing.ts";
import { onFields } from "../../operators/on-fields.ts";
import { ALWAYS, across, type Mutation, operator } from "../../operators/operator.ts";
import type { Problem } from "../../problems.ts";
import { crash, makeField, together } from "../../write-hook-tools.ts";
import type { Defect } from "../defect.ts";
import { oneOf, withOneOf } from "./group.ts";

const ACCOUNT: Where = ["POST /v1/financial-accounts"];
const WEBHOOK: Where = ["POST /webhooks"];
const FIELDS = BODY_FIELDS.filter((field) => CREATES.includes(field.operation) && isOrdinary(field));
const BUSY: Problem = { at: "body", rule: "state", message: "not now" };

function otherwise(field: BodyField, way: "made" | "stored"): Hooks {
  return changing(
    field,
    way,
    (ctx) => isSent(field, ctx),
    (value) => (field.type === "flag" ? value !== true : field.constant),
  );
}

function echoes(): Defect[] {
  // A constant reference is a duplicate, and a constant currency may be the sent one.
  const fields = FIELDS.filter(({ name }) => name !== "reference" && name !== "currency");
  const stored = fields.filter(({ operation }) => WEBHOOK.includes(operation));
  return [
    ...onFields("made-otherwise", withOneOf(4, "made-otherwise", CREATE_CONDITIONS, fields), (field) => ({
      breaks: ["CREATE-ECHO"],
      does: `another ${field.name} than was sent is made`,
      hooks: otherwise(field, "made"),
    })),
    ...onFields(
      "created-otherwise",
      withOneOf(4, "created-otherwise", CREATE_CONDITIONS, stored),
      (field) => ({
        breaks: ["CREATE-LISTED", "CREATE-ECHO"],
        does: `${field.name} is shown as it was sent, and another value is stored`,
        hooks: otherwise(field, "stored"),
      }),
    ),
  ];
}

/** Only `isActive` has a documented default that can be left over. */
const leftOver: Defect[] = across("left-from-before", WEBHOOK, ALWAYS, {
  at: "isActive",
  breaks: ["CREATE-DEFAULT"],
  does: "where it is left out, isActive is what the create before sent",
  hooks: (where) => () => {
    let latest: BodyField["constant"] | undefined;
    return makeField(where, "isActive", (value, { body }) => {
      const before = latest;
      latest = body.isActive;
      return latest ?? before ?? value;
    });
  },
});

function leftBySender(): Defect[] {
  const fields = FIELDS.filter(({ name, required, type }) => {
    const isPlain = type === "text" || type === "object";
    // A used reference is rejected, and a service may fill in any apiVersion.
    return isPlain && !required && name !== "reference" && name !== "apiVersion";
  });
  return operator(
    "left-by-sender",
    fields.map(({ operation, name, kept }) => ({
      operation,
      at: name,
      breaks: ["CREATE-ECHO"],
      does: `where it is left out, ${name} is what the create before sent`,
      hooks: () => {
        let latest: Json | undefined;
        return makeField([operation], kept, (value, { body }) => {
          const before = latest;
          latest = body[name] ?? before;
          return body[name] === undefined ? (before ?? value) : value;
        });
      },
    })),
  );
}

const RULES: readonly Omit<Mutation, "when">[] = [
  ...FIELDS.filter(({ max, type }) => max !== undefined && type === "text").map((field) => ({
    operation: field.operation,
    at: `${field.name}-length`,
    breaks: ["CREATE-TOO-LONG", ...(WEBHOOK.includes(field.operation) ? ["WEBHOOK-FIELDS"] : [])],
    does: `${field.name} may be of any length`,
    hooks: moveLimit([field.operation], { at: `body.${field.name}`, rule: "maxLength" }, () => 1e6),
  })),
  ...FIELDS.filter(({ required }) => required).map((field) => ({
    operation: field.operation,
    at: `${field.name}-required`,
    breaks: ["CREATE-REQUIRED"],
    does: `${field.name} may be left out`,
    hooks: together(
      overlook([field.operation], { at: `body.${field.name}`, rule: "required" }),
      makeField([field.operation], field.kept, (value) => value ?? field.constant),
    ),
  })),
  {
    operation: "POST /webhooks",
    at: "alertEmails-count",
    breaks: ["CREATE-TOO-MANY", "WEBHOOK-FIELDS"],
    does: "any number of alert addresses is taken",
    hooks: moveLimit(WEBHOOK, { at: "body.alertEmails", rule: "maxItems" }, () => 1e6),
  },
];

export const createHistoryDefects: readonly Defect[] = [
  ...echoes(),
  ...leftOver,
  ...leftBySender(),
  ...operator(
    "rule-dropped",
    withOneOf(7, "rule-dropped", CREATE_CONDITIONS, RULES).map(([rule, when]) => ({ ...rule, when })),
  ),
  ...across("create-refused", CREATES, oneOf(2, CREATE_CONDITIONS), {
    breaks: ["CREATE-ACCEPTED", "CREATE-EDGES", "CREATE-NULL-ACCEPTED", "UNIQUE-OPTIONAL", "KEY-DISTINCT"],
    does: "a valid create is refused",
    hooks: (where) => refuse(where, "conflict", BUSY, () => true),
  }),
  ...across("create-crashes", CREATES, oneOf(3, CREATE_CONDITIONS), {
    breaks: ["NO-SERVER-ERROR", "CREATE-ACCEPTED"],
    does: "a valid create is answered with 500",
    hooks: (where) => crash(where, () => true),
  }),
  ...across("same-resource", CREATES, oneOf(2, CREATE_CONDITIONS), {
    breaks: ["KEY-DISTINCT"],
    does: "a create with a new key is answered with the resource made before",
    hooks: () => {
      let latest: string | undefined;
      return {
        written: (_ctx, { id }) => {
          latest ??= id;
        },
        stored: (record) => (latest === undefined ? record : null),
        item: (item) => (latest === undefined ? item : { ...item, id: latest }),
      };
    },
  }),
  ...across("created-unlisted", WEBHOOK, oneOf(2, CREATE_CONDITIONS), {
    breaks: ["CREATE-LISTED"],
    does: "a new webhook is answered and not kept",
    hooks: () => ({ stored: () => null }),
  }),
  ...across("active-by-default", WEBHOOK, oneOf(2, CREATE_CONDITIONS), {
    breaks: ["CREATE-DEFAULT"],
    does: "a webhook is active where isActive is left out",
    hooks: (where) =>
      makeField(where, "isActive", (value, { body }) => (body.isActive === undefined ? true : value)),
  }),
  ...across("number-shared", ACCOUNT, oneOf(2, CREATE_CONDITIONS), {
    breaks: ["ACCOUNT-NUMBER-UNIQUE"],
    does: "every such account has the same uvan",
    hooks: (where) => makeField(where, "uvan", () => "900000000000"),
  }),
  ...across("refused-create-done", CREATES, oneOf(2, CREATE_CONDITIONS), {
    breaks: ["CREATE-NO-EFFECT"],
    does: "a create that is refused for its body is done all the same",
    hooks: () => ({
      late: (late, ctx, stage) => late || (stage === "body" && Object.keys(ctx.body).length > 0),
    }),
  }),
];
