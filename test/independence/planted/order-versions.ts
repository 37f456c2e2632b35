/** Bugs in which a call under one version changes what calls under another version do. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { ACCOUNT, CODE, CODE_UPDATE, CODES, HOOK, HOOK_UPDATE, HOOKS, OTPS } from "./bug.ts";
import {
  inCodeUpdate,
  inWebhookUpdate,
  NEWER,
  OLDER,
  type OrderBug,
  orderBug,
  PAYOUT,
  PAYOUT_UPDATE,
  remembering,
  same,
} from "./order.ts";

const VERSION = 'given["service-version"]';
const IS_OLDER = `${VERSION} === "${OLDER}"`;

export const versionOrderBugs: readonly OrderBug[] = [
  orderBug(
    "keys-kept-per-version",
    "KEY-REPLAY",
    [ACCOUNT, HOOK],
    async ({ account }) => {
      const { result } = await account({ name: "One" }, { key: "k-1" });
      const again = await account({ name: "One" }, { key: "k-1", version: OLDER });
      return again.status >= 400 || again.result.id === result.id;
    },
    [
      "idempotency",
      "const operation =",
      `const operation = (request.headers["service-version"] ?? "${NEWER}") +`,
    ],
  ),
  orderBug(
    "payout-kept-per-version",
    "UPDATE-STORED VERSION-VALUES",
    [PAYOUT_UPDATE, PAYOUT],
    async ({ readPayout, editPayout }) => {
      await readPayout({ version: OLDER });
      await editPayout({ run: "1" });
      return same((await readPayout({ version: OLDER })).result, (await readPayout()).result);
    },
    remembering("payouts"),
    [
      "payouts",
      "async ({ space, params }) => single(shown(find(space, params.id)))",
      `async ({ space, params, headers: given }) => { const name = params.id + ${VERSION}; const answer = single(shown(find(space, params.id)));
        if (!memory.has(name)) memory.set(name, answer); return memory.get(name); }`,
    ],
    [
      "payouts",
      "async ({ space, params: { id }, body: { metadata } }) => {",
      `async ({ space, params: { id }, body: { metadata }, headers: given }) => { memory.delete(id + ${VERSION});`,
    ],
  ),
  orderBug(
    "newer-update-after-an-older-drops-headers",
    "UPDATE-KEEPS",
    HOOK_UPDATE,
    async ({ hook, editHook }) => {
      const id = await hook({ customHeaders: { "X-Shop": "1" } });
      await editHook(id, { name: "Renamed" }, { version: OLDER });
      return same((await editHook(id, { isActive: true })).result.customHeaders, { "X-Shop": "1" });
    },
    [
      "webhooks",
      "async ({ space, params: { id }, body }) => {",
      "async ({ space, params: { id }, body, headers: given }) => {",
    ],
    ...inWebhookUpdate(
      `if (${IS_OLDER}) memory.set(id, true); else if (memory.delete(id)) change.headers_json ??= "{}";`,
    ),
  ),
  orderBug(
    "older-webhook-pages-kept",
    "VERSION-MEMBERS VERSION-VALUES CREATE-LISTED UPDATE-STORED",
    [HOOKS, HOOK, HOOK_UPDATE],
    async ({ get, hook }) => {
      const version = OLDER;
      await get("/webhooks?limit=50", { version });
      const id = await hook();
      return (await get("/webhooks?limit=50", { version })).ids.includes(id);
    },
    remembering("webhooks"),
    ["webhooks", "async ({ space, query }) => {", "async ({ space, query, headers: given }) => {"],
    [
      "webhooks",
      "return list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });",
      `const name = space + JSON.stringify(query); const answer = list(rows.map(shown), { total: number(total), next: more ? text(last.id) : null });
      if (!(${IS_OLDER})) return answer; if (!memory.has(name)) memory.set(name, answer); return memory.get(name);`,
    ],
  ),
  orderBug(
    "code-kept-for-newer-reads-over-older-updates",
    "UPDATE-STORED VERSION-VALUES",
    [CODE_UPDATE, CODE],
    async ({ readCode, editCode }) => {
      await readCode({ version: NEWER });
      await editCode({ name: "Renamed" }, { version: OLDER });
      return (await readCode({ version: NEWER })).result.name === "Renamed";
    },
    [
      "payment-codes",
      "async ({ space, params }) => single(detailed(find(space, params.id)))",
      `async ({ space, params, headers: given }) => { const answer = single(detailed(find(space, params.id)));
        if (${IS_OLDER}) return answer; if (!memory.has(params.id)) memory.set(params.id, answer); return memory.get(params.id); }`,
    ],
    [
      "payment-codes",
      "async ({ space, params: { id }, body: sent }) => {",
      "async ({ space, params: { id }, body: sent, headers: given }) => {",
    ],
    ...inCodeUpdate(`if (!(${IS_OLDER})) memory.delete(id);`),
  ),
  orderBug(
    "refused-version-stays-for-the-next-call",
    "VERSION-ACCEPTED READ-STABLE",
    OTPS,
    async ({ get }) => {
      await get("/v1/ussd-otps", { version: "caph.2020-01-01" });
      return (await get("/v1/ussd-otps")).status === 200;
    },
    [
      "otps",
      "querystring },",
      `querystring }, preValidation: async ({ headers: given }) => { const known = /^caph.2025-(08-23|06-20)$/.test(${VERSION} ?? "${NEWER}");
        if (!known) database.version = ${VERSION};
        else if (database.version && ${VERSION} === undefined) { ${VERSION} = database.version; database.version = ""; } },`,
    ],
  ),
  orderBug(
    "absent-version-means-the-one-before",
    "CODE-LIST-FIELDS VERSION-VALUES READ-STABLE",
    CODES,
    async ({ get }) => {
      await get("/v1/payment-codes", { version: OLDER });
      return (await get("/v1/payment-codes")).items.every(({ mode }) => mode !== "oneTime");
    },
    remembering("payment-codes"),
    ["payment-codes", "async ({ space, query }) => {", "async ({ space, query, headers: given }) => {"],
    [
      "payment-codes",
      "return list(rows.map(listed), { next });",
      `if (${VERSION}) memory.set(space, ${IS_OLDER}); const camel = !${VERSION} && memory.get(space);
      return list(rows.map((row) => ({ ...listed(row), ...(camel && row.mode === "one_time" && { mode: "oneTime" }) })), { next });`,
    ],
  ),
  orderBug(
    "references-unique-within-a-version",
    "UNIQUE-REJECTED",
    ACCOUNT,
    async ({ account }) => {
      await account({ reference: "R-1" });
      return (await account({ reference: "R-1" }, { version: OLDER })).status >= 400;
    },
    ["tables", "CREATE UNIQUE INDEX accounts_by_reference", "CREATE INDEX accounts_by_reference"],
    remembering("accounts"),
    [
      "accounts",
      "() => single(create(database, request.space, request.body))",
      `() => { const { reference } = request.body; const name = [request.space, request.headers["service-version"] ?? "${NEWER}", reference].join();
        if (reference != null && memory.has(name)) throw problem(409, "REFERENCE_TAKEN", "Another account has the reference");
        memory.set(name, true); return single(create(database, request.space, request.body)); }`,
    ],
  ),
  orderBug(
    "older-read-strips-the-kept-country",
    "COUNTRY-PRESENT READ-MATCHES-LIST READ-STABLE VERSION-FIELDS",
    "GET /countries/{idOrCode}",
    async ({ get }) => {
      await get("/countries/CM", { version: OLDER });
      await get("/countries/CM", { version: NEWER });
      return (await get("/countries/CM", { version: NEWER })).result.supportedCurrencies !== undefined;
    },
    [
      "reference-data",
      'async ({ params: { idOrCode } }) => { const row = database.first("SELECT * FROM countries',
      'async ({ params: { idOrCode }, headers: given }) => { const row = database.first("SELECT * FROM countries',
    ],
    [
      "reference-data",
      "return single(shownCountry(row));",
      `const countries = (database.countries ??= new Map()); const kept = countries.get(idOrCode) ?? shownCountry(row); countries.set(idOrCode, kept);
      const answer = single({ ...kept }); if (${IS_OLDER}) delete kept.supportedCurrencies; return answer;`,
    ],
  ),
];
