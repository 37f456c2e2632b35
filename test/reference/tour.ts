import type { IncomingRequest } from "../../reference/context.ts";
import { dispatch } from "../../reference/dispatch.ts";
import { isObject, type Json } from "../../reference/json.ts";
import type { OperationName } from "../../reference/operations.ts";
import { ACCESS, prepare } from "../../reference/start.ts";
import type { Kind } from "../../reference/store.ts";

/** What a stop of the tour sends beside method and path; a header set to undefined is left out. */
interface Stop {
  readonly id?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

const TOKEN = ACCESS.token;
const AUTHORIZATIONS = [
  undefined,
  "Bearer nobody",
  `Bearer ${TOKEN.toUpperCase()}`,
  `Bearer ${TOKEN.slice(0, -1)}`,
  `Bearer ${TOKEN}x`,
  "Bearer",
  `Basic ${TOKEN}`,
  TOKEN,
  `bearer ${TOKEN}`,
];
const SPACES = [
  undefined,
  "",
  "harbour",
  `x${ACCESS.space}`,
  ACCESS.space.toUpperCase(),
  `spc-${"a".repeat(61)}`,
  `spc-${"a".repeat(97)}`,
  "spc-nowhere",
  ACCESS.secondSpace,
];
const VERSIONS = ["caph.2025-06-20", "caph.2025-08-23", "caph.2020-01-01", "nothing"];

/** Headers in which a call may be wrong, or unusual: one at a time. */
const HEADERS: readonly Readonly<Record<string, string | undefined>>[] = [
  ...AUTHORIZATIONS.map((value) => ({ authorization: value })),
  ...SPACES.map((value) => ({ "service-space-id": value })),
  ...VERSIONS.map((value) => ({ "service-version": value })),
];

const ACCOUNT = JSON.stringify({ name: "Till", currency: "NGN", description: null });
const WEBHOOK = JSON.stringify({ name: "Hook", url: "https://example.com/a?b=c", events: null });
const BODIES: Partial<Record<OperationName, readonly string[]>> = {
  "POST /v1/financial-accounts": [ACCOUNT, "{", "[]"],
  "POST /webhooks": [WEBHOOK, "{", "[]"],
  "PATCH /webhooks/{id}": ['{"url":"https://example.com/d","isActive":false}', "{", "[]"],
  "PATCH /payment-codes/{id}": ["{}", '{"isActive":false}', "{", "[]"],
  "PATCH /payouts/{id}": ["{}", '{"metadata":{}}', '{"metadata":{"a":"1","b":"2"}}', "{", "[]"],
};

const LIMITS = ["", "limit=10", "limit=1", "limit=2", "limit=5", "limit=7", "limit=20", "limit=50"];
const BAD_LIMITS = [
  "limit=0",
  "limit=51",
  "limit=1000",
  "limit=99999999999999999999",
  "limit=10.5",
  "limit=abc",
];
const FILTERS = [
  "mode=recurrent",
  "status=pending",
  "mode=recurrent&status=pending",
  "mode=recurrent&status=cancelled&limit=5",
  "mode=one_time&status=cancelled",
  "ussd_code=*126*4400%23",
  "ussd_code=*126*4400",
  "ussd_code=*126*4400%23&status=expired",
  "ussd_code=nothing",
  "mode=nothing",
  "mode=oneTime",
  "status=nothing",
  "status=PENDING",
];
const ODD_IDS = ["nobody", "o'brien", "a".repeat(300), "%F0%9F%92%B8"];

/** Kinds of the resources that single reads and updates name in their path. */
const KINDS: Partial<Record<OperationName, Kind>> = {
  "GET /payment-codes/{id}": "paymentCode",
  "PATCH /payment-codes/{id}": "paymentCode",
  "GET /payouts/{id}": "payout",
  "PATCH /payouts/{id}": "payout",
  "GET /banks/{idOrCode}": "bank",
  "GET /momos/{idOrCode}": "momo",
  "GET /countries/{idOrCode}": "country",
  "PATCH /webhooks/{id}": "webhook",
  "GET /v1/provider-kyc/{providerId}": "providerKyc",
  "GET /v1/receipts/{orderNumber}": "receipt",
  "POST /v1/receipts/{orderNumber}/redeem": "receipt",
};

const QUERIES: Partial<Record<OperationName, readonly string[]>> = {
  "GET /v1/ussd-otps": [...LIMITS, ...BAD_LIMITS, "after=nobody", `after=${"a".repeat(2001)}`],
  "GET /v1/payment-codes": [
    ...LIMITS,
    ...BAD_LIMITS,
    ...FILTERS,
    "after=nobody",
    `after=${"a".repeat(2001)}`,
  ],
  "GET /webhooks": [...LIMITS, ...BAD_LIMITS, "after=nobody", `after=${"a".repeat(101)}`],
  "GET /banks": ["country=CM", "country=NG", "country=CI", "country=US", "", "country=C", "country=CMR"],
  "GET /momos": ["country=CM", "country=KE", "country=SN", "country=US", "", "country=C", "country=CMR"],
};

/** Answers a stop of an operation; gives the raw answer and next, when there is one. */
type Ask = (stop: Stop) => Promise<{ text: string; next: string | null }>;

function nextOf(body: string): string | null {
  try {
    const parsed = JSON.parse(body) as Json;
    const pagination = isObject(parsed) ? parsed.pagination : null;
    return isObject(pagination ?? undefined) && isObject(pagination) && typeof pagination.next === "string"
      ? pagination.next
      : null;
  } catch {
    return null;
  }
}

/** Follows next, at most 30 pages, and reads the second page twice. */
async function follow(ask: Ask, query: string): Promise<string[]> {
  const texts: string[] = [];
  let { text, next } = await ask({ query });
  texts.push(text);
  for (let page = 1; next !== null && page < 30; page += 1) {
    const after = `${query}${query === "" ? "" : "&"}after=${encodeURIComponent(next)}`;
    if (page === 1) texts.push((await ask({ query: after })).text);
    ({ text, next } = await ask({ query: after }));
    texts.push(text);
  }
  return texts;
}

function idsOf(
  operation: OperationName,
  records: readonly { id: string; data: { code?: Json } }[],
): string[] {
  const shown = records.slice(0, operation.startsWith("GET") ? 60 : 2);
  const codes = shown.flatMap(({ data: { code } }) => (typeof code === "string" ? [code] : []));
  const [first, second] = [shown[0]?.id ?? "none", codes[0] ?? "none"];
  const near = [first.slice(0, -1), `${first}%2Fx`, `${second}%20`, `${second}x`];
  return [...shown.map(({ id }) => id), ...codes, ...near, ...ODD_IDS];
}

/**
 * Calls an operation of a service with the given defects in many right and wrong ways, always the same ones,
 * and gives the answers, and what is stored in the end, as text. Without a network, and with the clock standing still.
 */
export async function tour(operation: OperationName, defects: readonly string[]): Promise<readonly string[]> {
  const { service } = prepare({ defects });
  Object.assign(service, { now: () => new Date("2025-12-01T10:00:00.123Z") });
  const [method = "", template = ""] = operation.split(" ");
  const bodies = BODIES[operation] ?? (method === "POST" ? ["{}"] : [undefined]);
  let sent = 0;
  const ask = async ({ id = "none", query = "", headers = {}, body }: Stop) => {
    sent += 1;
    const request: IncomingRequest = {
      method,
      path: template.replace(/\{\w+\}/, id),
      query,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "service-space-id": ACCESS.space,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(method === "POST" ? { "idempotency-key": `key-${sent}` } : {}),
        ...headers,
      },
      body: Buffer.from(body ?? ""),
      tooLarge: false,
    };
    const answer = await dispatch(service, request);
    const text = String(answer.body);
    return { text: `${answer.status} ${JSON.stringify(answer.headers)} ${text}`, next: nextOf(text) };
  };
  const texts: string[] = [];
  const kind = KINDS[operation];
  const others = [...new Set(Object.values(KINDS))].filter((other) => other !== kind);
  const elsewhere = others.flatMap((other) => service.store.all(other)[0]?.id ?? []);
  const ids = kind ? [...idsOf(operation, service.store.all(kind)), ...elsewhere] : ["none"];
  const [query = ""] = QUERIES[operation] ?? [];
  const [body] = bodies;
  for (const wrong of HEADERS)
    texts.push((await ask({ id: ids[0] ?? "none", query, headers: wrong, ...(body ? { body } : {}) })).text);
  // Under the newer version too, and in the other space, which must not find what is in the first.
  for (const id of ids)
    for (const headers of [{}, { "service-version": "caph.2025-08-23" }])
      for (const given of bodies)
        texts.push((await ask({ id, query, headers, ...(given ? { body: given } : {}) })).text);
  for (const other of QUERIES[operation] ?? []) texts.push(...(await follow(ask, other)));
  if (operation === "GET /webhooks") {
    const [first, , third, , , , seventh] = service.store.all("webhook").map(({ id }) => id);
    for (const cursors of [
      `before=${seventh}&limit=2`,
      `after=${third}&before=${first}`,
      `after=${first}&before=${third}`,
    ])
      texts.push((await ask({ query: cursors })).text);
  }
  // What a call changes may be shown by another operation only.
  if (kind) texts.push(JSON.stringify(service.store.all(kind).map(({ data }) => data)));
  return texts;
}
