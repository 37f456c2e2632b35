/** Services that conform, and whose reads show writes late, early or in part. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit } from "./bug.ts";
import { webhooksBy } from "./habits-fresh-lists.ts";

const ROUTES = "const preHandler = inSpace(database);";

/** Records earlier states of rows, and defines `seen` from its source: it returns the row to show for a row. */
const recorded = (file: string, seen: string): Edit => [
  file,
  ROUTES,
  `${ROUTES}
    const past = new Map();
    const record = (id, row) => past.set(id, [...(past.get(id) ?? []).slice(-40), { at: Date.now(), row }]);
    const seen = ${seen};`,
];

const codeWrite: Edit = [
  "payment-codes",
  'database.update("payment_codes", change,',
  'record(id, find(space, id)); database.update("payment_codes", change,',
];
const codeRead = (how: string): Edit => [
  "payment-codes",
  "async ({ space, params }) => single(detailed(find(space, params.id)))",
  `async ({ space, params, headers }) => single(detailed(${how}))`,
];
const hookWrites: Edit[] = [
  [
    "webhooks",
    'database.insert("webhooks", row);',
    'record(id, undefined); database.insert("webhooks", row);',
  ],
  [
    "webhooks",
    'database.update("webhooks", columns(body),',
    'columns(body); record(id, find(space, id)); database.update("webhooks", columns(body),',
  ],
];

/** Source of a function that returns the state of a row 75 ms ago. */
const AGO = `(row) => {
      const then = past.get(row.id)?.find(({ at }) => at > Date.now() - 75);
      return then ? then.row : row;
    }`;

/** Source of a function that returns a row whose columns get their new values 10 ms after each other. */
const PARTS = `(row) => {
      const shown = { ...row };
      ["metadata_json", "name", "expires_at", "url", "providers_json", "events_json", "headers_json", "emails_json"].forEach((column, n) => {
        const then = past.get(row.id)?.find(({ at, row }) => row && at > Date.now() - 10 * n);
        if (then && column in row) shown[column] = then.row[column];
      });
      return shown;
    }`;

export const viewHabits: readonly Bug[] = [
  // All reads of codes and webhooks show the state of 75 ms ago.
  habit(
    "states-of-75-ms-ago",
    "",
    recorded("payment-codes", AGO),
    codeWrite,
    codeRead("seen(find(space, params.id))"),
    ["payment-codes", "rows.map(listed)", "rows.map(seen).map(listed)"],
    recorded("webhooks", AGO),
    ...hookWrites,
    webhooksBy("a.number - b.number", { seen: "seen(row)" }),
  ),
  // After a write, reads show the new value of each field at another time, up to 70 ms late.
  habit(
    "fields-arrive-one-by-one",
    "",
    recorded("payment-codes", PARTS),
    codeWrite,
    codeRead("seen(find(space, params.id))"),
    ["payment-codes", "rows.map(listed)", "rows.map(seen).map(listed)"],
    recorded("webhooks", PARTS),
    ...hookWrites,
    webhooksBy("a.number - b.number", { seen: "seen(row)" }),
  ),
  // Reads under the older version show writes 75 ms late.
  habit(
    "older-version-reads-a-replica",
    "",
    recorded("payment-codes", AGO),
    codeWrite,
    codeRead(
      'headers["service-version"] === "caph.2025-06-20" ? seen(find(space, params.id)) : find(space, params.id)',
    ),
    recorded("webhooks", AGO),
    ...hookWrites,
    [
      "webhooks",
      "async ({ space, query }) => {",
      'async ({ space, query, headers }) => { const old = headers["service-version"] === "caph.2025-06-20";',
    ],
    webhooksBy("a.number - b.number", { seen: "(old ? seen(row) : row)" }),
  ),
  // A request without a version gets that of the request before. The specification leaves its meaning open.
  habit(
    "no-version-means-the-last-one",
    "",
    first(`let last = "caph.2025-06-20";
      app.addHook("preSerialization", async ({ headers }, reply, payload) => {
        if (!payload?.success) return payload;
        last = headers["service-version"] || last;
        const newer = last === "caph.2025-08-23";
        const more = (item) => (newer ? { receipts: [], usd: { enabled: true }, ...item } : item);
        return { ...payload, result: Array.isArray(payload.result) ? payload.result.map(more) : more(payload.result) };
      });`),
  ),
  // An answer to a write comes 45 ms after reads can show the write.
  habit(
    "answers-lag-behind-their-writes",
    "",
    first(`app.addHook("onSend", async ({ method }) => {
        if (method !== "GET") await new Promise((resolve) => setTimeout(resolve, 45));
      });`),
  ),
  // The list and the single read of a code mask its phone number differently.
  habit(
    "phones-masked-in-one-shape",
    "",
    ["payment-codes", "payingPhoneNumber: masked(text(row.phone))", "payingPhoneNumber: text(row.phone)"],
    [
      "payment-codes",
      "authorizedPhoneNumber: masked(text(row.phone))",
      'authorizedPhoneNumber: masked(text(row.phone)).replace(/\\d(?=\\d{2})/g, "*")',
    ],
  ),
  // Answers have undocumented fields of any type, with names that other resources document.
  habit(
    "fields-named-as-elsewhere",
    "",
    first(`let turn = 0;
      const more = { "/webhooks": { status: "healthy", updateTime: "a moment ago", reference: 5, balance: null, enable: "yes", expireTime: null, total: -1 },
        "/v1/financial-accounts": { status: { active: 1 }, isActive: "yes", mode: 3, amount: 0.5, url: "no url", events: null, expireTime: 0 },
        "/v1/payment-codes": { isActive: "no", allowedProviders: null, financialTarget: 0, progress: [], url: 1, country: "Cameroon", balance: [] },
        "/payment-codes/:id": { enable: "no", authorizedProviders: 7, updateTime: "today", reference: null, ownershipGraph: "none", processedPaymentData: 1, customer: [] },
        "/payouts/:id": { updateTime: "soon", name: null, expireTime: false, reference: 1.5, isActive: null, customer: 1 },
        "/v1/ussd-otps": { name: null, ussdCode: 5, updateTime: 0, reference: {}, isActive: "maybe", amount: "1 XAF" },
        "/banks": { metadata: 1, isActive: 0, currency: 5, url: null }, "/countries": { createTime: 1, metadata: null, country: 5, status: "x" } };
      app.addHook("preSerialization", async ({ routeOptions: { url } }, _, payload) => {
        const own = more[url] ?? more[url?.replace(/\\/:\\w+$/, "")];
        if (!payload?.success || !own || !payload.result) return payload;
        turn += 1;
        const item = (result) => ({ ...own, turn, ...result });
        return { ...payload, result: Array.isArray(payload.result) ? payload.result.map(item) : item(payload.result) };
      });`),
  ),
  // Operations answer with and without `/v1` in their paths.
  habit("both-paths-answer", "", [
    "app",
    "Fastify({",
    `Fastify({
      rewriteUrl: ({ url }) => url.replace(/^\\/v1(?=\\/(webhooks|banks|momos|countries|payouts|payment-codes\\/))/, "")
        .replace(/^(?=\\/(ussd-otps|financial-accounts|payment-codes)(\\?|$))/, "/v1"),`,
  ]),
];
