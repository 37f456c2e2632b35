/** Services that conform, as other frameworks and gateways make them. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { first } from "./bug.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { late5Habit, refusing } from "./habits-late5-shown.ts";
import { PAGE_OF_CODES } from "./order.ts";

const UNKNOWN = "/payouts/no-such-payout";

export const stackHabits: readonly ShownHabit[] = [
  // Errors have a time and a path, times have an offset, and Vary comes three times: bodies of errors are not shown.
  late5Habit(
    "as-with-spring",
    "",
    async (_, see) => (await see("GET", UNKNOWN)).text.includes('"timestamp"'),
    first(`${refusing(`return reply.code(status).send({
        timestamp: new Date().toISOString(), status, error: error.code, trace: error.stack.slice(0, 300), path: request.url,
      });`)}
      app.addHook("onSend", async (_, reply) => {
        reply.header("vary", ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"]);
        reply.header("x-content-type-options", "nosniff").header("x-xss-protection", "0").header("expires", "0");
      });`),
    ["database", ".toISOString()", '.toISOString().replace("Z", "+00:00")'],
  ),
  // Ids count up, also the same in two kinds. A faulty body is a 422, and reads have a tag: all three are left open.
  late5Habit(
    "as-with-rails",
    "",
    async ({ account, addHook }, see) => {
      const { id } = (await addHook()).result;
      const { etag } = Object.fromEntries((await see("GET", "/countries")).headers);
      return (
        /^1000\d\d$/.test(id) &&
        etag?.startsWith("W/") === true &&
        (await account({ name: 1 })).status === 422
      );
    },
    first(`const { createHash } = process.getBuiltinModule("node:crypto");
      ${refusing(`const { instancePath, message } = error.validation?.[0] ?? {};
        const errors = { [instancePath?.slice(1) || "base"]: [message ?? error.message] };
        const isOfBody = error.validationContext === "body";
        return reply.code(isOfBody ? 422 : status).send({ errors });`)}
      app.addHook("onSend", async ({ method }, reply, payload) => {
        reply.header("x-runtime", "0.0" + Math.floor(Math.random() * 1e5));
        if (method === "GET") reply.header("etag", 'W/"' + createHash("md5").update(payload ?? "").digest("hex") + '"');
      });`),
    [
      "webhooks",
      '`whk${randomBytes(9).toString("hex")}`',
      'text(database.first("SELECT coalesce(max(number), 0) + 100001 AS n FROM webhooks").n)',
    ],
    ["accounts", "id: randomUUID(),", "id: text(number(last) + 100001),"],
  ),
  // Errors are by field, and times have six digits or, on a full second, none: RFC 3339 allows any fraction.
  late5Habit(
    "as-with-django",
    "",
    async ({ get }, see) =>
      (await see("GET", UNKNOWN)).text.startsWith('{"detail":') &&
      /\.\d{6}\+00:00$/.test(String((await get("/v1/ussd-otps")).items[0]?.createTime)),
    first(
      refusing(`const { instancePath } = error.validation?.[0] ?? {};
        const body = instancePath ? { [instancePath.slice(1)]: [error.message] } : { detail: error.message };
        return reply.code(status).header("allow", "GET, POST, HEAD, OPTIONS").header("vary", "Accept, Cookie").send(body);`),
    ),
    ["database", ".toISOString()", '.toISOString().replace(".000Z", "+00:00").replace("Z", "000+00:00")'],
  ),
  // Errors have a message and a map, and all answers count down an allowance: neither is shown.
  late5Habit(
    "as-with-laravel",
    "",
    async (_, see) => Number((await see("GET", "/countries")).headers.get("x-ratelimit-remaining")) > 1000,
    first(`let left = 90_000;
      ${refusing(`const message = status === 401 ? "Unauthenticated." : "The given data was invalid.";
        return reply.code(status === 400 ? 422 : status).send({ message, errors: { field: [error.message] } });`)}
      app.addHook("onSend", async (_, reply) => {
        left -= 1;
        reply.header("x-ratelimit-limit", "90000").header("x-ratelimit-remaining", String(left));
        reply.header("set-cookie", ["XSRF-TOKEN=" + left + "; path=/", "session=" + left + "; path=/; httponly"]);
      });`),
    ["database", ".toISOString()", '.toISOString().replace("Z", "000Z")'],
  ),
  // Errors are plain texts, an empty list is null, and times have no zeros at their end: all of it is left open.
  late5Habit(
    "as-with-go",
    "",
    async ({ get }, see) => {
      const { headers } = await see("GET", UNKNOWN);
      const { text } = await see("GET", "/v1/payment-codes?ussd_code=none");
      const times = (await get("/v1/payment-codes?limit=50")).items.map(({ expireTime }) =>
        String(expireTime),
      );
      return (
        headers.get("content-type") === "text/plain; charset=utf-8" &&
        text.includes('"result":null') &&
        times.every((time) => !/\.\d*0Z$/.test(time))
      );
    },
    first(
      refusing('return reply.code(status).type("text/plain; charset=utf-8").send(error.message + "\\n");'),
    ),
    [
      "http",
      "result, pagination: { count: result.length, ...pagination },",
      "result: result.length > 0 ? result : null, pagination: { count: result.length, ...pagination },",
    ],
    ["database", ".toISOString()", '.toISOString().replace(/\\.?0*Z$/, "Z")'],
  ),
  // The database reads as many rows as the limit says and filters then: full pages are a SHOULD.
  late5Habit(
    "as-with-a-key-value-store",
    "LIST-FULL-PAGES",
    async ({ get }) => {
      const { ids, next } = await get("/v1/payment-codes?status=cancelled&limit=3");
      return ids.length < 3 && next !== null;
    },
    first(
      refusing(`const message = status === 401 ? "Missing Authentication Token" : error.message;
        return reply.code(status === 401 ? 403 : status).header("x-amzn-errortype", "ValidationException").send({ message });`),
    ),
    [
      "payment-codes",
      PAGE_OF_CODES,
      `const { rows: read, next } = page(database, "payment_codes", { space_id: space }, query);
      const wanted = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null);
      const rows = read.filter((row) => wanted.every(([column, value]) => row[column] === value));`,
    ],
  ),
];
