import { deliveryBody, deliveryOf } from "../deliveries.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { Delivery, ServiceEvent } from "../messages.ts";
import { ALWAYS, across } from "../operators/operator.ts";
import type { StoredRecord } from "../store.ts";
import type { Defect } from "./defect.ts";

type Headers = Readonly<Record<string, string>>;

function customOf({ data }: StoredRecord): string[] {
  return isObject(data.customHeaders) ? Object.keys(data.customHeaders) : [];
}

const headers = (change: (headers: Headers, custom: readonly string[]) => Headers) => (): Hooks => ({
  deliveries: (deliveries, _service, { webhook }) =>
    deliveries.map(
      (delivery): Delivery => ({ ...delivery, headers: change(delivery.headers, customOf(webhook)) }),
    ),
});
const without = (sent: Headers, names: readonly string[]) =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));

const FAULTS: Readonly<Record<string, readonly [does: string, hooks: () => Hooks]>> = {
  "delivery-without-headers": [
    "deliveries lack the custom headers",
    headers((sent, custom) => without(sent, custom)),
  ],
  "delivery-without-last-header": [
    "deliveries lack the last custom header",
    headers((sent, custom) => without(sent, custom.slice(-1))),
  ],
  "delivery-headers-lower-cased": [
    "deliveries have the custom headers in lower case",
    headers((sent, custom) => ({
      ...sent,
      ...Object.fromEntries(custom.map((name) => [name, (sent[name] ?? "").toLowerCase()])),
    })),
  ],
  "delivery-headers-prefixed": [
    "deliveries have the custom headers under other names",
    headers((sent, custom) => ({
      ...without(sent, custom),
      ...Object.fromEntries(custom.map((name) => [`X-Custom-${name}`, sent[name] ?? ""])),
    })),
  ],
  "delivery-headers-empty": [
    "deliveries have the custom headers without values",
    headers((sent, custom) => ({ ...sent, ...Object.fromEntries(custom.map((name) => [name, ""])) })),
  ],
};

const delivering = (isMeant: (webhook: StoredRecord, event: ServiceEvent) => boolean) => (): Hooks => ({
  deliveries: (deliveries, _service, { event, webhook }) => {
    const headers = { "Content-Type": "application/json" };
    const extra = { url: String(webhook.data.url), headers, body: deliveryBody(event), delayMs: 0 };
    return deliveries.length === 0 && webhook.space === event.space && isMeant(webhook, event)
      ? [extra]
      : deliveries;
  },
});

const outOfDate = (late: (first: JsonObject, now: JsonObject) => JsonObject) => (): Hooks => {
  const first = new Map<string, JsonObject>();
  return {
    // Only updates come here, so the first `previous` has the created data.
    written: (_ctx, { kind, id, data }, previous) => {
      if (kind === "webhook" && !first.has(id)) first.set(id, previous?.data ?? data);
    },
    deliveries: (_deliveries, _service, { event, webhook }) => {
      const data = { ...webhook.data, ...late(first.get(webhook.id) ?? webhook.data, webhook.data) };
      const delivery = deliveryOf({ ...webhook, data }, event);
      return delivery ? [delivery] : [];
    },
  };
};

function onceActive(): Hooks {
  const active = new Set<string>();
  return {
    written: (_ctx, { kind, id, data }) => {
      if (kind === "webhook" && data.isActive === true) active.add(id);
    },
    deliveries: (deliveries, _service, { event, webhook }) => {
      if (!active.has(webhook.id)) return deliveries;
      const delivery = deliveryOf({ ...webhook, data: { ...webhook.data, isActive: true } }, event);
      return delivery ? [delivery] : [];
    },
  };
}

export const deliveryDefects: readonly Defect[] = [
  ...Object.entries(FAULTS).flatMap(([name, [does, hooks]]) =>
    across(name, ["POST /webhooks"], ALWAYS, { breaks: ["DELIVERY-HEADERS"], does, hooks }),
  ),
  ...across("delivery-to-inactive", ["POST /webhooks"], ALWAYS, {
    breaks: ["DELIVERY-INACTIVE"],
    does: "inactive webhooks get deliveries",
    hooks: delivering(({ data }) => data.isActive !== true),
  }),
  ...across("delivery-of-every-event", ["POST /webhooks"], ALWAYS, {
    breaks: ["DELIVERY-SUBSCRIBED"],
    does: "a webhook gets every event, whatever it asked for",
    hooks: delivering(({ data }) => data.isActive === true),
  }),
  ...across("delivery-of-first-events", ["PATCH /webhooks/{id}"], ALWAYS, {
    breaks: ["DELIVERY-SUBSCRIBED"],
    does: "a webhook gets the events that it was made with, whatever an update says",
    hooks: outOfDate(({ events = null }) => ({ events })),
  }),
  ...across("delivery-to-first-address", ["PATCH /webhooks/{id}"], ALWAYS, {
    breaks: ["DELIVERY-SUBSCRIBED"],
    does: "a webhook's deliveries go to the address that it was made with, whatever an update says",
    hooks: outOfDate(({ url = null }) => ({ url })),
  }),
  ...across("delivery-to-both-addresses", ["PATCH /webhooks/{id}"], ALWAYS, {
    breaks: ["DELIVERY-SUBSCRIBED"],
    does: "a webhook's deliveries go to the address that it was made with, too, after an update of it",
    hooks: () => {
      const { written, deliveries } = outOfDate(({ url = null }) => ({ url }))();
      return {
        ...(written ? { written } : {}),
        deliveries: (given, service, about) => [...given, ...(deliveries?.(given, service, about) ?? [])],
      };
    },
  }),
  ...across("delivery-with-first-headers", ["PATCH /webhooks/{id}"], ALWAYS, {
    breaks: ["DELIVERY-HEADERS"],
    does: "deliveries have the custom headers that the webhook was made with, whatever an update says",
    hooks: outOfDate(({ customHeaders = {} }) => ({ customHeaders })),
  }),
  ...across("delivery-once-active", ["PATCH /webhooks/{id}"], ALWAYS, {
    breaks: ["DELIVERY-INACTIVE"],
    does: "a webhook that an update made inactive gets deliveries on",
    hooks: onceActive,
  }),
];
