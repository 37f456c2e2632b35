/** Services that conform, with unusual writes, ids and secrets. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { first } from "./bug.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { late3Habit, soon } from "./habits-late3-shown.ts";

export const writeHabits: readonly ShownHabit[] = [
  // A gateway answers 504, and the service carries the write out 60 ms later unless a newer one has come.
  late3Habit(
    "timed-out-writes-done-later",
    "",
    ({ addHook, fresh, get, second: space }) =>
      soon(async () => {
        const name = fresh("Waited for");
        if ((await addHook({ name }, { space }).catch(() => undefined)) !== undefined) return false;
        const isThere = async () =>
          (await get("/webhooks?limit=50", { space })).items.some((each) => each.name === name);
        return !(await isThere()) && soon(isThere);
      }),
    first(`let writes = 0;
      const newest = new Map();
      app.addHook("preHandler", async ({ method, url, headers, body }, reply) => {
        if (method === "GET" || headers["x-later"]) return;
        const name = headers["service-space-id"] + url;
        const turn = ++writes;
        newest.set(name, turn);
        if (turn % 23) return;
        const { "content-length": _, ...kept } = headers;
        setTimeout(() => {
          if (method === "PATCH" && newest.get(name) !== turn) return;
          app.inject({ method, url, headers: { ...kept, "x-later": "yes" }, payload: JSON.stringify(body) }).catch(() => {});
        }, 60).unref();
        return reply.code(504).type("text/html").send("<h1>504 Gateway Time-out</h1>");
      });`),
  ),
  // A provider that is named twice is kept once, because it is the same provider.
  late3Habit(
    "providers-kept-once",
    "",
    async ({ editCode }) => {
      const { allowedProviders } = (await editCode({ allowedProviders: ["MTN_CM", "MTN_CM"] })).result;
      return String(allowedProviders) === "MTN_CM";
    },
    [
      "payment-codes",
      "(sent.allowedProviders ?? []).map((given) => providerCode(database, given))",
      "[...new Set((sent.allowedProviders ?? []).map((given) => providerCode(database, given)))]",
    ],
  ),
  // From the seventh new webhook on ids are UUIDs, because nothing is said of the form of ids.
  late3Habit(
    "ids-take-another-form-midway",
    "",
    async ({ hook }) => {
      const first = await hook();
      for (let count = 0; count < 6; count++) await hook();
      return first.startsWith("whk") && !(await hook()).startsWith("whk");
    },
    ["webhooks", "const shared", "let turns = 0; const shared"],
    [
      "webhooks",
      '`whk${randomBytes(9).toString("hex")}`',
      '(turns++ < 6 ? `whk${randomBytes(9).toString("hex")}` : crypto.randomUUID().toUpperCase())',
    ],
  ),
  // Unknown resources are a 404 before the token is looked at, because the order of checks is not stated.
  late3Habit(
    "unknown-before-unauthorised",
    "",
    async ({ get }) => (await get("/payouts/nothing", { token: "x" })).status === 404,
    first(`const tables = { "/payouts/:id": "payouts", "/payment-codes/:id": "payment_codes", "/webhooks/:id": "webhooks" };
      app.addHook("onRequest", async ({ routeOptions: { url }, params }, reply) => {
        const table = tables[url];
        if (table && !database.first("SELECT 1 FROM " + table + " WHERE id = ?", [params.id]))
          return reply.code(404).send({ error: "There is nothing" });
      });`),
  ),
  // A secret is shown by the create, masked by an update and left out of lists: all three are allowed.
  late3Habit(
    "secrets-shown-in-three-ways",
    "",
    async ({ addHook, editHook, listedHook }) => {
      const made = (await addHook({ verificationMethod: { hmac256: { secret: "hidden-now" } } })).result;
      const updated = (await editHook(made.id, { name: "Shown" })).result;
      return (
        JSON.stringify(made).includes('"hidden-now"') &&
        JSON.stringify(updated).includes('"•••now"') &&
        (await listedHook(made.id))?.verificationMethod === undefined
      );
    },
    ["webhooks", 'secret: "*".repeat(12)', "secret: text(row.secret)"],
    first(`app.addHook("preSerialization", async ({ method, routeOptions: { url } }, _, payload) => {
        if (!payload?.success || !url?.startsWith("/webhooks") || method === "POST") return payload;
        const masked = ({ verificationMethod: { hmac256 } = {}, ...rest }) =>
          method === "PATCH" && hmac256 ? { ...rest, verificationMethod: { hmac256: { secret: "•••" + hmac256.secret.slice(-3) } } } : rest;
        return { ...payload, result: Array.isArray(payload.result) ? payload.result.map(masked) : masked(payload.result) };
      });`),
  ),
];
