import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { spec } from "../../spec/package-spec.ts";
import { type Alter, withProxy } from "../altering-proxy.ts";
import { runChecks } from "../run-checks.ts";

const FIRST = "updates/UPDATE-KEEPS-REST PATCH /payouts/{id} status";

/**
 * Runs the check FIRST on a service whose payout has the status that `statusOf` returns for the counts of requests so
 * far. Returns outcome and message.
 */
async function withStatus(
  statusOf: (asked: { reads: number; updates: number }) => string,
): Promise<unknown[]> {
  const service = await startReference();
  const { token, space, fixtures } = service;
  const asked = { reads: 0, updates: 0 };
  const alter: Alter = (method, path, answer) => {
    if (!path.startsWith("/payouts/") || answer.status !== 200) return undefined;
    if (method === "GET") asked.reads++;
    else asked.updates++;
    const body = JSON.parse(answer.body) as { result: JsonObject };
    const result = { ...body.result, status: statusOf(asked) };
    return { ...answer, body: JSON.stringify({ ...body, result }) };
  };
  try {
    return await withProxy(service.baseUrl, alter, async (baseUrl) => {
      const settings = { baseUrl, token, space, fixtures, seed: 1, depth: "quick" as const };
      const { results } = await runChecks(spec, settings, ({ id }) => id === FIRST);
      return results.map(({ outcome, message }) => [outcome, message?.split(" (")[0]]);
    });
  } finally {
    await service.close();
  }
}

test("a status that differs from the first update on was set by it", async () => {
  const results = await withStatus(({ updates }) => (updates > 0 ? "settled" : "pending"));
  expect(results).toEqual([["fail", 'expected still status "pending", got status "settled"']]);
});

test("a status that changes between two reads without an update is no violation", async () => {
  const results = await withStatus(({ reads, updates }) =>
    updates > 0 ? "settled" : reads > 1 ? "sent" : "pending",
  );
  expect(results).toEqual([["skip", "status changes without an update, too"]]);
});

test("a status that changes with every update is changed by the updates", async () => {
  const results = await withStatus(({ updates }) => `sent ${updates} times`);
  expect(results).toEqual([["fail", expect.any(String)]]);
});

test("a status that changes with every read is no violation", async () => {
  const results = await withStatus(({ reads }) => `read ${reads} times`);
  expect(results).toEqual([["skip", expect.any(String)]]);
});
