import type { Context } from "../context.ts";
import { plainShape } from "../envelope.ts";
import { find, read } from "../find.ts";
import type { Handlers } from "../handlers.ts";
import { compact, type Json, type JsonObject } from "../json.ts";
import { list } from "../lists.ts";
import type { Problem } from "../problems.ts";
import type { Kind } from "../store.ts";
import { BodyRules } from "../validate.ts";
import { create } from "../writes.ts";

function noRules(): readonly Problem[] {
  return [];
}

function createAnything(
  ctx: Context,
  kind: Kind,
  idPrefix: string,
  event: string,
  own: JsonObject,
): Promise<Json> {
  return create(ctx, {
    kind,
    idPrefix,
    rules: noRules,
    data: ({ body }, now) => ({ ...body, ...own, createTime: now }),
    shape: ({ id, data }) => ({ ...data, id }),
    event,
  });
}

function otpRules(ctx: Context): readonly Problem[] {
  const body = new BodyRules(ctx);
  body.text("authorizedPhoneNumber");
  body.text("verificationMessage", { nullable: true, max: 255 });
  body.attributes("metadata", { nullable: true, texts: true, maxProperties: 64, max: 100 });
  return body.problems;
}

function otpData(ctx: Context, now: string): JsonObject {
  const { body, service } = ctx;
  return {
    status: "pending",
    dialCode: `*126*${service.random.digits(4)}#`,
    authorizedPhoneNumber: body.authorizedPhoneNumber ?? "+237*******00",
    verificationMessage: body.verificationMessage ?? null,
    createTime: now,
    expireTime: new Date(Date.parse(now) + 600_000).toISOString(),
    metadata: body.metadata ?? null,
  };
}

async function redeem(ctx: Context): Promise<Json> {
  const receipt = find(ctx, { kind: "receipt", parameter: "orderNumber", purpose: "write" });
  const about = compact({ orderNumber: ctx.params.orderNumber, receipt: receipt?.data.status });
  if (receipt)
    ctx.service.store.replace({
      ...receipt,
      data: { ...receipt.data, redeemTime: ctx.service.now().toISOString() },
    });
  return createAnything(ctx, "financialTransaction", "red", "receipt.redeemed", {
    ...about,
    type: "redemption",
    status: "redeemed",
  });
}

/** The answers of these operations are invented (section 4.17). */
export const undocumentedHandlers = {
  "GET /v1/financial-accounts": (ctx) =>
    list(ctx, { kind: "financialAccount", paging: "opaque", shape: plainShape }),
  "GET /v1/financial-transactions": (ctx) =>
    list(ctx, { kind: "financialTransaction", paging: "opaque", shape: plainShape }),
  "GET /v1/provider-kyc/{providerId}": (ctx) =>
    read(ctx, { kind: "providerKyc", parameter: "providerId" }, plainShape),
  "GET /v1/receipts/{orderNumber}": (ctx) =>
    read(ctx, { kind: "receipt", parameter: "orderNumber" }, ({ id, data }) => ({
      ...data,
      orderNumber: id,
    })),
  "POST /v1/receipts/{orderNumber}/redeem": redeem,
  "POST /v1/payments": (ctx) =>
    createAnything(ctx, "payment", "pay", "payment.created", { status: "pending" }),
  "POST /v1/checkout-sessions": (ctx) =>
    createAnything(ctx, "checkoutSession", "chk", "checkout_session.created", { status: "open" }),
  "POST /v1/internal-transfers": (ctx) =>
    createAnything(ctx, "internalTransfer", "trf", "internal_transfer.created", { status: "completed" }),
  "POST /v1/ussd-otps": (ctx) =>
    create(ctx, {
      kind: "ussdOtp",
      idPrefix: "otp",
      rules: otpRules,
      data: otpData,
      shape: plainShape,
      event: "ussd_otp.created",
    }),
} satisfies Handlers;
