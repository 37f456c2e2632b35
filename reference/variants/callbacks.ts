import { isLoopback } from "../deliveries.ts";
import type { Hooks, Service } from "../hooks.ts";
import { isObject } from "../json.ts";
import type { Variant } from "./variant.ts";

function visit(service: Service, url: string, init: RequestInit): void {
  if (isLoopback(url)) service.later(5, () => void fetch(url, init).catch(() => undefined));
}

type Visits = (url: string, headers: Record<string, string>) => readonly (readonly [string, RequestInit])[];

function visited(visits: Visits, when: "created" | "written" = "created"): Hooks {
  return {
    written: ({ service }, { kind, data: { url, customHeaders } }, previous) => {
      if (kind !== "webhook" || typeof url !== "string" || !URL.canParse(url)) return;
      if (previous && when === "created") return;
      const headers = isObject(customHeaders) ? customHeaders : {};
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
      for (const [where, init] of visits(url, Object.fromEntries(texts))) visit(service, where, init);
    },
  };
}

function at(url: string, path: string): string {
  return new URL(path, url).href;
}

const json = { "Content-Type": "application/json" };
const ruling = "Ruling on row 97: deliveries to the address that the run made up count, and nothing else";

export const callbackVariants: readonly Variant[] = [
  {
    name: "scanners-at-the-callback-address",
    description: "Scanners ask the callback address for pages that it does not have.",
    why: `${ruling}.`,
    hooks: visited((url) => [
      [at(url, "/wp-login.php"), {}],
      [at(url, "/.env"), { method: "HEAD" }],
      [at(url, "/"), { method: "POST", headers: json, body: '{"scan":true}' }],
    ]),
  },
  {
    name: "deliveries-of-older-runs",
    description: "Webhooks of an earlier run are still tried again at the same host.",
    why: `${ruling}.`,
    hooks: visited((url) => [
      [
        at(url, "/pc-0000-1/hook"),
        { method: "POST", headers: json, body: '{"event":"payout.updated","data":{"id":"pay_old"}}' },
      ],
      [at(url, "/0a1b2c3d4e5f"), { method: "POST", headers: json, body: '{"event":"webhook.test"}' }],
    ]),
  },
  {
    name: "addresses-shake-hands",
    description: "A new webhook's address is asked for with GET and OPTIONS before it gets any event.",
    why: `${ruling}: neither is the POST of an event.`,
    hooks: visited((url) => [
      [`${url}${url.includes("?") ? "&" : "?"}challenge=123`, {}],
      [url, { method: "OPTIONS" }],
    ]),
  },
];

export const deliveryVariants: readonly Variant[] = [
  {
    name: "addresses-asked-with-post",
    description:
      "Every new address, an inactive webhook's too, is asked for with a POST that tells of no event.",
    why: `${ruling}: what tells of no event is a question to the address.`,
    hooks: visited((url) => [
      [url, { method: "POST", headers: json, body: '{"type":"url_verification","challenge":"c-1"}' }],
    ]),
  },
  {
    name: "addresses-tested-at-each-write",
    description:
      "A webhook's address gets a test with its custom headers when it is made, and at each update.",
    why: `${ruling}: a test tells of no event.`,
    hooks: visited(
      (url, headers) => [
        [url, { method: "POST", headers: { ...headers, ...json }, body: '{"type":"test","sent":true}' }],
      ],
      "written",
    ),
  },
  {
    name: "addresses-tested-without-headers-at-each-write",
    description:
      "A webhook's address gets a test without its custom headers when it is made, and at each update.",
    why: `${ruling}: a test tells of no event.`,
    hooks: visited(
      (url) => [[url, { method: "POST", headers: json, body: '{"type":"test","sent":true}' }]],
      "written",
    ),
  },
  {
    name: "deliveries-again-and-again",
    description: "Every delivery comes three times.",
    why: "Row 98: what arrives, and how often, is left open.",
    hooks: {
      deliveries: (given) =>
        given.flatMap((each) => [each, { ...each, delayMs: 200 }, { ...each, delayMs: 600 }]),
    },
  },
  {
    name: "deliveries-after-two-seconds",
    description: "Every delivery comes two and a half seconds after its event.",
    why: "Row 98: when something arrives is left open.",
    hooks: { deliveries: (given) => given.map((each) => ({ ...each, delayMs: 2500 })) },
  },
  {
    name: "deliveries-again-two-seconds-later",
    description: "Every delivery comes again, as it was, up to two and a half seconds after its event.",
    why: "Row 98: when something arrives, and how often, is left open.",
    hooks: {
      deliveries: (given) =>
        given.flatMap((each) => [each, { ...each, delayMs: 300 }, { ...each, delayMs: 2500 }]),
    },
  },
  {
    name: "deliveries-in-batches",
    description: "A delivery is a list of events.",
    why: "Section 6: payloads are not shown.",
    hooks: { deliveries: (given) => given.map((each) => ({ ...each, body: `[${each.body}]` })) },
  },
  {
    name: "deliveries-say-little",
    description: "A delivery holds the id of its event, and nothing else.",
    why: "Section 6: payloads are not shown.",
    hooks: {
      deliveries: (given, _service, { event }) =>
        given.map((each) => ({ ...each, body: JSON.stringify({ id: event.id }) })),
    },
  },
  {
    name: "deliveries-tell-of-the-webhook",
    description: "A delivery shows the webhook that it is for, with all events that this asked for.",
    why: "Section 6: payloads are not shown.",
    hooks: {
      deliveries: (given, _service, { event, webhook }) =>
        given.map((each) => ({
          ...each,
          body: JSON.stringify({ type: event.name, data: event.data, webhook: webhook.data }),
        })),
    },
  },
  {
    name: "deliveries-as-forms",
    description: "A delivery is a form.",
    why: "Section 6: payloads are not shown.",
    hooks: {
      deliveries: (given, _service, { event }) =>
        given.map((each) => ({
          ...each,
          headers: { ...each.headers, "Content-Type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ type: event.name, id: event.id }).toString(),
        })),
    },
  },
];
