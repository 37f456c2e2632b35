import { authenticate } from "./auth.ts";
import { readBody } from "./body.ts";
import { type Context, type IncomingRequest, newContext, type ResponseDraft } from "./context.ts";
import type { Handler } from "./handlers.ts";
import type { Service } from "./hooks.ts";
import { checkKey } from "./idempotency.ts";
import type { Json } from "./json.ts";
import type { OperationName } from "./operations.ts";
import { Rejected, type Rejection } from "./problems.ts";
import { financialAccountHandlers } from "./resources/financial-accounts.ts";
import { paymentCodeHandlers } from "./resources/payment-codes.ts";
import { payoutHandlers } from "./resources/payouts.ts";
import { referenceDataHandlers } from "./resources/reference-data.ts";
import { undocumentedHandlers } from "./resources/undocumented.ts";
import { ussdOtpHandlers } from "./resources/ussd-otps.ts";
import { webhookHandlers } from "./resources/webhooks.ts";
import { route } from "./routes.ts";
import { checkSpace } from "./spaces.ts";
import { checkVersion } from "./versions.ts";

const handlers: Readonly<Record<OperationName, Handler>> = {
  ...ussdOtpHandlers,
  ...financialAccountHandlers,
  ...paymentCodeHandlers,
  ...payoutHandlers,
  ...referenceDataHandlers,
  ...webhookHandlers,
  ...undocumentedHandlers,
};

function draft(status: number, headers: Readonly<Record<string, string>>, body: string): ResponseDraft {
  return { status, headers, body, delayMs: 0, transfer: "whole", fault: "none" };
}

function jsonDraft(status: number, headers: Readonly<Record<string, string>>, body: Json): ResponseDraft {
  const standard = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  return draft(status, { ...standard, ...headers }, JSON.stringify(body));
}

function refuse(ctx: Context, given: Rejection): ResponseDraft {
  const { hooks } = ctx.service;
  const rejection = hooks.rejection(given, ctx);
  const messages = rejection.problems.map(({ at, rule, message }) => ({ code: rule, field: at, message }));
  const body = hooks.errorBody({ success: false, messages }, ctx, rejection);
  return jsonDraft(rejection.status, rejection.headers, body);
}

async function carryOut(ctx: Context): Promise<Json> {
  route(ctx);
  await ctx.service.hooks.pause("arrived", ctx);
  authenticate(ctx);
  checkVersion(ctx);
  checkSpace(ctx);
  checkKey(ctx);
  readBody(ctx);
  if (ctx.operation === "") throw new Error("a routed request has an operation");
  const body = await handlers[ctx.operation](ctx);
  const [late] = ctx.lateRejections;
  if (late) throw new Rejected(late);
  return body;
}

async function answer(ctx: Context): Promise<ResponseDraft> {
  try {
    return jsonDraft(200, {}, await carryOut(ctx));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { Allow } = error.rejection.headers;
    if (ctx.request.method === "OPTIONS" && Allow) return draft(204, { Allow }, "");
    return refuse(ctx, error.rejection);
  }
}

export async function dispatch(service: Service, incoming: IncomingRequest): Promise<ResponseDraft> {
  const ctx = newContext(service, service.hooks.request(incoming, service), service.count());
  return service.hooks.response(await answer(ctx), ctx);
}
