import type { Context } from "../context.ts";
import { plainShape } from "../envelope.ts";
import { read } from "../find.ts";
import type { Handlers } from "../handlers.ts";
import type { Problem } from "../problems.ts";
import { BodyRules } from "../validate.ts";
import { type Changes, sentFields, update } from "../writes.ts";

function rules(ctx: Context): readonly Problem[] {
  const body = new BodyRules(ctx);
  body.attributes("metadata", { nullable: true });
  return body.problems;
}

function changes(ctx: Context): Changes {
  const sent = sentFields(ctx.body, { metadata: "metadata" });
  return sent.metadata === null ? { metadata: {} } : sent;
}

export const payoutHandlers = {
  "GET /payouts/{id}": (ctx) => read(ctx, { kind: "payout", parameter: "id" }, plainShape),
  "PATCH /payouts/{id}": (ctx) =>
    update(ctx, { kind: "payout", rules, changes, shape: plainShape, event: "payout.updated" }),
} satisfies Handlers;
