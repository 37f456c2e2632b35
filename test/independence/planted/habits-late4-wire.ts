/** Services that conform, with unusual gateways, limits, headers and refusals. */

import { first } from "./bug.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { open } from "./habits-late3-shown.ts";
import { late4Habit, within } from "./habits-late4-shown.ts";

export const wireHabits: readonly ShownHabit[] = [
  // Each 150th request is a 429 whose Retry-After is a date in an obsolete form: HTTP lets recipients read it.
  late4Habit(
    "waits-in-an-obsolete-form",
    "",
    async (_, see) => {
      for (let count = 0; count < 160; count++) {
        const { status, headers } = await see("GET", "/countries");
        if (status === 429 && /day, \d\d-/.test(headers.get("retry-after") ?? "")) return true;
      }
      return false;
    },
    first(`let count = 0;
      const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
      app.addHook("onRequest", async (_, reply) => {
        count += 1;
        if (count % 150) return;
        const at = new Date(Date.now() + 1000);
        const [, day, month, year, time] = at.toUTCString().split(" ");
        const date = days[at.getUTCDay()] + ", " + [day, month, year.slice(2)].join("-") + " " + time + " GMT";
        return reply.code(429).header("retry-after", date).send({ error: "Later" });
      });`),
  ),
  // A repeated create has to wait for 150 ms after the first: a 429 is never evidence.
  late4Habit(
    "replays-have-to-wait",
    "",
    async ({ addHook }) => {
      const create = () => addHook({ name: "Till" }, { key: "k-1" });
      await create();
      return (await create()).status === 429;
    },
    [
      "idempotency",
      "if (used) {",
      `const times = (database.times ??= new Map());
      const place = [request.space, operation, key].join(" ");
      if (!used) times.set(place, Date.now());
      if (used && Date.now() < times.get(place) + 150) {
        reply.header("retry-after", "1");
        throw problem(429, "TOO_SOON", "The first call has only just ended");
      }
      if (used) {`,
    ],
  ),
  // A gateway answers each 41st read with 502: it is treated like a 429, and the next call is answered.
  open(
    late4Habit(
      "a-gateway-fails-now-and-then",
      "",
      async (_, see) => {
        const answers = await Promise.all(Array.from({ length: 50 }, () => see("GET", "/countries")));
        return answers.some(({ status }) => status === 502);
      },
      first(`let reads = 0;
        app.addHook("onRequest", async ({ method }, reply) => {
          if (method === "GET" && ++reads % 41 === 0)
            return reply.code(502).type("text/html").send("<h1>502 Bad Gateway</h1>");
        });`),
    ),
  ),
  // Successes have a status line and a spelling of the type of their own: a type is JSON in any casing.
  late4Habit(
    "status-lines-and-types-of-their-own",
    "",
    async (_, see) => {
      const type = (await see("GET", "/countries")).headers.get("content-type");
      return type?.startsWith("Application/JSON") === true;
    },
    first(`app.addHook("onSend", async (_, reply) => {
        reply.raw.statusMessage = "As You Wish";
        if (reply.statusCode === 200) reply.header("content-type", 'Application/JSON;CHARSET="UTF-8";note=none');
      });`),
  ),
  // Answers are compressed in two ways by turns, and each third is not: HTTP leaves it to the server.
  late4Habit(
    "gzip-and-deflate-by-turns",
    "",
    async (_, see) => {
      const seen = new Set<string | null>();
      for (let count = 0; count < 6; count++)
        seen.add((await see("GET", "/countries")).headers.get("content-encoding"));
      return seen.has("gzip") && seen.has("deflate");
    },
    first(`const { gzipSync, deflateSync } = process.getBuiltinModule("node:zlib");
      let count = 0;
      app.addHook("onSend", async (request, reply, payload) => {
        const names = String(request.headers["accept-encoding"]);
        const turn = ++count % 3;
        const [name, pack] = turn === 1 ? ["gzip", gzipSync] : ["deflate", deflateSync];
        reply.header("vary", "Accept-Encoding");
        if (turn === 0 || typeof payload !== "string" || !names.includes(name)) return payload;
        reply.header("content-encoding", name).removeHeader("content-length");
        return pack(payload);
      });`),
  ),
  // A replay repeats the messages of the first answer and names its request: headers and messages are free.
  late4Habit(
    "replays-name-the-first-request",
    "",
    async (_, see) => {
      const body = { name: "Till", url: "https://shop.example.com/hooks/Orders?v=1", events: null };
      const create = () => see("POST", "/webhooks", { body, key: "k-1" });
      const [one, other] = [await create(), await create()];
      return other.text === one.text && one.text.includes(String(other.headers.get("x-first-request")));
    },
    [
      "idempotency",
      "const answer = create();",
      "const answer = { ...create(), messages: [{ madeBy: request.id, at: Date.now() }] };",
    ],
    [
      "idempotency",
      'reply.header("idempotent-replayed", "true");',
      `const [made] = JSON.parse(text(used.response_json)).messages;
      reply.header("x-first-request", made.madeBy);
      reply.header("age", String(Math.floor((Date.now() - made.at) / 1000)));`,
    ],
  ),
  // Refusals have the envelope of a list, with success false: bodies of errors are not shown.
  late4Habit(
    "refusals-have-the-envelope",
    "",
    async (_, see) => (await see("GET", "/payouts/none")).text.includes('"pagination"'),
    first(`app.setErrorHandler((error, _, reply) =>
        reply.code(error.statusCode ?? 500).send({
          success: false, result: null, pagination: { count: 0, total: 0, next: null },
          messages: [{ code: error.code, text: error.message, pointer: "/" + error.message.split(" ")[0] }],
        }));`),
  ),
  // After sixty updates of webhooks the day's allowance is spent, and Retry-After is a day: quotas are not shown.
  open(
    late4Habit(
      "updates-of-the-day-are-used-up",
      "",
      async (api) => {
        const id = await api.hook();
        for (let count = 0; count < 70; count++)
          if ((await api.editHook(id, { name: `Till ${count}` })).status === 429) return true;
        return false;
      },
      first(`let count = 0;
        app.addHook("preHandler", async ({ method, url }, reply) => {
          if (method !== "PATCH" || !url.startsWith("/webhooks") || ++count <= 60) return;
          return reply.code(429).header("retry-after", "86400").send({ error: "No more updates today" });
        });`),
    ),
  ),
  // The token ends during the run, and all calls are a 401 from then on: the lifetime of tokens is not shown.
  open(
    late4Habit(
      "token-ends-midway",
      "",
      ({ get }) => within(6000, async () => (await get("/countries")).status === 401),
      first(`const began = Date.now();
        app.addHook("onRequest", async (_, reply) => {
          if (Date.now() > began + 5000) return reply.code(401).send({ error: "The token has ended" });
        });`),
    ),
  ),
];
