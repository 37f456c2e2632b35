/** Runs checks that a test defines, against a service that a test defines. */

import type { Check } from "../../client/check.ts";
import type { CheckTarget, Target } from "../../client/target.ts";
import type { RuleResult, Violation } from "../../history/result.ts";
import type { CheckResult } from "../../reports/report.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { exampleCheck, HELD } from "../runner/example.ts";
import { spec } from "../spec/package-spec.ts";
import { tryChecks } from "./run-checks.ts";
import { type Asked, type TinyAnswer, type TinyServer, tinyServer } from "./tiny-server.ts";

type Run = (target: CheckTarget) => Promise<RuleResult | undefined> | Promise<void>;

/** A check that calls `run`, and holds unless that returns a result. By default it is about LIST-COUNT at GET /webhooks. */
export function checkThat(run: Run, change: Partial<Check> = {}): Check {
  return exampleCheck("test/LIST-COUNT GET /webhooks", {
    ...change,
    run: async (target) => (await run(target)) ?? HELD,
  });
}

/** A violation that the latest exchange shows. */
export function violated(
  target: Target,
  expected: string,
  actual: string,
  certainty: Violation["certainty"] = "suspected",
): RuleResult {
  const shownBy = target
    .history()
    .entries.slice(-1)
    .map((entry) => ({ entry }));
  return { outcome: "violated", violations: [{ certainty, expected, actual, shownBy }] };
}

/** Starts a service with these answers, passes it to `work`, and closes it afterwards. */
export async function against<T>(
  answer: (asked: Asked) => TinyAnswer | Promise<TinyAnswer>,
  work: (server: TinyServer) => Promise<T>,
): Promise<T> {
  const server = await tinyServer(answer);
  return work(server).finally(() => server.close());
}

/** The result of a check that calls `run`, against a service with these answers. */
export function resultOf(
  answer: (asked: Asked) => TinyAnswer | Promise<TinyAnswer>,
  run: Run,
  change: Partial<Settings> = {},
  edition = spec,
): Promise<CheckResult> {
  return against(answer, async ({ baseUrl }) => {
    const [result] = await tryChecks(edition, { baseUrl, ...change }, [checkThat(run)]);
    if (!result) throw new Error("no result");
    return result;
  });
}

/** Calls `work` in a run on a service with these answers, and returns its value. @throws Error if `work` throws */
export async function runAgainst<T>(
  answer: (asked: Asked) => TinyAnswer | Promise<TinyAnswer>,
  work: (target: Target) => Promise<T>,
  change: Partial<Settings> = {},
  edition = spec,
): Promise<T> {
  const values: T[] = [];
  const result = await resultOf(
    answer,
    async (target) => {
      values.push(await work(target));
    },
    change,
    edition,
  );
  const [value] = values;
  if (values.length === 0)
    throw new Error(`${result.outcome}: ${result.reason ?? ""} ${result.message ?? ""}`);
  return value as T;
}
