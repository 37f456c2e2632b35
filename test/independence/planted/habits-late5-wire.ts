/** Services that conform, with unusual types, waits, headers and connections. */

import { first } from "./bug.ts";
import type { See, ShownHabit } from "./habits-late2-shown.ts";
import { within } from "./habits-late4-shown.ts";
import { late5Habit } from "./habits-late5-shown.ts";
import { OLDER } from "./order.ts";

/** True if one of many answers is a 429 with this header. */
async function has429(see: See, name: string, value: string): Promise<boolean> {
  for (let count = 0; count < 200; count++) {
    const { status, headers } = await see("GET", "/countries");
    if (status === 429 && headers.get(name) === value) return true;
  }
  return false;
}
const headerOf = async (see: See, name: string) => (await see("GET", "/countries")).headers.get(name);

export const wireHabits: readonly ShownHabit[] = [
  // Answers have types of the vendor: any type that ends with +json is a JSON type.
  late5Habit(
    "types-of-a-vendor",
    "",
    async (_, see) => (await headerOf(see, "content-type"))?.includes("vnd.harbour") ?? false,
    first(`app.addHook("onSend", async (_, reply) => {
        const kind = reply.statusCode === 200 ? "v2" : "error";
        reply.header("content-type", "application/vnd.harbour." + kind + '+json; profile="full"');
      });`),
  ),
  // Each 70th request is a 429 that asks to wait no time at all: Retry-After may be 0.
  late5Habit(
    "waits-of-zero",
    "",
    (_, see) => has429(see, "retry-after", "0"),
    first(`let count = 0;
      app.addHook("onRequest", async (_, reply) => {
        if (++count % 70 === 0) return reply.code(429).header("retry-after", "0").send({ error: "Too many" });
      });`),
  ),
  // Each 90th request is a 429 that names the wait in the headers of a draft, and in a page: a 429 is no evidence.
  late5Habit(
    "waits-named-in-a-draft",
    "",
    (_, see) => has429(see, "ratelimit", '"default";r=0;t=1'),
    first(`let count = 0;
      app.addHook("onRequest", async (_, reply) => {
        reply.header("ratelimit-policy", '"default";q=90;w=1');
        if (++count % 90) return;
        reply.header("ratelimit", '"default";r=0;t=1');
        return reply.code(429).type("text/html").send("<h1>Too Many Requests</h1>");
      });`),
  ),
  // The older version says that it will end, in headers and messages: messages are free.
  late5Habit(
    "older-version-announces-its-end",
    "",
    async (_, see) => {
      const { headers, text } = await see("GET", "/countries", { version: OLDER });
      return headers.has("sunset") && text.includes("VERSION_ENDS");
    },
    first(`const isOlder = ({ headers }) => headers["service-version"] === "${OLDER}";
      app.addHook("preSerialization", async (request, _, payload) => isOlder(request) && payload?.success
        ? { ...payload, messages: [...payload.messages, { code: "VERSION_ENDS", on: "2027-06-20" }] } : payload);
      app.addHook("onSend", async (request, reply) => {
        if (!isOlder(request)) return;
        reply.header("deprecation", "@1782000000").header("sunset", "Sun, 20 Jun 2027 00:00:00 GMT");
        reply.header("warning", '299 - "This version will end"').header("link", '</news>; rel="sunset"');
      });`),
  ),
  // A release in the middle of the run adds fields and a header: fields that are not documented are allowed.
  late5Habit(
    "a-release-adds-fields-midway",
    "",
    ({ get }) => within(6000, async () => "links" in ((await get("/countries")).items[0] ?? {})),
    first(`const began = Date.now();
      const linked = (each) => ({ ...each, links: { self: "/" + each.id }, revision: 2 });
      app.addHook("preSerialization", async (_, reply, payload) => {
        if (Date.now() < began + 4000 || !payload?.success) return payload;
        reply.header("x-release", "2");
        const { result } = payload;
        return { ...payload, result: Array.isArray(result) ? result.map(linked) : linked(result), build: "r2" };
      });`),
  ),
  // One worker answers one request after the other: nothing is said of how long an answer takes.
  late5Habit(
    "one-request-at-a-time",
    "",
    async (_, see) => (await headerOf(see, "x-workers")) === "1",
    first(`let last = Promise.resolve();
      app.addHook("onRequest", async (request, reply) => {
        const before = last;
        last = new Promise((resolve) => { request.end = resolve; });
        setTimeout(request.end, 500).unref();
        await before;
        await new Promise((resolve) => setTimeout(resolve, 1));
        reply.header("x-workers", "1");
      });
      app.addHook("onResponse", async (request) => request.end());`),
  ),
  // Updates of one resource wait for each other, and hold it for 30 ms: they are late, and all are answered.
  late5Habit(
    "updates-of-a-resource-queue-up",
    "",
    async ({ hook, editHook }) => {
      const id = await hook();
      const began = Date.now();
      await Promise.all([1, 2, 3, 4].map((n) => editHook(id, { name: `Till ${n}` })));
      return Date.now() - began >= 110;
    },
    first(`const queues = new Map();
      app.addHook("preHandler", async ({ method, url, headers }) => {
        if (method !== "PATCH") return;
        const place = headers["service-space-id"] + url;
        const turn = (queues.get(place) ?? Promise.resolve())
          .then(() => new Promise((resolve) => setTimeout(resolve, 30)));
        queues.set(place, turn);
        await turn;
      });`),
  ),
  // Every two seconds nothing is answered for 300 ms, as when garbage is collected.
  late5Habit(
    "pauses-of-a-third-of-a-second",
    "",
    async (_, see) => within(2500, async () => Number((await headerOf(see, "x-paused")) ?? 0) > 0),
    first(`const began = Date.now();
      app.addHook("onRequest", async (_, reply) => {
        const left = 300 - ((Date.now() - began) % 2000);
        if (left <= 0) return;
        await new Promise((resolve) => setTimeout(resolve, left));
        reply.header("x-paused", String(left));
      });`),
  ),
  // A connection ends when it was idle for 20 ms: HTTP leaves it to the server.
  late5Habit(
    "idle-connections-end-at-once",
    "",
    async (_, see) => (await headerOf(see, "keep-alive")) === "timeout=0",
    first("app.server.keepAliveTimeout = 20; app.server.keepAliveTimeoutBuffer = 0;"),
  ),
  // Messages hold a trace of any values, among them null and lists: messages are an array of anything.
  late5Habit(
    "messages-are-a-trace",
    "",
    async (_, see) => (await see("GET", "/countries")).text.includes('"messages":[null,'),
    first(`let count = 0;
      app.addHook("preSerialization", async ({ id, url }, _, payload) => {
        if (!payload?.success) return payload;
        const spans = Array.from({ length: 20 }, (_, n) => [n, { span: id, ms: ++count / 7 }, [url, null, true]]);
        return { ...payload, messages: [null, "", -1, ...spans] };
      });`),
  ),
];
