import { BODY_FIELDS, type BodyField } from "../../fields/bodies.ts";
import { UPDATE_CONDITIONS } from "../../history/update-conditions.ts";
import { moveLimit, overlook, refuse, UPDATES, type Where } from "../../hook-tools.ts";
import type { Json } from "../../json.ts";
import { changing, isOrdinary, isSent, SAYS, type Way } from "../../operators/changing.ts";
import { onFields } from "../../operators/on-fields.ts";
import { across, type Fault, type Mutation, operator } from "../../operators/operator.ts";
import type { Problem } from "../../problems.ts";
import { crash, setOtherwise } from "../../write-hook-tools.ts";
import type { Defect } from "../defect.ts";
import { withOneOf } from "./group.ts";
import { doneThoughRefused, WITH_SEVERAL_FIELDS } from "./rejections.ts";

const CODE: Where = ["PATCH /payment-codes/{id}"];
const WEBHOOK: Where = ["PATCH /webhooks/{id}"];
const FIELDS = BODY_FIELDS.filter((field) => UPDATES.includes(field.operation) && isOrdinary(field));

const beside = ({ operation }: BodyField) =>
  operation === "PATCH /payment-codes/{id}" ? ["CANCEL-TOGETHER"] : [];

const SENT: Readonly<
  Record<string, readonly [way: Way, breaks: readonly string[], does: (name: string) => string]>
> = {
  "answered-otherwise": [
    "shown",
    ["UPDATE-ECHO"],
    (name) => `the answer shows another ${name} than was sent`,
  ],
  "not-stored": ["stored", ["UPDATE-STORED"], (name) => `a new ${name} is answered and not stored`],
};

function sent(): Defect[] {
  return Object.entries(SENT).flatMap(([name, [way, breaks, does]]) =>
    onFields(name, withOneOf(4, name, UPDATE_CONDITIONS, FIELDS), (field) => ({
      breaks: [...breaks, ...beside(field)],
      does: does(field.name),
      hooks: changing(
        field,
        way,
        (ctx) => isSent(field, ctx),
        (value, previous) => (way === "stored" ? previous : otherThan(field, value)),
      ),
    })),
  );
}

function otherThan({ type, constant }: BodyField, value: Json | undefined): Json {
  return type === "flag" ? value !== true : constant;
}

function ignored(): Defect[] {
  return onFields("ignored", withOneOf(6, "ignored", UPDATE_CONDITIONS, FIELDS), (field) => ({
    breaks: ["UPDATE-ECHO", "UPDATE-STORED", ...beside(field)],
    does: `a new ${field.name} is ignored`,
    hooks: setOtherwise([field.operation], ({ [field.kept]: _, ...others }) => others),
  }));
}

/** An update without a code's `isActive` may set the default. */
const UNSENT = FIELDS.filter(
  ({ operation, name, required }) =>
    !required && operation !== "PATCH /payouts/{id}" && !(operation.includes("codes") && name === "isActive"),
);

function reset(): Defect[] {
  const ways = ["made", "stored"] as const;
  return ways.flatMap((way) => {
    const name = way === "made" ? "reset-unsent" : "reset-unseen";
    return onFields(name, withOneOf(5, name, UPDATE_CONDITIONS, UNSENT), (field) => ({
      breaks: ["UPDATE-KEEPS"],
      does: `where it is not sent, ${field.name} is set to a constant${SAYS[way]}`,
      hooks: changing(
        field,
        way,
        ({ body }) => !Object.hasOwn(body, field.name),
        (value) => otherThan(field, value),
      ),
    }));
  });
}

const places = (where: Where) => where.map((operation) => ({ operation }));

function whole(name: string, n: number, { breaks, does, hooks }: Fault, where: Where = UPDATES): Defect[] {
  return operator(
    name,
    withOneOf(n, name, UPDATE_CONDITIONS, places(where)).map(([{ operation }, when]) => ({
      operation,
      when,
      breaks: typeof breaks === "function" ? breaks(operation) : breaks,
      does,
      hooks: hooks([operation]),
    })),
  );
}

const AFTER_UNREAD = UPDATE_CONDITIONS.find(({ name }) => name === "after-unread");

const BUSY: Problem = { at: "body", rule: "state", message: "not now" };

const REFUSED: Fault = {
  breaks: ["UPDATE-ACCEPTED", "UPDATE-NULL-ACCEPTED", "UPDATE-EDGES"],
  does: "a valid update is refused",
  hooks: (where) => refuse(where, "body", BUSY, () => true),
};

const RULES: readonly Omit<Mutation, "when">[] = [
  ...(["PATCH /payment-codes/{id}", "PATCH /webhooks/{id}"] as const).map((operation) => ({
    operation,
    at: "name",
    breaks: ["UPDATE-TOO-LONG", ...(operation.includes("webhooks") ? ["WEBHOOK-FIELDS"] : [])],
    does: "a name of any length is taken",
    hooks: moveLimit([operation], { at: "body.name", rule: "maxLength" }, () => 1e6),
  })),
  {
    operation: "PATCH /payment-codes/{id}",
    at: "allowedProviders",
    breaks: ["UPDATE-TOO-MANY"],
    does: "any number of providers is taken",
    hooks: moveLimit(CODE, { at: "body.allowedProviders", rule: "maxItems" }, () => 1e6),
  },
  {
    operation: "PATCH /webhooks/{id}",
    at: "url",
    breaks: ["UPDATE-REQUIRED"],
    does: "url may be left out",
    hooks: overlook(WEBHOOK, { at: "body.url", rule: "required" }),
  },
  {
    operation: "PATCH /webhooks/{id}",
    at: "alertEmails",
    breaks: ["UPDATE-TOO-MANY", "WEBHOOK-FIELDS"],
    does: "any number of addresses is taken",
    hooks: moveLimit(WEBHOOK, { at: "body.alertEmails", rule: "maxItems" }, () => 1e6),
  },
];

const rules: Defect[] = operator(
  "rule-dropped",
  withOneOf(5, "rule-dropped", UPDATE_CONDITIONS, RULES).map(([rule, when]) => ({ ...rule, when })),
);

export const updateHistoryDefects: readonly Defect[] = [
  ...sent(),
  ...ignored(),
  ...reset(),
  ...rules,
  ...whole("update-refused", 2, REFUSED),
  ...across("update-refused", ["PATCH /payouts/{id}"], () => [AFTER_UNREAD], REFUSED),
  ...whole("update-crashes", 3, {
    breaks: ["NO-SERVER-ERROR", "UPDATE-ACCEPTED"],
    does: "a valid update is answered with 500",
    hooks: (where) => crash(where, () => true),
  }),
  ...whole("update-undone", 2, {
    breaks: (operation) => ["UPDATE-STORED", ...(operation.includes("codes") ? ["CANCEL-STATUS"] : [])],
    does: "the update is answered as done and not stored",
    hooks: () => ({ stored: (_record, _ctx, previous) => previous }),
  }),
  ...whole(
    "refused-update-done",
    2,
    {
      breaks: ["UPDATE-NO-EFFECT"],
      does: "an update that is refused for its body has stored its valid fields",
      hooks: () => doneThoughRefused(() => true),
    },
    WITH_SEVERAL_FIELDS,
  ),
];
