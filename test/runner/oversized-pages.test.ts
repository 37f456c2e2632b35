/**
 * A list whose answer is too large to read violates the page size if the part that was read has too many
 * items.
 */

import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../reports/report.ts";
import { itemsBegun } from "../../spec/json-size.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { withServer } from "../command/targets.ts";
import { spec } from "../spec/package-spec.ts";
import { listOf, samples } from "../spec/samples.ts";
import { against } from "../suites/fakes.ts";
import { runChecks } from "../suites/run-checks.ts";

test.each([
  ['{"success":true,"messages":[1,2,3],"result":[{"a":[1,2],"b":"],["},{"a":1},{', 3],
  ['{"result":[{},{},{}],"pagination":{"count":3,"next":null}}', 3],
  ['{"messages":["result",[1,2]],"result":{"a":[1,2,3],"b":{}}}', 0],
  ['{"result":["a","b\\",,"', 2],
  ['{"result":[', 0],
  ['[{"result":[1,2,3]}]', 0],
  ["no JSON", 0],
])("in %j, %i items are counted", (text, items) => {
  expect(itemsBegun(text)).toBe(items);
});

const pageOf = (items: number) =>
  listOf(
    Array.from({ length: items }, (_, index) => ({ ...samples.Webhook, id: `wh_${index}` })),
    items,
  );

async function judged(change: Partial<Settings>): Promise<Map<string | undefined, CheckResult>> {
  const { results } = await runChecks(
    spec,
    change,
    ({ id, operation }) =>
      operation === "GET /webhooks" && /LIST-LIMIT-ACCEPTED|LIST-PAGE-MAXIMUM|LIST-LIMIT-RESPECTED/.test(id),
  );
  return new Map(results.map((result) => [result.requirements[0], result]));
}

describe("a list that answers every limit with", () => {
  const outcomes = (items: number, maxBody: number) =>
    against(
      ({ method }) => (method === "GET" ? { status: 200, body: pageOf(items) } : { status: 404, body: {} }),
      ({ baseUrl }) => judged({ baseUrl, maxBody }),
    );

  test("more items than can be read breaks the page size", async () => {
    const results = await outcomes(1_000, 64 * 1024);
    const maximum = results.get("LIST-PAGE-MAXIMUM");
    expect(maximum?.outcome).toBe("fail");
    expect(maximum?.message).toMatch(/^expected at most 50 items, got \d+ items or more/);
    expect(maximum?.evidence[0]?.response?.body).toContain("wh_0");
    expect(results.get("LIST-LIMIT-RESPECTED")?.outcome).toBe("fail");
  });

  test("more items than come in time breaks the page size", async () => {
    const begun = JSON.stringify(pageOf(100)).slice(0, -100);
    const listener: RequestListener = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write(begun);
    };
    await withServer(listener, async (baseUrl) => {
      const maximum = (await judged({ baseUrl, timeout: 300 })).get("LIST-PAGE-MAXIMUM");
      expect(maximum?.outcome).toBe("fail");
      expect(maximum?.message).toMatch(/^expected at most 50 items, got 100 items or more/);
    });
  });

  test("few items that are too large to be read breaks no rule", async () => {
    const results = await outcomes(4, 1_024);
    expect(results.get("LIST-PAGE-MAXIMUM")?.outcome).toBe("skip");
  });
});
