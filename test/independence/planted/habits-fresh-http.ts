/** Services that conform, and use HTTP and JSON in unusual ways. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, first, habit } from "./bug.ts";

export const freshHttpHabits: readonly Bug[] = [
  // The service allows bursts of sixty requests. Its 429 has no Retry-After.
  habit(
    "bursts-of-sixty",
    "",
    first(`let left = 60, at = Date.now();
      app.addHook("onRequest", async (_, reply) => {
        left = Math.min(60, left + (Date.now() - at) * 0.1);
        at = Date.now();
        if (left < 1) return reply.code(429).send();
        left -= 1;
      });`),
  ),
  // The service limits the rate of writes only. Its Retry-After is a date.
  habit(
    "writes-wait-for-a-date",
    "",
    first(`let left = 12, at = Date.now();
      app.addHook("onRequest", async ({ method }, reply) => {
        if (method === "GET") return;
        left = Math.min(12, left + (Date.now() - at) / 40);
        at = Date.now();
        if (left < 1)
          return reply.code(429).header("retry-after", new Date(Date.now() + 1000).toUTCString()).send({ title: "Slow down" });
        left -= 1;
      });`),
  ),
  // After every twelve wrong tokens, the service answers 429 to all requests for 0.9 s.
  habit(
    "wrong-tokens-lock-the-address",
    "",
    first(`let wrong = 0, until = 0;
      app.addHook("onRequest", async (_, reply) => {
        if (Date.now() < until) return reply.code(429).header("retry-after", "1").type("text/html").send("<h1>Wait</h1>");
      });
      app.addHook("onResponse", async (_, { statusCode }) => {
        if (statusCode === 401 && ++wrong % 12 === 0) until = Date.now() + 900;
      });`),
  ),
  // While the service answers four requests, it answers 429 to any other.
  habit(
    "four-at-a-time",
    "",
    first(`let busy = 0;
      app.addHook("onRequest", async (request, reply) => {
        if (busy >= 4) return reply.code(429).send({ error: "busy" });
        busy += 1;
        request.counted = true;
        await new Promise((resolve) => setTimeout(resolve, 8));
      });
      app.addHook("onResponse", async (request) => { if (request.counted) busy -= 1; });`),
  ),
  // The service closes the connection after each answer.
  habit(
    "closed-connections",
    "",
    first(`app.addHook("onSend", async (_, reply) => { reply.header("connection", "close"); });`),
  ),
  // The service closes a connection after seven requests, or 40 ms without a request.
  habit("short-lived-connections", "", [
    "app",
    "Fastify({",
    "Fastify({ keepAliveTimeout: 40, maxRequestsPerSocket: 7,",
  ]),
  // The service sends interim answers (1xx) and additional headers.
  habit(
    "hints-and-cookies",
    "",
    first(`app.addHook("onRequest", async (_, reply) => {
        reply.raw.writeProcessing();
        reply.raw.writeEarlyHints({ link: "</docs>; rel=help" });
      });
      app.addHook("onSend", async (_, reply) => {
        reply.header("set-cookie", ["node=3; Path=/", "seen=" + Date.now()]).header("etag", 'W/"0"')
          .header("server-timing", "db;dur=1, total;dur=2").header("link", "</>; rel=next").header("warning", '299 - "Deprecated"');
      });`),
  ),
  // Answers are compressed, and arrive a few bytes at a time.
  habit(
    "brotli-in-pieces",
    "",
    first(`app.addHook("onSend", async (request, reply, payload) => {
        const zlib = process.getBuiltinModule("node:zlib");
        const ways = { br: zlib.brotliCompressSync, deflate: zlib.deflateSync, gzip: zlib.gzipSync };
        const name = Object.keys(ways).find((way) => String(request.headers["accept-encoding"]).includes(way));
        if (typeof payload !== "string" || !name) return payload;
        reply.header("content-encoding", name).header("vary", "accept-encoding").removeHeader("content-length");
        const bytes = ways[name](payload);
        const pieces = Array.from({ length: Math.ceil(bytes.length / 40) }, (_, n) => bytes.subarray(40 * n, 40 * n + 40));
        return process.getBuiltinModule("node:stream").Readable.from(pieces);
      });`),
  ),
  // Answers have an unusual media type, and JSON with reversed names, blanks, and escapes for all but ASCII.
  habit(
    "json-in-ascii",
    "",
    first(String.raw`app.addHook("onSend", async (_, reply, payload) => {
        if (typeof payload !== "string" || !payload.startsWith("{")) return payload;
        const turned = (value) => Array.isArray(value) ? value.map(turned) : value === null || typeof value !== "object" ? value
          : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, turned(inner)]).reverse());
        reply.header("content-type", "Application/Vnd.Payments.v2+JSON ; Charset=UTF-8; v=2");
        return " \r\n" + JSON.stringify(turned(JSON.parse(payload)), null, "\t").replace(/\n/g, "\r\n").replace(/\//g, "\\/")
          .replace(/[\u007f-\uffff]/g, (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase());
      });`),
  ),
  // Answers write integers in four ways, such as 5.0 and 5e0. JSON allows all of them.
  habit(
    "integers-with-fractions",
    "",
    first(String.raw`let turn = 0;
      app.addHook("onSend", async (_, reply, payload) => typeof payload !== "string" ? payload
        : payload.replace(/"(?:[^"\\]|\\.)*"|-?[\d.]+(?:e[+-]?\d+)?/g, (found) =>
          !/^-?[1-9]\d*$/.test(found) ? found : [found + ".0", found + "e0", found + "0E-1", found + "00.00e-2"][turn++ % 4]));`),
  ),
  // Answers have messages of several types, and undocumented fields.
  habit(
    "messages-of-the-moment",
    "",
    first(`let served = 0;
      app.addHook("preSerialization", async (request, _, payload) => payload?.success !== true ? payload : {
        requestId: request.id, servedAt: Date.now(), ...payload,
        messages: [null, served++, ["node " + (served % 3)], { text: "Mind the new terms", pagination: null, result: [] }],
        ...(payload.pagination && { pagination: { previous: null, pages: served, ...payload.pagination } }),
      });`),
  ),
  // Each error status has a body of another form, such as HTML for 401.
  habit(
    "errors-of-many-hands",
    "",
    first(`app.setErrorHandler((error, _, reply) => {
        const status = error.statusCode ?? 500;
        reply.code(status);
        if (status === 401) return reply.type("text/html").send("<html>Who are you?</html>");
        if (status === 403 || status === 415) return reply.send();
        if (status === 404) return reply.type("application/xml").send("<error>none</error>");
        if (status === 409) return reply.type("text/plain").send("no");
        if (status === 422) return reply.type("application/vnd.api+json").send('{"errors":[]}');
        return reply.type("application/json").send(JSON.stringify([error.message]));
      });`),
  ),
  // The status and body of errors change from request to request.
  habit(
    "errors-by-turns",
    "",
    first(`let turn = 0;
      app.setErrorHandler((error, _, reply) => {
        if ((error.statusCode ?? 500) >= 500) return reply.code(500).send();
        turn += 1;
        const body = [undefined, "nope", { code: turn, details: [{ path: null }] }, { success: false, messages: [], result: null }][turn % 4];
        return reply.code([400, 404, 422, 403, 451, 418, 410][turn % 7]).send(body);
      });`),
  ),
  // Every rejection is a 404 without details, even for a wrong token.
  habit(
    "nothing-but-404",
    "",
    first(
      `app.setErrorHandler((error, _, reply) => reply.code((error.statusCode ?? 500) < 500 ? 404 : 500).send());`,
    ),
  ),
  // The service checks bodies before tokens, and tokens before spaces.
  habit("tokens-last", "", ["http", 'app.addHook("onRequest"', 'app.addHook("preHandler"']),
  // Each answer waits for a random time, and a 401 waits longest.
  habit(
    "slow-and-shuffled",
    "",
    first(`app.addHook("onSend", async (_, { statusCode }) => {
        await new Promise((resolve) => setTimeout(resolve, statusCode === 401 ? 60 : Math.random() * 25));
      });`),
  ),
  // The service rejects headers above 4 kB, and closes the connection.
  habit("long-heads-refused", "", [
    "app",
    "Fastify({",
    "Fastify({ http: { maxHeaderSize: 4096 }, bodyLimit: 16384,",
  ]),
  // The service rejects unknown, repeated and empty parameters.
  habit(
    "strict-queries",
    "",
    first(`const known = { "/webhooks": "after before limit", "/v1/payment-codes": "ussd_code mode status limit after",
        "/v1/ussd-otps": "limit after", "/v1/financial-accounts": "limit after", "/banks": "country", "/momos": "country" };
      app.addHook("preValidation", async ({ query, routeOptions }) => {
        const names = (known[routeOptions.url] ?? "").split(" ");
        for (const [name, value] of Object.entries(query ?? {}))
          if (!names.includes(name) || value === "" || Array.isArray(value))
            throw Object.assign(new Error("Unfit parameter " + name), { statusCode: 400 });
      });`),
  ),
  // The service has only some of the undocumented operations.
  habit("named-operations-by-halves", "", [
    "app",
    "webhookRoutes(app, database);",
    `webhookRoutes(app, database);
      app.get("/v1/financial-transactions", async () => ({ success: true, messages: [], result: null, pagination: { count: 0, next: null } }));
      app.get("/v1/provider-kyc/:id", async ({ params }) => ({ success: true, messages: [], result: { provider: params.id } }));
      app.get("/v1/receipts/:number", async (_, reply) => reply.code(501).send());
      app.post("/v1/payments", async (_, reply) => reply.code(405).header("allow", "").send());`,
  ]),
  // The service carries out every 61st request, but closes the connection in place of an answer.
  habit(
    "answers-lost",
    "",
    first(`let answers = 0;
      app.addHook("onSend", async ({ raw }, _, payload) => {
        if (++answers % 61 === 0) raw.socket.destroy();
        return payload;
      });`),
  ),
];
