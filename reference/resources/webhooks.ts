import type { Context } from "../context.ts";
import { EVENT_NAMES } from "../deliveries.ts";
import { plainShape } from "../envelope.ts";
import type { Handlers } from "../handlers.ts";
import { compact, type JsonObject } from "../json.ts";
import { list } from "../lists.ts";
import type { Problem } from "../problems.ts";
import { BodyRules } from "../validate.ts";
import { type Changes, create, sentFields, update } from "../writes.ts";

function sharedRules(ctx: Context, nullable: boolean): BodyRules {
  const body = new BodyRules(ctx);
  body.text("url", { required: true, format: "url" });
  body.flag("isActive", { nullable });
  body.text("apiVersion", { nullable });
  body.texts("alertEmails", { nullable: true, max: 3 });
  body.verification("verificationMethod");
  body.attributes("customHeaders", { texts: true });
  body.attributes("metadata");
  return body;
}

function creationRules(ctx: Context): readonly Problem[] {
  const body = sharedRules(ctx, false);
  body.text("name", { required: true, min: 1, max: 100 });
  body.texts("events", { required: true, nullable: true, min: 1, max: 100 });
  return body.problems;
}

function updateRules(ctx: Context): readonly Problem[] {
  const body = sharedRules(ctx, true);
  body.text("name", { nullable: true, min: 1, max: 100 });
  body.texts("events", { nullable: true, min: 1, max: 100 });
  return body.problems;
}

const FIELDS = {
  name: "name",
  url: "url",
  events: "events",
  isActive: "isActive",
  apiVersion: "apiVersion",
  alertEmails: "alertEmails",
  verificationMethod: "verificationMethod",
  customHeaders: "customHeaders",
  metadata: "metadata",
} as const;

function data(ctx: Context, now: string): JsonObject {
  const sent = sentFields(ctx.body, FIELDS);
  return compact({
    ...sent,
    events: sent.events ?? [...EVENT_NAMES],
    isActive: sent.isActive ?? false,
    alertEmails: sent.alertEmails ?? [],
    createTime: now,
    metadata: sent.metadata ?? {},
  });
}

/**
 * Null keeps `name` and `isActive`, removes `apiVersion`, empties `alertEmails`, and subscribes to all
 * events.
 */
function changes(ctx: Context): Changes {
  const sent: Record<string, Changes[string]> = sentFields(ctx.body, FIELDS);
  if (sent.name === null) delete sent.name;
  if (sent.isActive === null) delete sent.isActive;
  if (sent.apiVersion === null) sent.apiVersion = undefined;
  if (sent.alertEmails === null) sent.alertEmails = [];
  if (sent.events === null) sent.events = [...EVENT_NAMES];
  return sent;
}

export const webhookHandlers = {
  "POST /webhooks": (ctx) =>
    create(ctx, { kind: "webhook", idPrefix: "whk", rules: creationRules, data, shape: plainShape }),
  "PATCH /webhooks/{id}": (ctx) =>
    update(ctx, { kind: "webhook", rules: updateRules, changes, shape: plainShape }),
  "GET /webhooks": (ctx) =>
    list(ctx, { kind: "webhook", paging: "ids", cursorMax: 100, total: true, shape: plainShape }),
} satisfies Handlers;
