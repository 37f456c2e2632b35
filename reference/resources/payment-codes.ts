import type { Context } from "../context.ts";
import type { Shape } from "../envelope.ts";
import { read } from "../find.ts";
import type { Handlers } from "../handlers.ts";
import { compact, isObject, type Json, type JsonObject } from "../json.ts";
import { type Filter, list } from "../lists.ts";
import type { Problem } from "../problems.ts";
import { checkChoice } from "../query.ts";
import type { StoredRecord } from "../store.ts";
import { BodyRules } from "../validate.ts";
import { type Changes, sentFields, update } from "../writes.ts";

export const PAYMENT_CODE_STATUSES = ["pending", "processing", "expired", "cancelled", "completed"] as const;

export const PAYMENT_CODE_MODES = ["one_time", "recurrent"] as const;

function choiceFilter(parameter: string, choices: readonly string[]): Filter {
  return {
    parameter,
    check: (_ctx, value, problems) => checkChoice(parameter, value, choices, problems),
    matches: (record, value) => record.data[parameter] === value,
  };
}

const filters: readonly Filter[] = [
  { parameter: "ussd_code", check: () => undefined, matches: ({ data }, value) => data.ussdCode === value },
  choiceFilter("mode", PAYMENT_CODE_MODES),
  choiceFilter("status", PAYMENT_CODE_STATUSES),
];

const listShape: Shape = ({ id, data: { progress: _, ...data } }) => ({ id, ...data });

function targetShape(target: Json | undefined): JsonObject | undefined {
  if (!isObject(target)) return undefined;
  const { expectedPaymentCount, expectedPaymentTotal } = target;
  return compact({ expectedPaymentCount, expectedPaymentSum: expectedPaymentTotal });
}

const singleShape: Shape = ({ id, data }) =>
  compact({
    id,
    name: data.name,
    mode: data.mode === "one_time" ? "oneTime" : data.mode,
    isActive: data.enable,
    status: data.status,
    ussdCode: data.ussdCode,
    amount: data.amount,
    customerTarget: compact({
      name: isObject(data.customer) ? data.customer.name : undefined,
      reference: data.reference,
      payingPhoneNumber: data.authorizedPhoneNumber,
    }),
    financialTarget: targetShape(data.recurrentPaymentTarget),
    allowedProviders: data.authorizedProviders,
    progress: data.progress,
    financialAccountId: data.financialAccountId,
    expireTime: data.expireTime,
    createTime: data.createTime,
    metadata: data.metadata,
  });

function rules(ctx: Context): readonly Problem[] {
  const body = new BodyRules(ctx);
  body.text("name", { nullable: true, max: 100 });
  body.flag("isActive", { nullable: true });
  body.choice("status", ["cancelled"], { nullable: true });
  body.text("expireTime", { format: "date-time" });
  body.texts("allowedProviders", { nullable: true, min: 1, max: 10 });
  body.attributes("metadata");
  return body.problems;
}

function conflicts(ctx: Context, record: StoredRecord): readonly Problem[] {
  const { status } = record.data;
  const over = status === "completed" || status === "expired";
  if (ctx.body.status !== "cancelled" || !over) return [];
  return [
    { at: "body.status", rule: "state", message: `a payment code that is ${status} cannot be cancelled` },
  ];
}

/** Null keeps `name` and `status`, resets `isActive`, and allows every provider. */
function changes(ctx: Context): Changes {
  const sent = sentFields(ctx.body, {
    name: "name",
    isActive: "enable",
    status: "status",
    expireTime: "expireTime",
    allowedProviders: "authorizedProviders",
    metadata: "metadata",
  });
  if (sent.name === null) delete sent.name;
  if (sent.status === null) delete sent.status;
  if (sent.enable === null) sent.enable = true;
  if (sent.authorizedProviders === null) sent.authorizedProviders = [];
  return { ...sent, updateTime: ctx.service.now().toISOString() };
}

export const paymentCodeHandlers = {
  "GET /v1/payment-codes": (ctx) =>
    list(ctx, { kind: "paymentCode", paging: "opaque", filters, shape: listShape }),
  "GET /payment-codes/{id}": (ctx) => read(ctx, { kind: "paymentCode", parameter: "id" }, singleShape),
  "PATCH /payment-codes/{id}": (ctx) =>
    update(ctx, {
      kind: "paymentCode",
      rules,
      conflicts,
      changes,
      shape: singleShape,
      event: ctx.body.status === "cancelled" ? "payment_code.cancelled" : "payment_code.updated",
    }),
} satisfies Handlers;
