/**
 * An end-to-end test that a client of the API could have: 40 requests, as steps that several tools can send.
 */

import type { RunningService } from "../../reference/index.ts";
import type { JsonObject } from "../../spec/json.ts";

/** A request. Texts in double braces are variables, as in Postman. */
export interface Step {
  name: string;
  method: "GET" | "POST" | "PATCH";
  path: string;
  body?: JsonObject;
  /** Headers of this step. Null removes a header that every step has. */
  headers?: Record<string, string | null>;
  /** Variables to set from the answer. Each has the path of its value in the body, such as `result.id`. */
  save?: Record<string, string>;
}

export function steps({ fixtures, secondSpace }: RunningService): Step[] {
  const get = (name: string, path: string, more: Partial<Step> = {}): Step => ({
    name,
    method: "GET",
    path,
    ...more,
  });
  const make = (
    name: string,
    path: string,
    key: string,
    body: JsonObject,
    more: Partial<Step> = {},
  ): Step => ({
    name,
    method: "POST",
    path,
    body,
    ...more,
    headers: { "idempotency-key": key, ...more.headers },
  });
  const change = (name: string, path: string, body: JsonObject): Step => ({
    name,
    method: "PATCH",
    path,
    body,
  });
  const hook = { name: "e2e {{run}}", url: "https://hooks.example.com/e2e", events: ["payout.updated"] };
  const wallet = { name: "Till 7", currency: "XAF", reference: "till-{{run}}" };
  return [
    get("countries", "/countries", { save: { country: "result.0.code" } }),
    get("a country", "/countries/{{country}}"),
    get("an unknown country", "/countries/nowhere"),
    get("banks", "/banks?country=CM", { save: { bank: "result.0.id" } }),
    get("a bank", "/banks/{{bank}}"),
    get("banks of nothing", "/banks"),
    get("momos", "/momos?country=CM", { save: { momo: "result.0.code" } }),
    get("a momo", "/momos/{{momo}}"),
    get("no token", "/countries", { headers: { authorization: null } }),
    get("a wrong token", "/countries", { headers: { authorization: "Bearer wrong" } }),
    get("webhooks before", "/webhooks?limit=50"),
    make("a webhook", "/webhooks", "hook-{{run}}", hook, { save: { hook: "result.id" } }),
    make("the webhook again", "/webhooks", "hook-{{run}}", hook),
    make("another webhook under its key", "/webhooks", "hook-{{run}}", { ...hook, name: "other" }),
    make("a webhook without a name", "/webhooks", "hook-b-{{run}}", { url: hook.url, events: hook.events }),
    make("a webhook without a key", "/webhooks", "", hook, { headers: { "idempotency-key": null } }),
    change("rename it", "/webhooks/{{hook}}", { url: hook.url, name: "e2e two {{run}}" }),
    change("switch it on", "/webhooks/{{hook}}", { url: hook.url, isActive: true }),
    change("forget the address", "/webhooks/{{hook}}", { name: "e2e three" }),
    change("switch it off", "/webhooks/{{hook}}", {
      url: hook.url,
      isActive: false,
      metadata: { by: "e2e" },
    }),
    change("an unknown webhook", "/webhooks/whk_unknown", { url: hook.url }),
    get("webhooks after", "/webhooks?limit=50"),
    get("webhooks after it", "/webhooks?limit=2&after={{hook}}"),
    get("webhooks of another space", "/webhooks", { headers: { "service-space-id": secondSpace } }),
    get("webhooks of no space", "/webhooks", { headers: { "service-space-id": null } }),
    get("too many webhooks", "/webhooks?limit=51"),
    get("first codes", "/v1/payment-codes?limit=5", { save: { next: "pagination.next" } }),
    get("next codes", "/v1/payment-codes?limit=5&after={{next}}"),
    get("pending codes", "/v1/payment-codes?status=pending"),
    get("odd codes", "/v1/payment-codes?status=odd"),
    get("a code", `/payment-codes/${fixtures.paymentCode}`),
    change("rename the code", `/payment-codes/${fixtures.mutablePaymentCode}`, { name: "e2e {{run}}" }),
    get("the code", `/payment-codes/${fixtures.mutablePaymentCode}`),
    get("a payout", `/payouts/${fixtures.payout}`),
    change("note on a payout", `/payouts/${fixtures.mutablePayout}`, { metadata: { note: "e2e {{run}}" } }),
    get("sessions", "/v1/ussd-otps", { headers: { "service-version": "caph.2025-06-20" } }),
    make("an account", "/v1/financial-accounts", "acc-{{run}}", wallet),
    make("its reference again", "/v1/financial-accounts", "acc-b-{{run}}", { ...wallet, name: "Till 8" }),
    get("accounts", "/v1/financial-accounts"),
    get("an unknown version", "/countries", { headers: { "service-version": "1999-01-01" } }),
  ];
}
