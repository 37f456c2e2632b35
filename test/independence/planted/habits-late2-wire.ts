/** Services that conform, with unusual bodies, headers and rejections on the wire. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import { first } from "./bug.ts";
import { type ShownHabit, shownHabit } from "./habits-late2-shown.ts";

const UNKNOWN_CODE = "/payment-codes/nothing";

export const wireHabits: readonly ShownHabit[] = [
  // No body has a length or chunks, so it ends with the connection, as HTTP allows.
  shownHabit(
    "bodies-end-with-the-connection",
    "",
    async (_, see) => {
      const { headers } = await see("GET", "/countries");
      return headers.get("content-length") === null && headers.get("transfer-encoding") === null;
    },
    first(`app.addHook("onSend", async (_, reply, payload) => {
        reply.removeHeader("content-length");
        reply.raw.useChunkedEncodingByDefault = false;
        reply.raw.shouldKeepAlive = false;
        return process.getBuiltinModule("node:stream").Readable.from([Buffer.from(payload ?? "")]);
      });`),
  ),
  // Successes have trailers behind the body, because the specification names no headers of answers.
  shownHabit(
    "trailers-after-the-body",
    "",
    async (_, see) => (await see("GET", "/countries")).headers.get("trailer") !== null,
    first(`app.addHook("onSend", async (_, reply) => {
        if (reply.statusCode !== 200) return;
        reply.trailer("server-timing", async () => "db;dur=3");
        reply.trailer("x-body-length", async (_, payload) => String(payload?.length ?? 0));
      });`),
  ),
  // Blanks keep the connection busy until the answer is known, and JSON allows blanks before a value.
  shownHabit(
    "blanks-until-the-answer",
    "",
    async (_, see) => (await see("GET", "/countries")).text.startsWith("\n\t\n\t"),
    first(`app.addHook("onSend", async (_, reply, payload) => {
        if (reply.statusCode !== 200 || typeof payload !== "string") return payload;
        reply.removeHeader("content-length");
        return process.getBuiltinModule("node:stream").Readable.from((async function* () {
          for (let n = 0; n < 3; n++) {
            yield Buffer.from("\\n\\t");
            await new Promise((resolve) => setTimeout(resolve, 6));
          }
          yield Buffer.from(payload + "\\n");
        })());
      });`),
  ),
  // Each rejection closes the connection, and no success does: how connections are kept is not stated.
  shownHabit(
    "refusals-end-the-connection",
    "",
    async (_, see) => (await see("GET", UNKNOWN_CODE)).headers.get("connection") === "close",
    first(`app.addHook("onSend", async (_, reply) => {
        if (reply.statusCode >= 400) reply.header("connection", "close");
      });`),
  ),
  // Rejections have statuses that no register lists, because statuses other than 200 are not shown.
  shownHabit(
    "refusals-of-own-statuses",
    "",
    async (_, see) =>
      (await see("GET", UNKNOWN_CODE)).status === 470 &&
      (await see("GET", "/countries", { token: "x" })).status === 498,
    first(`const own = { 401: 498, 403: 461, 404: 470, 409: 460, 422: 452 };
      app.setErrorHandler((error, _, reply) => {
        const status = error.statusCode ?? 500;
        reply.raw.statusMessage = "";
        return reply.code(status >= 500 ? 500 : (own[status] ?? 455)).send({ reason: error.code ?? "UNFIT" });
      });`),
  ),
  // Rejections announce JSON and have no body, because error bodies are not shown.
  shownHabit(
    "refusals-announce-json-and-send-nothing",
    "",
    async (_, see) => {
      const { headers, text } = await see("GET", UNKNOWN_CODE);
      return /json/.test(headers.get("content-type") ?? "") && text === "";
    },
    first(`app.setErrorHandler((error, _, reply) =>
        reply.code(error.statusCode ?? 500).type("application/json; charset=utf-8").send(""));`),
  ),
  // Rejections repeat the path, query and body of the request, because error bodies are not shown.
  shownHabit(
    "refusals-repeat-the-request",
    "",
    async (_, see) => {
      const body = { name: "Echo", currency: "never" };
      const { text } = await see("POST", "/v1/financial-accounts", { body, key: "echo-1" });
      return text.includes('"name":"Echo"');
    },
    first(`app.setErrorHandler((error, { method, url, params, query, body }, reply) => {
        const request = { method, url, params, query, body };
        return reply.code(error.statusCode ?? 500).send({ success: false, messages: [error.message], request });
      });`),
  ),
  // Answers have an older envelope beside the documented one, because undocumented fields are allowed.
  shownHabit(
    "envelope-of-two-generations",
    "",
    async (_, see) => (await see("GET", "/countries")).text.includes('"data":[{'),
    first(`app.addHook("preSerialization", async (_, reply, payload) => payload?.success !== true ? payload : {
        status: "OK", code: 0, error: null, errors: null, data: payload.result, count: -1, total: null, next: "none",
        meta: { pagination: payload.pagination ?? null, success: false }, ...payload,
      });`),
  ),
  // Each answer says that the allowance is spent and no call is rejected: such headers are not described.
  shownHabit(
    "allowance-said-to-be-spent",
    "",
    async (_, see) => (await see("GET", "/countries")).headers.get("x-ratelimit-remaining") === "0",
    first(`app.addHook("onSend", async (_, reply) => {
        reply.header("x-ratelimit-limit", "1").header("x-ratelimit-remaining", "0")
          .header("x-ratelimit-reset", String(Math.ceil(Date.now() / 1000) + 3600))
          .header("ratelimit-policy", '"day";q=1;w=86400').header("ratelimit", '"day";r=0;t=3600');
      });`),
  ),
];
