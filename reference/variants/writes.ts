import { EVENT_NAMES } from "../deliveries.ts";
import { CREATES, isAt, refuse, showItems, UPDATES } from "../hook-tools.ts";
import { isObject } from "../json.ts";
import type { Variant } from "./variant.ts";

/** Variants of creating and updating. */
export const writeVariants: readonly Variant[] = [
  {
    name: "known-events-only",
    description: "Webhooks may subscribe only to events that exist.",
    hooks: refuse(
      ["POST /webhooks", "PATCH /webhooks/{id}"],
      "body",
      { at: "body.events", rule: "enum", message: "events holds an unknown name" },
      ({ body }) =>
        Array.isArray(body.events) &&
        body.events.some((name) => typeof name === "string" && !EVENT_NAMES.includes(name)),
    ),
  },
  {
    name: "masked-secrets",
    description: "Webhook secrets are never shown.",
    hooks: showItems(["POST /webhooks", "PATCH /webhooks/{id}", "GET /webhooks"], (item) => {
      const { verificationMethod } = item;
      if (!isObject(verificationMethod) || !isObject(verificationMethod.hmac256)) return item;
      return { ...item, verificationMethod: { hmac256: { secret: "********" } } };
    }),
  },
  {
    name: "metadata-merged",
    description: "An update adds to the metadata there is instead of replacing it.",
    hooks: {
      changes: (changes, ctx, record) => {
        const { metadata } = changes;
        const before = record.data.metadata;
        if (!isAt(ctx, UPDATES) || !isObject(metadata) || !isObject(before)) return changes;
        return { ...changes, metadata: { ...before, ...metadata } };
      },
    },
  },
  {
    name: "used-keys-refused",
    description: "A key that was used is refused, also with the same body.",
    hooks: refuse(
      CREATES,
      "body",
      { at: "header.Idempotency-Key", rule: "reuse", message: "this Idempotency-Key was used" },
      ({ key, service, space, operation, params }) =>
        service.keys.has(JSON.stringify([space, operation, params, key])),
    ),
  },
];
