/** Services that conform, and that ask the client to wait in unusual ways. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { first } from "./bug.ts";
import { type ShownHabit, shownHabit, wait } from "./habits-late2-shown.ts";
import { OLDER } from "./order.ts";

const CODES = "/v1/payment-codes";

/** The answers to so many equal requests at the same moment, or one after another. */
const times = (count: number, ask: () => Promise<{ status: number }>) =>
  Promise.all(Array.from({ length: count }, ask));

export const limitHabits: readonly ShownHabit[] = [
  // The first call of each route starts it and gets a 429 with no time to wait: rate limits are not shown.
  shownHabit(
    "routes-wake-up-when-called",
    "",
    async (_, see) =>
      (await see("GET", "/countries")).status === 429 && (await see("GET", "/countries")).status === 200,
    first(`const awake = new Set();
      app.addHook("onRequest", async ({ method, routeOptions: { url } }, reply) => {
        if (awake.has(method + url)) return;
        awake.add(method + url);
        return reply.code(429).header("retry-after", "0").send({ error: "The route is being started" });
      });`),
  ),
  // A list costs as much as its limit, and Retry-After is a date that has just passed: rate limits are not shown.
  shownHabit(
    "reads-cost-their-limit",
    "",
    async (_, see) => {
      const answers = await times(24, () => see("GET", `${CODES}?limit=50`));
      return answers.some(({ status }) => status === 429);
    },
    first(`let left = 150, at = Date.now();
      const lists = ["/v1/payment-codes", "/v1/ussd-otps", "/webhooks"];
      app.addHook("onRequest", async ({ method, query, routeOptions: { url } }, reply) => {
        if (method !== "GET" || !lists.includes(url)) return;
        left = Math.min(150, left + (Date.now() - at) * 0.6);
        at = Date.now();
        const cost = Math.min(50, Math.max(1, Number(query.limit) || 10));
        if (left < cost) return reply.code(429).header("retry-after", new Date().toUTCString()).send({ cost, left });
        left -= cost;
      });`),
  ),
  // The older version has a smaller allowance than the newer one, because rate limits are not shown.
  shownHabit(
    "older-version-has-less",
    "",
    async (_, see) => {
      const older = await times(40, () => see("GET", "/countries", { version: OLDER }));
      const newer = await times(40, () => see("GET", "/countries"));
      return older.some(({ status }) => status === 429) && newer.every(({ status }) => status === 200);
    },
    first(`let left = 12, at = Date.now();
      app.addHook("onRequest", async ({ headers }, reply) => {
        if (headers["service-version"] !== "caph.2025-06-20") return;
        left = Math.min(12, left + (Date.now() - at) / 15);
        at = Date.now();
        if (left < 1) return reply.code(429).header("retry-after", "1").send({ error: "Please use the newer version" });
        left -= 1;
      });`),
  ),
  // A space takes one write at a time and tells others when to come again: statuses of rejections are not shown.
  shownHabit(
    "one-write-a-space",
    "",
    async ({ addHook }) => {
      const answers = await times(2, () => addHook());
      return answers.filter(({ status }) => status === 423).length === 1;
    },
    first(`const busy = new Set();
      app.addHook("preHandler", async (request, reply) => {
        const space = request.headers["service-space-id"];
        if (request.method === "GET") return;
        if (busy.has(space))
          return reply.code(423).header("retry-after", "1").send({ error: "Another write of the space is under way" });
        busy.add(space);
        request.held = space;
        ${wait(12)}
      });
      app.addHook("onSend", async ({ held }) => { if (held) busy.delete(held); });`),
  ),
  // After a rejected update, a resource takes no other one for a moment: rate limits are not shown.
  shownHabit(
    "refused-updates-rest-a-moment",
    "",
    async ({ hook, editHook }) => {
      const id = await hook();
      await editHook(id, { name: "" });
      return (await editHook(id, {})).status === 429;
    },
    first(`const until = new Map();
      app.addHook("onRequest", async ({ method, url }, reply) => {
        if (method === "PATCH" && until.get(url) > Date.now()) return reply.code(429).send({ error: "Slowly, please" });
      });
      app.addHook("onSend", async ({ method, url }, { statusCode }) => {
        if (method === "PATCH" && statusCode >= 400 && statusCode !== 429) until.set(url, Date.now() + 60);
      });`),
  ),
  // In 300 ms of each three seconds, the service rejects writes with a Retry-After.
  shownHabit(
    "read-only-for-a-moment",
    "",
    async ({ addHook }) => {
      for (const end = Date.now() + 3200; Date.now() < end; ) {
        if ((await addHook()).status === 503) return true;
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      return false;
    },
    first(`const began = Date.now();
      app.addHook("onRequest", async ({ method }, reply) => {
        if (method !== "GET" && (Date.now() - began) % 3000 > 2700)
          return reply.code(503).header("retry-after", "1").send({ error: "Only reads for a moment" });
      });`),
  ),
  // The token may only read in the second space, because the scopes of tokens are not shown.
  {
    ...shownHabit(
      "second-space-only-reads",
      "",
      async ({ addHook, second }) => (await addHook({}, { space: second })).status === 403,
      first(`app.addHook("preHandler", async ({ method, headers }, reply) => {
          if (method !== "GET" && headers["service-space-id"] === "spc-harbour-branch")
            return reply.code(403).send({ error: "The token may only read in this space" });
        });`),
    ),
    leavesOpen: true,
  },
];
