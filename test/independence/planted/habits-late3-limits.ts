/** Services that conform, with unusual limits of rates, quotas and connections. */

import { first } from "./bug.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { late3Habit, open, soon } from "./habits-late3-shown.ts";

export const limitHabits: readonly ShownHabit[] = [
  // A space may create twelve resources of a kind in each 1.5 s, because quotas are not shown.
  open(
    late3Habit(
      "creations-in-windows",
      "",
      async ({ addHook }) => {
        const answers = await Promise.all(Array.from({ length: 30 }, () => addHook()));
        return (
          answers.some(({ status }) => status === 403) && soon(async () => (await addHook()).status === 200)
        );
      },
      first(`const made = new Map();
        app.addHook("preHandler", async ({ method, url, headers }, reply) => {
          if (method !== "POST") return;
          const name = [headers["service-space-id"], url, Math.floor(Date.now() / 1500)].join();
          made.set(name, (made.get(name) ?? 0) + 1);
          if (made.get(name) > 12) return reply.code(403).send({ error: "QUOTA", message: "Enough for now" });
        });`),
    ),
  ),
  // A connection carries twenty-five requests, and any more are answered 429 with nothing to wait for.
  late3Habit(
    "connections-wear-out",
    "",
    async (_, see) => {
      for (let count = 0; count < 60; count++) {
        const { status, headers } = await see("GET", "/countries");
        if (status === 429 && headers.get("connection") === "close") return true;
      }
      return false;
    },
    first(`const counts = new WeakMap();
      app.addHook("onRequest", async ({ raw }, reply) => {
        counts.set(raw.socket, (counts.get(raw.socket) ?? 0) + 1);
        if (counts.get(raw.socket) > 25)
          return reply.code(429).header("retry-after", "0").header("connection", "close").send({ error: "Connect again" });
      });`),
  ),
  // At most three lists are read at once, and any more are answered 503 by a gateway.
  late3Habit(
    "three-lists-at-once",
    "",
    async (_, see) => {
      const answers = await Promise.all(Array.from({ length: 24 }, () => see("GET", "/webhooks")));
      return answers.some(({ status }) => status === 503);
    },
    first(`let busy = 0;
      const lists = ["/v1/payment-codes", "/v1/ussd-otps", "/webhooks"];
      app.addHook("onRequest", async (request, reply) => {
        if (request.method !== "GET" || !lists.includes(request.routeOptions.url)) return;
        if (busy >= 3) return reply.code(503).type("text/html").send("<h1>Service Unavailable</h1>");
        busy += 1;
        request.counted = true;
        await new Promise((resolve) => setTimeout(resolve, 8));
      });
      app.addHook("onResponse", async ({ counted }) => { if (counted) busy -= 1; });`),
  ),
  // After a burst the client has to be silent, and each call meanwhile makes the wait longer.
  open(
    late3Habit(
      "waits-grow-with-each-call",
      "",
      async (_, see) => {
        const answers = await Promise.all(Array.from({ length: 200 }, () => see("GET", "/countries")));
        const last = answers.find(({ status }) => status === 429);
        return last?.headers.get("retry-after") === "1";
      },
      first(`let left = 60, at = Date.now(), until = 0;
      app.addHook("onRequest", async (_, reply) => {
        const now = Date.now();
        left = Math.min(60, left + (now - at) * 0.15);
        at = now;
        if (now < until) until = Math.min(now + 900, until + 40);
        else if (left < 1) until = now + 250;
        else { left -= 1; return; }
        return reply.code(429).header("retry-after", "1").send({ error: "Be silent until " + until });
      });`),
    ),
  ),
  // The second space is closed during the run, and answers 403 to everything from then on.
  open(
    late3Habit(
      "second-space-is-closed",
      "",
      async ({ get, second }) => {
        for (const end = Date.now() + 5000; Date.now() < end; ) {
          if ((await get("/webhooks", { space: second })).status === 403) return true;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return false;
      },
      first(`const began = Date.now();
        app.addHook("preHandler", async ({ headers }, reply) => {
          if (Date.now() > began + 4000 && headers["service-space-id"] === "spc-harbour-branch")
            return reply.code(403).send({ error: "The space is closed" });
        });`),
    ),
  ),
  // From some moment on the service accepts no writes, because its database is being moved.
  open(
    late3Habit(
      "writes-are-frozen-midway",
      "",
      async ({ addHook }) => {
        for (const end = Date.now() + 6000; Date.now() < end; ) {
          if ((await addHook()).status === 403) return true;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return false;
      },
      first(`const began = Date.now();
        app.addHook("preHandler", async ({ method }, reply) => {
          if (Date.now() > began + 5000 && method !== "GET")
            return reply.code(403).send({ error: "No writes until tomorrow" });
        });`),
    ),
  ),
];
