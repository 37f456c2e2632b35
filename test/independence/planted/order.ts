/** Makes bugs that only a sequence of calls shows. Each has a short sequence that shows it. */

import { isDeepStrictEqual } from "node:util";
import type { Started } from "../service/start.ts";
import { type Bug, bug, type Edit } from "./bug.ts";

export interface OrderBug extends Bug {
  /** Sends the sequence. Returns true if the service keeps the contract, and false if the bug shows. */
  readonly kept: (api: Api) => Promise<boolean>;
}

export const PAYOUT = "GET /payouts/{id}";
export const PAYOUT_UPDATE = "PATCH /payouts/{id}";
export const OLDER = "caph.2025-06-20";
export const NEWER = "caph.2025-08-23";

/** Pieces of the service's source that several bugs replace. */
export const PAGE_OF_CODES = 'const { rows, next } = page(database, "payment_codes", filters, query);';
export const LISTED_CODES = "return list(rows.map(listed), { next });";
export const BANKS = ["GET /banks", "GET /banks/{idOrCode}"];
export const MOMOS = ["GET /momos", "GET /momos/{idOrCode}"];
export const COUNTRIES = ["GET /countries", "GET /countries/{idOrCode}"];
export const PROVIDERS = "return list(rows.map(shownProvider), { total: rows.length, next: null });";
export const SESSIONS = 'const { rows, next } = page(database, "otps", { space_id: space }, query);';
export const WEBHOOK_ADDED = 'database.insert("webhooks", row);';
export const READ_OF_PAYOUT = "async ({ space, params }) => single(shown(find(space, params.id)))";
export const PROVIDER = "return single(shownProvider(row));";
export const READ_OF_CODE = "async ({ space, params }) => single(detailed(find(space, params.id)))";
export const LIST_OF_WEBHOOKS = "async ({ space, query }) => {";
export const LISTED_WEBHOOKS = "list(rows.map(shown),";

/** Returns the time `days` days from now, in whole seconds: "2026-11-27T18:00:00Z". */
export function inDays(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`;
}

/** `breaks` has ids of requirements, separated by spaces. */
export function orderBug(
  name: string,
  breaks: string,
  at: string | readonly string[],
  kept: (api: Api) => Promise<boolean>,
  ...edits: Edit[]
): OrderBug {
  return { ...bug(name, breaks, at, ...edits), kept };
}

/** Adds a map called `memory` to the routes of a file, for other edits of the bug. */
export function remembering(file: string): Edit {
  const before = "const preHandler = inSpace(database);";
  return [file, before, `const memory = new Map(); ${before}`];
}

/** Inserts statements before and after the update of a webhook. They may use `row` and `change`. */
export function inWebhookUpdate(before: string, after = ""): Edit[] {
  const update = (change: string) =>
    `database.update("webhooks", ${change}, "space_id = ? AND id = ?", [space, id]);`;
  const both = `const row = find(space, id); const change = columns(body); ${before} ${update("change")} ${after}`;
  return [remembering("webhooks"), ["webhooks", update("columns(body)"), both]];
}

/** Inserts statements before and after the update of a payment code. They may use `row` and `change`. */
export function inCodeUpdate(before: string, after = ""): Edit[] {
  return [
    remembering("payment-codes"),
    [
      "payment-codes",
      "const change = columns(database, find(space, id), sent);",
      `const row = find(space, id); const change = columns(database, row, sent); ${before}`,
    ],
    [
      "payment-codes",
      "return single(detailed(find(space, id)));",
      `${after} return single(detailed(find(space, id)));`,
    ],
  ];
}

type Thing = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Answer {
  readonly status: number;
  readonly result: Thing;
  readonly items: readonly Thing[];
  readonly ids: readonly string[];
  readonly next: string | null;
  readonly total: unknown;
  readonly count: unknown;
}

interface Options {
  /** If null, the header is not sent. */
  token?: string | null;
  /** If null, the header is not sent. */
  space?: string | null;
  version?: string;
  key?: string;
}

export const same: (one: unknown, other: unknown) => boolean = isDeepStrictEqual;

const URL_OF_HOOKS = "https://shop.example.com/hooks/Orders?v=1";

/** Returns functions that call a running service, for the sequences of the bugs. */
export function apiOf(service: Started) {
  let number = 0;
  const fresh = (prefix: string) => `${prefix}-${++number}`;

  async function send(method: string, path: string, body: unknown, options: Options): Promise<Answer> {
    const { token = service.token, space = service.space, version, key } = options;
    const answer = await fetch(service.baseUrl + path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(version !== undefined && { "service-version": version }),
        ...(key !== undefined && { "idempotency-key": key }),
        ...(space !== null && { "service-space-id": space }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { result, pagination } = (await answer.json()) as {
      result?: Thing | Thing[];
      pagination?: { next: string | null; total?: unknown; count?: unknown };
    };
    const items = Array.isArray(result) ? result : [];
    const one = result === undefined || Array.isArray(result) ? { id: "" } : result;
    const { next = null, total, count } = pagination ?? {};
    const ids = items.map(({ id }) => id);
    return { status: answer.status, result: one, items, ids, next, total, count };
  }

  const get = (path: string, options: Options = {}) => send("GET", path, undefined, options);
  const patch = (path: string, body: unknown, options: Options = {}) => send("PATCH", path, body, options);
  const post = (path: string, body: unknown, options: Options = {}) =>
    send("POST", path, body, { key: fresh("key"), ...options });

  const addHook = (fields: object = {}, options: Options = {}) =>
    post("/webhooks", { name: fresh("Hook"), url: URL_OF_HOOKS, events: null, ...fields }, options);
  const mutable = service.fixtures.mutablePaymentCode ?? "";
  const cancellable = service.fixtures.cancellablePaymentCode ?? "";
  const payout = service.fixtures.mutablePayout ?? "";

  return {
    get,
    patch,
    post,
    /** Sends a request with the token and the space. The headers given win over these. */
    raw: (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
      fetch(service.baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${service.token}`,
          "service-space-id": service.space,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      }),
    fresh,
    addHook,
    hook: async (fields?: object, options?: Options) => (await addHook(fields, options)).result.id,
    editHook: (id: string, fields: object, options?: Options) =>
      patch(`/webhooks/${id}`, { url: URL_OF_HOOKS, ...fields }, options),
    /** The webhook as the list shows it. */
    listedHook: async (id: string, options?: Options) =>
      (await get("/webhooks?limit=50", options)).items.find((each) => each.id === id),
    account: (fields: object = {}, options?: Options) =>
      post("/v1/financial-accounts", { name: fresh("Account"), currency: "XAF", ...fields }, options),
    mutable,
    cancellable,
    editCode: (fields: object, options?: Options) => patch(`/payment-codes/${mutable}`, fields, options),
    readCode: (options?: Options) => get(`/payment-codes/${mutable}`, options),
    cancel: (options?: Options) =>
      patch(`/payment-codes/${cancellable}`, { status: "cancelled", isActive: null }, options),
    payout,
    otherPayout: service.fixtures.payout ?? "",
    editPayout: (metadata?: unknown, options?: Options) =>
      patch(`/payouts/${payout}`, metadata === undefined ? {} : { metadata }, options),
    readPayout: (options?: Options) => get(`/payouts/${payout}`, options),
    /** The ids on all pages of a list, at most 200. */
    walk: async (path: string, options?: Options) => {
      const ids: string[] = [];
      let after: string | null = "";
      while (after !== null && ids.length < 200) {
        const page: Answer = await get(`${path}${after && `&after=${after}`}`, options);
        ids.push(...page.ids);
        after = page.next;
      }
      return ids;
    },
    second: service.secondSpace,
    token: service.token,
  };
}

export type Api = ReturnType<typeof apiOf>;
