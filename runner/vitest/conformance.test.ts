/** Makes each check a vitest test, which vitest's filters select. */

import { afterAll, beforeAll, describe, inject, type TestContext, test } from "vitest";
import { withProfile } from "../../profiles/promises.ts";
import type { CheckResult } from "../../reports/report.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { STAGES } from "../../spec/model/check.ts";
import { withOffers } from "../../spec/offers.ts";
import { isViolated } from "../judge.ts";
import { type Execution, runLoop } from "../loop.ts";
import { planChecks } from "../planning/plan.ts";
import { Session } from "../session.ts";

const { openapi, requirements, settings, strict } = inject("conformance");
const spec = withOffers(withProfile(loadSpec(openapi, requirements), settings.profile), settings.notOffered);
const planned = planChecks(spec, settings);

const stop = new AbortController();
const waiting = new Map<string, (result: CheckResult | undefined) => void>();
const results = new Map(
  planned.map(({ check }) => [
    check.id,
    new Promise<CheckResult | undefined>((resolve) => waiting.set(check.id, resolve)),
  ]),
);
let running: Promise<Execution> | undefined;

// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern, here without fixtures
beforeAll(({}, file) => {
  const left = namesIn(file);
  running = runLoop(
    new Session(spec, settings),
    planned.filter(({ check }) => left.has(check.id)),
    { onResult: (result) => isViolated(result) && waiting.get(result.id)?.(result), signal: stop.signal },
  );
  // A later answer may prove a violation of a check that held, so these results wait for the end.
  void running.then((execution) => {
    for (const result of execution.results.toReversed()) waiting.get(result.id)?.(result);
    // A test whose check has no result would wait for ever.
    for (const give of waiting.values()) give(undefined);
  });
});

// biome-ignore lint/correctness/noEmptyPattern: as above
afterAll(async ({}, file) => {
  if (running === undefined) return;
  const { results: _, ...run } = await running;
  file.meta.conformanceRun = run;
});

for (const stage of STAGES) {
  const members = planned.filter(({ check }) => check.stage === stage);
  if (members.length === 0) continue;
  // A concurrent `describe` would run two stages at the same time.
  describe(stage, () => {
    for (const { check } of members) {
      test.concurrent(check.id, async (context) => {
        context.signal.addEventListener("abort", () => stop.abort());
        const result = await results.get(check.id);
        if (result) context.task.meta.conformance = result;
        show(result, context);
      });
    }
  });
}

interface Group {
  tasks: readonly (Group | { type: "test"; name: string; mode: string })[];
}

function namesIn(group: Group): Set<string> {
  const names = group.tasks.flatMap((task) => {
    if ("tasks" in task) return [...namesIn(task)];
    return task.mode === "skip" ? [] : [task.name];
  });
  return new Set(names);
}

function show(result: CheckResult | undefined, context: TestContext): void {
  if (result === undefined) {
    context.skip("the check never reported");
    return;
  }
  const message = result.message ?? result.outcome;
  if (result.outcome === "skip") context.skip(`${result.reason}: ${message}`);
  if (result.outcome === "unsteady") context.skip(`unsteady: ${message}`);
  if (result.outcome === "fail" || (strict && result.outcome === "warn")) fail(message);
}

function fail(message: string): never {
  const error = new Error(message);
  error.name = "Violation";
  error.stack = `${error.name}: ${message}`;
  throw error;
}
