import type { Context } from "../context.ts";
import { plainShape } from "../envelope.ts";
import type { Handlers } from "../handlers.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Problem } from "../problems.ts";
import { BodyRules } from "../validate.ts";
import { create } from "../writes.ts";

function rules(ctx: Context): readonly Problem[] {
  const body = new BodyRules(ctx);
  body.text("name", { required: true, max: 100 });
  body.text("currency", { required: true, format: "currency" });
  body.text("reference", { nullable: true, max: 64 });
  body.text("description", { nullable: true, max: 150 });
  body.attributes("metadata");
  return body.problems;
}

function conflicts(ctx: Context): readonly Problem[] {
  const { hooks, store } = ctx.service;
  const sent: Json = ctx.body.reference ?? null;
  if (sent === null) return [];
  const taken = store.all("financialAccount").some((other) => {
    const same = other.space === ctx.space && other.data.reference === sent;
    return hooks.sameReference(same, ctx, { sent, other });
  });
  const message = "another financial account of this space has this reference";
  return taken ? [{ at: "body.reference", rule: "unique", message }] : [];
}

function data(ctx: Context, now: string): JsonObject {
  const { name, currency, reference, description, metadata } = ctx.body;
  return {
    uvan: `90${ctx.service.random.digits(12)}`,
    name: name ?? null,
    currency: currency ?? null,
    reference: reference ?? null,
    description: description ?? null,
    balance: { available: { currency: currency ?? null, value: 0 } },
    createTime: now,
    updateTime: now,
    metadata: isObject(metadata) ? metadata : {},
  };
}

export const financialAccountHandlers = {
  "POST /v1/financial-accounts": (ctx) =>
    create(ctx, {
      kind: "financialAccount",
      idPrefix: "fac",
      rules,
      conflicts,
      data,
      shape: plainShape,
      event: "financial_account.created",
    }),
} satisfies Handlers;
