/** Services that conform, and that reject or lose some requests for a while. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { type Bug, first, habit } from "./bug.ts";

export const limitHabits: readonly Bug[] = [
  // After every forty rejections, the service answers 429 for 0.4 s.
  habit(
    "refusals-slow-the-client",
    "",
    first(`let refused = 0, until = 0;
      app.addHook("onRequest", async (_, reply) => {
        if (Date.now() < until) return reply.code(429).header("retry-after", "1").send();
      });
      app.addHook("onResponse", async (_, { statusCode }) => {
        if (statusCode >= 400 && statusCode < 500 && statusCode !== 429 && ++refused % 40 === 0) until = Date.now() + 400;
      });`),
  ),
  // The service carries out every 37th write, but a gateway answers it with 504.
  habit(
    "gateway-times-out-after-the-write",
    "",
    first(`let writes = 0;
      app.addHook("onSend", async ({ method }, reply, payload) => {
        if (method === "GET" || reply.statusCode !== 200 || ++writes % 37 > 0) return payload;
        reply.code(504).type("text/html").removeHeader("content-length");
        return "<h1>504 Gateway Time-out</h1>";
      });`),
  ),
  // After every hundred writes, the service answers writes with 429 for 0.9 s.
  habit(
    "a-hundred-writes-then-a-break",
    "",
    first(`let writes = 0, until = 0;
      app.addHook("onRequest", async ({ method }, reply) => {
        if (method === "GET") return;
        if (Date.now() < until) return reply.code(429).header("retry-after", "1").send();
        if (++writes % 100 === 0) until = Date.now() + 900;
      });`),
  ),
  // The service limits the rate of requests in the second space, but not in the first.
  habit(
    "second-space-has-less",
    "",
    first(`let left = 6, at = Date.now();
      app.addHook("onRequest", async ({ headers }, reply) => {
        if (headers["service-space-id"] !== "spc-harbour-branch") return;
        left = Math.min(6, left + (Date.now() - at) / 120);
        at = Date.now();
        if (left < 1) return reply.code(429).send({ error: "this space has a smaller plan" });
        left -= 1;
      });`),
  ),
  // A resource can be updated nine times a second. Further updates are answered 429.
  habit(
    "busy-resources-have-to-wait",
    "",
    first(`const updates = new Map();
      app.addHook("preHandler", async ({ method, url }, reply) => {
        if (method !== "PATCH") return;
        const recent = (updates.get(url) ?? []).filter((at) => at > Date.now() - 1000);
        if (recent.length >= 9) return reply.code(429).header("retry-after", "1").send();
        updates.set(url, [...recent, Date.now()]);
      });`),
  ),
  // The status of a rejection changes: its own, 422 or 400, and later 409. The specification leaves it open.
  habit(
    "checks-in-another-order",
    "",
    first(`let turn = 0;
      const seen = new Map();
      app.setErrorHandler((error, { url }, reply) => {
        const status = error.statusCode ?? 500;
        if (status >= 500) return reply.code(500).send();
        seen.set(url, (seen.get(url) ?? 0) + 1);
        const now = seen.get(url) > 5 && status !== 401 ? 409 : [status, 422, 400][turn++ % 3];
        return reply.code(now).send({ error: error.message, first: seen.get(url) });
      });`),
  ),
];
