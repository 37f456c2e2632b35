/** A list whose answer changes after one request, and changes back after another. */

import { expect, test } from "vitest";
import type { Answer } from "../../client/target.ts";
import { type RequestPlan, requestTo } from "../../generators/request.ts";
import { History } from "../../history/history.ts";
import { violationIn } from "../../history/result.ts";
import type { Resending } from "../../runner/confirming/attempts.ts";
import { shortestHistory } from "../../runner/confirming/shortest-history.ts";
import { operationById } from "../../spec/operations.ts";
import { sameAgain } from "../../suites/reads/stable-rules.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { exchange } from "../reports/example.ts";
import { spec } from "../spec/package-spec.ts";
import { exampleSettings } from "./settings.ts";

type Query = [string, string][];

const LIST = "GET /webhooks";
const PLAIN: Query = [];
const BEFORE: Query = [["before", "w4"]];
const BOTH: Query = [
  ["before", "w4"],
  ["after", "w1"],
];
const page = (id: string) => ({
  success: true,
  messages: [],
  result: [{ id, name: id }],
  pagination: { count: 1, total: 4, next: null },
});

/**
 * Makes a history in which the list's answer changes and changes back. Returns a function that looks for the cause.
 * When requests are sent again, `shown` returns the item of the page for the queries so far, the current one last. They
 * go to `path`, since an attempt on fresh resources has other addresses.
 */
function turned(shown: (queries: readonly Query[]) => string, path = "/webhooks") {
  const [check] = sameAgain(spec, "reads").filter(({ operation }) => operation === LIST);
  if (!check) throw new Error("there is no such check");
  const past = new HistoryBuilder(spec);
  for (const [query, id] of [
    [PLAIN, "w1"],
    [BOTH, "w2"],
    [BEFORE, "w3"],
    [BOTH, "w3"],
    [PLAIN, "w1"],
    [BOTH, "w2"],
  ] as const)
    past.answers(LIST, page(id), { query: [...query] });
  const history = new History(spec, HEAD, past.entries);
  const violation = violationIn(check.verdict?.(history));
  if (!violation) throw new Error("the run shows no violation");
  const queries: Query[] = [];
  const resending: Resending = {
    history,
    target: () => {
      const again = new HistoryBuilder(spec);
      const send = async (plan: RequestPlan): Promise<Answer> => {
        const query: Query = [...plan.query].map(([name, value]) => [name, value]);
        queries.push(query);
        again.answers(LIST, page(shown(queries)), { query, url: `${path}?${new URLSearchParams(query)}` });
        return { plan, exchange: exchange(), status: 200, headers: {}, text: "", json: {} };
      };
      const [settings, pause] = [exampleSettings({}), () => Promise.resolve()];
      return {
        target: { spec, settings, send, unique: () => "pc-00000000-0001", pause },
        entries: () => again.entries,
      };
    },
    planOf: ({ request }) => ({
      ...requestTo(operationById(spec, "listWebhooks"), null),
      query: request.query,
    }),
    known: [],
  };
  return () => shortestHistory(check, violation, resending, { isUnsteady: true, isExcused: true });
}

const isBoth = (query: Query = []) => query.length === BOTH.length;

test("a read whose answer changes is a finding if it changes each time after one request, and back after another", async () => {
  for (const path of ["/webhooks", "/of-a-fresh-resource/webhooks"]) {
    const find = turned((queries) => {
      if (!isBoth(queries.at(-1))) return "w1";
      const last = queries.findLast((query) => !isBoth(query));
      return last?.[0]?.[0] === "before" ? "w3" : "w2";
    }, path);
    const shown = await find();
    expect(shown?.entries.map(({ request }) => request.query.length)).toEqual([0, 2, 2, 1, 2, 0, 2]);
    expect(shown?.violation.actual).toContain("something else once");
  }
});

test("a read whose answer changes back by itself, or at random, is no finding", async () => {
  let asked = 0;
  expect(await turned(() => (asked++ % 2 === 0 ? "w2" : "w3"))()).toBeUndefined();
  expect(await turned(() => (asked++ % 3 === 0 ? "w2" : "w3"))()).toBeUndefined();
});

test("a read whose answer changes only once is no finding", async () => {
  let asked = 0;
  expect(await turned(() => (asked++ < 2 ? "w2" : "w3"))()).toBeUndefined();
});
