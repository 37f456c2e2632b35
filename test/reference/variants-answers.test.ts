import { once } from "node:events";
import http from "node:http";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { dispatch } from "../../reference/dispatch.ts";
import { ACCESS, prepare } from "../../reference/start.ts";
import { jsonTextVariants } from "../../reference/variants/json-text.ts";
import { rejectionVariants } from "../../reference/variants/rejections.ts";
import { responseVariants } from "../../reference/variants/responses.ts";
import { transportVariants } from "../../reference/variants/transport.ts";
import { type Observation, observeVariants } from "./observe-variants.ts";
import type { Asker } from "./variant-client.ts";

const COUNTRIES = "GET /countries";

const typeOf: Observation = async (asker) => (await asker.ask(COUNTRIES)).headers["content-type"];
const textOf: Observation = async (asker) => (await asker.ask(COUNTRIES)).text.slice(0, 200);
const fieldsOf: Observation = async (asker) => {
  const [body, item] = await Promise.all([asker.ask(COUNTRIES), asker.ask("GET /v1/payment-codes")]);
  return [Object.keys(JSON.parse(body.text)), Object.keys(item.items[0]?.amount ?? {})];
};

observeVariants([...responseVariants, ...jsonTextVariants], {
  "null-for-empty-lists": async (asker) => (await asker.ask("GET /banks?country=AQ")).text,
  "undocumented-fields": async (asker) => Object.keys((await asker.ask(COUNTRIES)).items[0]?.currency ?? {}),
  "undocumented-fields-in-one-shape": fieldsOf,
  "request-ids": fieldsOf,
  "messages-of-any-kind": async (asker) => JSON.parse((await asker.ask(COUNTRIES)).text).messages,
  "json-typed-in-capitals": typeOf,
  "vendor-json-type": typeOf,
  "json-all-escaped": textOf,
  "json-odd-integers": async (asker) =>
    /"value":-?\d+(\.|E|e)/.test((await asker.ask("GET /v1/payment-codes")).text),
  "json-names-in-any-order": textOf,
  "json-with-much-space": textOf,
});

/** Sends four requests one after the other, and returns how many connections they used. */
async function connections({ service }: Asker): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const used = new Set<Socket>();
  for (let asked = 0; asked < 4; asked += 1) {
    const request = http.get(`${service.baseUrl}/countries`, { agent });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    const { socket } = response;
    used.add(socket);
    response.resume();
    await once(response, "end");
    // The client notices only a moment after an answer that the connection was closed.
    if (!socket.destroyed) await Promise.race([once(socket, "close"), wait(40)]);
  }
  agent.destroy();
  return used.size;
}

function codingOf(coding: string): Observation {
  return async (asker) =>
    (await asker.ask(COUNTRIES, { headers: { "Accept-Encoding": coding } })).headers["content-encoding"];
}

/** Variants that answer late. Other tests cover them with a clock, so that no test here measures time. */
const SLOW = ["slow-answers", "uneven-answers"];

const framing: Observation = async (asker) => {
  const { headers, trailers } = await asker.ask(COUNTRIES);
  return [headers["content-length"] === undefined, headers["transfer-encoding"], Object.keys(trailers)];
};

const [slow, prompt] = [
  transportVariants.filter(({ name }) => SLOW.includes(name)),
  transportVariants.filter(({ name }) => !SLOW.includes(name)),
];

test.each(slow)("$name waits before it answers", async (variant) => {
  const { service } = prepare({}, variant);
  const delays: number[] = [];
  for (let asked = 0; asked < 8; asked += 1) {
    const headers = { authorization: `Bearer ${ACCESS.token}` };
    const request = { method: "GET", path: "/countries", query: "", headers, body: Buffer.alloc(0) };
    delays.push((await dispatch(service, { ...request, tooLarge: false })).delayMs);
  }
  expect(Math.max(...delays)).toBeGreaterThan(40);
  expect(Math.max(...delays)).toBeLessThanOrEqual(150);
  expect(new Set(delays).size).toBeGreaterThan(1);
});

observeVariants(prompt, {
  "compressed-answers": codingOf("gzip"),
  "deflated-answers": codingOf("deflate"),
  "brotli-answers-in-pieces": codingOf("br"),
  "answers-byte-by-byte": framing,
  "connection-closed-each-time": connections,
  "connection-closed-in-silence": connections,
  "connection-for-two-requests": connections,
  "length-by-closing": framing,
  "headers-behind-the-body": framing,
  "informational-answers-ahead": async (asker) => (await asker.ask(COUNTRIES)).ahead,
  "odd-reason-phrases": async (asker) => (await asker.ask(COUNTRIES)).reason,
  "many-headers": async (asker) => (await asker.ask(COUNTRIES)).headers["set-cookie"],
});

const refusals: Observation = async (asker) => {
  const refused = await Promise.all([
    asker.ask("GET /payouts/nobody"),
    asker.ask(COUNTRIES, { headers: { Authorization: "Bearer nobody" } }),
    asker.ask("POST /webhooks", { body: {} }),
  ]);
  return refused.map(({ status, headers, text }) => [status, headers["content-type"], text]);
};

/** Sends many requests. Returns their statuses, each with its Retry-After header. */
const limits: Observation = async ({ service }) => {
  const seen = new Set<string>();
  for (let request = 0; request < 175; request += 1) {
    const { status, headers } = await fetch(`${service.baseUrl}/countries`);
    seen.add(`${status} ${headers.get("retry-after")?.replace(/\d\d:.*/, "date")}`);
  }
  return seen;
};

observeVariants(rejectionVariants, {
  "everything-wrong-is-422": refusals,
  "foreign-is-not-found": refusals,
  "problem-details": refusals,
  "refused-without-a-word": refusals,
  "errors-in-xml": refusals,
  "errors-are-bare-json": refusals,
  "errors-claim-to-be-json": refusals,
  "rate-limit-in-seconds": limits,
  "rate-limit-with-date": limits,
  "rate-limit-in-silence": limits,
  "one-write-at-a-time": async (asker) => {
    const write = () => asker.ask(`PATCH /payouts/${asker.service.fixtures.mutablePayout}`, { body: {} });
    const together = await Promise.all([write(), write(), write()]);
    return together.map(({ status }) => status).toSorted();
  },
});
