/** A read whose answer differs if it is the second request on a connection. */

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

const LIST = "GET /webhooks";
const page = (name: string) => ({
  success: true,
  messages: [],
  result: [{ id: "w1", name }],
  pagination: { count: 1, total: 1, next: null },
});

/** Sends reads again whose names differed. `nameOf` gets the number of the read on its connection, and in all. */
function differing(nameOf: (onConnection: number, inAll: number) => string) {
  const [check] = sameAgain(spec, "reads").filter(({ operation }) => operation === LIST);
  if (!check) throw new Error("there is no such check");
  const past = new HistoryBuilder(spec);
  for (const name of ["a", "b", "a", "a"]) past.answers(LIST, page(name), {});
  const history = new History(spec, HEAD, past.entries);
  const violation = violationIn(check.verdict?.(history));
  if (!violation) throw new Error("the run shows no violation");
  const onConnection = new Map<string | undefined, number>();
  let inAll = 0;
  const resending: Resending = {
    history,
    target: () => {
      const again = new HistoryBuilder(spec);
      const send = async (plan: RequestPlan): Promise<Answer> => {
        const number = (onConnection.get(plan.sequence) ?? 0) + 1;
        onConnection.set(plan.sequence, number);
        again.answers(LIST, page(nameOf(number, ++inAll)), {});
        return { plan, exchange: exchange(), status: 200, headers: {}, text: "", json: {} };
      };
      const [settings, pause] = [exampleSettings({}), () => Promise.resolve()];
      return {
        target: { spec, settings, send, unique: () => "pc-00000000-0001", pause },
        entries: () => again.entries,
      };
    },
    planOf: () => requestTo(operationById(spec, "listWebhooks"), null),
    known: [],
  };
  return shortestHistory(check, violation, resending, { isUnsteady: true, isExcused: true });
}

test("is a finding if the second read on each connection differs in the same way", async () => {
  const shown = await differing((onConnection) => (onConnection === 2 ? "b" : "a"));
  expect(shown?.violation.actual).toContain("something else once");
});

test("is no finding if the reads alternate, whatever the connection", async () => {
  expect(await differing((_, inAll) => (inAll % 2 === 0 ? "b" : "a"))).toBeUndefined();
});

test("is no finding if the second read shows another value each time", async () => {
  const shown = await differing((onConnection, inAll) => (onConnection === 2 ? `b${inAll}` : "a"));
  expect(shown).toBeUndefined();
});
