/** Services that conform, with unusual values: spellings, defaults, times, data. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, type Edit, first, habit, openHabit } from "./bug.ts";

export const freshValueHabits: readonly Bug[] = [
  // References that differ only in case are equal. Empty references and currencies in lower case are allowed.
  habit(
    "references-without-case",
    "",
    ["tables", "accounts (space_id, reference)", "accounts (space_id, lower(reference))"],
    ["accounts", "sent.reference ?? null", "sent.reference || null"],
    ["accounts", 'pattern: "^[A-Z]{3}$"', 'pattern: "^[A-Za-z]{3}$"'],
    ["accounts", "const supported", "sent.currency = sent.currency.toUpperCase(); const supported"],
  ),
  // The limits of texts are in bytes, not in characters.
  habit(
    "lengths-in-bytes",
    "",
    first(`app.addHook("preHandler", async ({ body, method }) => {
        const limits = { name: 100, reference: 64, description: 150 };
        for (const [field, limit] of Object.entries(limits))
          if (method !== "GET" && typeof body?.[field] === "string" && Buffer.byteLength(body[field]) > limit)
            throw Object.assign(new Error(field + " is too long"), { statusCode: 422 });
      });`),
    ["webhooks", "maxLength: 2048", "maxLength: 255"],
  ),
  // Fields that were not sent get defaults, which the specification leaves open.
  habit(
    "defaults-for-what-is-not-sent",
    "",
    [
      "accounts",
      "reference: sent.reference ?? null",
      'reference: sent.reference === undefined ? "R-" + randomUUID() : sent.reference',
    ],
    [
      "accounts",
      "description: sent.description ?? null",
      'description: sent.description === undefined ? "" : sent.description',
    ],
    [
      "accounts",
      "JSON.stringify(sent.metadata ?? {})",
      'JSON.stringify(sent.metadata ?? { channel: "api" })',
    ],
    [
      "webhooks",
      "const row = { ...columns(request.body),",
      `const row = { api_version: request.headers["service-version"] || VERSIONS[0], emails_json: '["owner@example.com"]',
        secret: "whsec_" + id, headers_json: '{"X-Source":"payments"}', metadata_json: '{"channel":"api"}', ...columns(request.body),`,
    ],
  ),
  // The service makes a secret if none was sent, and shows it only in the first answer.
  habit(
    "secrets-shown-once",
    "",
    [
      "webhooks",
      "const row = { ...columns(request.body),",
      "const row = { secret: `whsec_${id}`, ...columns(request.body),",
    ],
    [
      "webhooks",
      "return single(shown(find(request.space, id) ?? {}));",
      `return single({ ...shown(find(request.space, id) ?? {}), ...(row.secret && { verificationMethod: { hmac256: { secret: row.secret } } }) });`,
    ],
    ["webhooks", '"*".repeat(12)', '"…" + text(row.secret).slice(-4)'],
  ),
  // A field that is sent as null gets the default of a new webhook or payment code.
  habit(
    "null-means-the-default",
    "",
    ["webhooks", 'if (typeof sent.isActive === "boolean")', "if (sent.isActive !== undefined)"],
    ["webhooks", "if (sent.apiVersion)", "if (sent.apiVersion !== undefined)"],
    [
      "webhooks",
      "if (sent.name)",
      "if (sent.name === null) change.name = new URL(sent.url).host; if (sent.name)",
    ],
    ["webhooks", "JSON.stringify([...new Set(sent.events ?? EVENTS)])", "JSON.stringify(sent.events)"],
    ["webhooks", "JSON.stringify(sent.alertEmails ?? [])", "JSON.stringify(sent.alertEmails)"],
    [
      "payment-codes",
      'if (typeof sent.name === "string") change.name = sent.name;',
      'if (sent.name !== undefined) change.name = sent.name ?? "";',
    ],
    [
      "payment-codes",
      'if (typeof sent.isActive === "boolean") change.enabled = Number(sent.isActive);',
      "change.enabled = Number(sent.isActive ?? true);",
    ],
    [
      "payment-codes",
      'isActive: { type: ["boolean", "null"], default: true }',
      'isActive: { type: ["boolean", "null"] }',
    ],
    ["payment-codes", "(sent.allowedProviders ?? [])", '(sent.allowedProviders ?? ["MTN_CM", "ORANGE_CM"])'],
  ),
  // A cancelled payment code becomes inactive, and rejects updates.
  habit(
    "cancelled-codes-rest",
    "",
    [
      "payment-codes",
      'change.status = "cancelled";',
      'change.status = "cancelled"; if (sent.isActive === undefined) change.enabled = 0;',
    ],
    [
      "payment-codes",
      "const change = columns(",
      `if (find(space, id).status === "cancelled") throw problem(423, "CANCELLED", "The code is cancelled");
      const change = columns(`,
    ],
    [
      "payment-codes",
      'isActive: { type: ["boolean", "null"], default: true }',
      'isActive: { type: ["boolean", "null"] }',
    ],
  ),
  // The service accepts only expiry times from ten minutes to three days ahead.
  habit("expiry-within-a-window", "", [
    "payment-codes",
    "at > Date.now()",
    "at > Date.now() + 600_000 && at < Date.now() + 3 * 86_400_000",
  ]),
  // The service rejects a list that names an event, alert address or provider twice.
  openHabit(
    "nothing-named-twice",
    [
      "webhooks",
      'items: { type: "string", enum: EVENTS }',
      'uniqueItems: true, items: { type: "string", enum: EVENTS }',
    ],
    ["webhooks", "maxItems: 3,", "maxItems: 3, uniqueItems: true,"],
    ["payment-codes", "maxItems: 10,", "maxItems: 10, uniqueItems: true,"],
  ),
  // The service stores header names and mail hosts in lower case, and metadata in another order.
  habit(
    "headers-in-lower-case",
    "",
    [
      "webhooks",
      "JSON.stringify(sent.customHeaders)",
      "JSON.stringify(Object.fromEntries(Object.entries(sent.customHeaders).map(([name, value]) => [name.toLowerCase(), value]).sort()))",
    ],
    [
      "webhooks",
      "JSON.stringify(sent.metadata)",
      "JSON.stringify(Object.fromEntries(Object.entries(sent.metadata).sort().reverse()))",
    ],
    [
      "webhooks",
      "JSON.stringify(sent.alertEmails ?? [])",
      "JSON.stringify((sent.alertEmails ?? []).map((mail) => mail.replace(/@.*/, (host) => host.toLowerCase())))",
    ],
  ),
  // Times are shown by turns in two zones, and with two precisions.
  habit(
    "servers-in-two-zones",
    "",
    ["database", "export const time", "let turn = 0; export const time"],
    [
      "database",
      "new Date(number(value)).toISOString()",
      `(turn++ % 2 ? new Date(number(value) + 20_700_000).toISOString().replace("Z", "000+05:45")
        : new Date(number(value)).toISOString().replace("T", "t").replace("Z", "-00:00"))`,
    ],
  ),
  // The clock of the service is three minutes ahead.
  habit(
    "clock-ahead",
    "",
    ...(["accounts", "webhooks"] as const).map(
      (file): Edit => [file, "Date.now()", "(Date.now() + 180_000)"],
    ),
    ["payment-codes", "updated_at: Date.now()", "updated_at: Date.now() + 180_000"],
    ["seed", "Date.now()", "(Date.now() + 180_000)"],
  ),
  // A request with an unknown space creates the space, which breaks only a SHOULD.
  habit("spaces-begin-with-use", "SPACE-UNKNOWN", [
    "http",
    "if (!own)",
    `const taken = database.first("SELECT 1 FROM spaces WHERE id = ?", [space]);
    if (!own && !taken) database.insert("spaces", { id: space, tenant: request.tenant });
    else if (!own)`,
  ]),
  // The service follows no SHOULD about requests: it corrects or ignores unusual values.
  habit(
    "takes-what-it-gets",
    "VERSION-UNKNOWN CURSOR-UNKNOWN CURSOR-TOO-LONG FILTER-ENUM LIST-LIMIT-REJECTED CREATE-NULL-OPTIONAL UPDATE-NULL-OPTIONAL AUTH-SCHEME-CASE",
    ["http", "enum: [...VERSIONS, null]", ""],
    ["http", "(\\S+)$/i", "(\\S+)$/"],
    ["http", 'limit = { type: "integer", minimum: 1, maximum: 50, default: 10 }', "limit = {}"],
    ["http", 'metadata = { type: "object" }', 'metadata = { type: ["object", "null"] }'],
    [
      "cursors",
      'throw problem(400, "BAD_CURSOR", "querystring/after is not a cursor of this list");',
      'return [9e15, ""];',
    ],
    ["payment-codes", 'enum: ["one_time", "recurrent", null]', ""],
    ["payment-codes", 'enum: ["pending", "cancelled", "processing", "expired", "completed", null],', ""],
    first(`app.addHook("preValidation", async ({ query, body, routeOptions }) => {
        const limit = Number.parseInt(query.limit ?? "10", 10);
        query.limit = Math.min(50, Math.max(1, Number.isNaN(limit) ? 10 : limit));
        if (typeof query.after === "string" && query.after.length > 100 && routeOptions.url === "/webhooks") delete query.after;
        for (const name of ["isActive", "apiVersion", "verificationMethod", "customHeaders", "metadata", "expireTime"])
          if (body?.[name] === null && !routeOptions.url?.includes("payouts")) delete body[name];
      });`),
  ),
  // The resources that exist before the run have unusual but allowed names, metadata and amounts.
  habit(
    "awkward-data-found",
    "",
    [
      "seed",
      "name: `Order ${5000 + n}`",
      'name: ["", " ", "\\u202e\\u0644\\u0627", "😀\\u0301\\u2028", "n".repeat(100)][n % 5]',
    ],
    [
      "seed",
      "n % 3 === 0 ? {} : { basket: `b-${n}` }",
      '{ "": null, constructor: [[], { 0: 1e-9 }], "a.b/c~d": false, basket: { ["__proto__"]: n } }',
    ],
    [
      "seed",
      '{ id: space, type: "space", metadata: {} }',
      '[...Array(60).keys()].reduce((owner, n) => ({ id: String(n), type: "", owner }), { id: space, type: "space", owner: null })',
    ],
    ["seed", "now + (5 + (n % 20)) * DAY", "n % 2 ? 253_402_300_799_000 : now + (5 + (n % 20)) * DAY"],
    first(`app.addHook("onSend", async ({ url }, _, payload) => typeof payload === "string" && url.includes("/payment-codes")
        ? payload.replace(/"value":(\\d+)/g, '"value":-900719925474099$1') : payload);`),
  ),
  // The service rejects mail addresses whose hosts do not exist.
  habit(
    "mail-hosts-looked-up",
    "",
    first(`app.addHook("preHandler", async ({ body }) => {
        if ((body?.alertEmails ?? []).some((mail) => /example|test|invalid/.test(mail)))
          throw Object.assign(new Error("The mail host does not exist"), { statusCode: 422 });
      });`),
  ),
  // Several payment codes have the same USSD code.
  habit(
    "ussd-codes-given-again",
    "",
    ["seed", "${String(2000 + n)}#`", "${String(2000 + (n % 7))} #`"],
    ["tables", "ussd_code TEXT NOT NULL UNIQUE", "ussd_code TEXT NOT NULL"],
  ),
  // Ids count from one in each space, so two spaces have the same ids.
  habit(
    "identifiers-of-a-space",
    "",
    ["seed", "`whk${digest(`${space}${n}`).slice(0, 18)}`", "`wh-${n + 1}`"],
    ["seed", "created_at: now - (40 - n) * DAY", "created_at: now - (40 - n) * DAY - space.length"],
    [
      "webhooks",
      '`whk${randomBytes(9).toString("hex")}`',
      '`wh-${database.all("SELECT 1 FROM webhooks WHERE space_id = ?", [request.space]).length + 1}`',
    ],
    [
      "tables",
      "id TEXT NOT NULL UNIQUE, space_id TEXT NOT NULL, name TEXT NOT NULL, url",
      "id TEXT NOT NULL, space_id TEXT NOT NULL, name TEXT NOT NULL, url",
    ],
    ["seed", "`${space.slice(-4)}-payout-${8100 + n}`", "`payout-${n + 1}`"],
    ["seed", "created_at: now - (n + 1) * DAY", "created_at: now - (n + 1) * DAY - space.length"],
    ["tables", "CREATE TABLE payouts ( id TEXT PRIMARY KEY", "CREATE TABLE payouts ( id TEXT"],
    [
      "seed",
      '`PC${space === SPACE ? "M" : "B"}${String(10_000 + 37 * n)}`',
      "`PC${String(10_000 + 37 * n)}`",
    ],
    ["seed", "* 7 * 60 * MINUTE", "* 7 * 60 * MINUTE - space.length"],
    ["tables", "CREATE TABLE payment_codes ( id TEXT PRIMARY KEY", "CREATE TABLE payment_codes ( id TEXT"],
  ),
];
