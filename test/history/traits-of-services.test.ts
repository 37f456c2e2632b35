/** Whole runs against services with one unusual behaviour, and what their histories show of it. */

import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { readHistory } from "../../history/lines.ts";
import { traitsOf } from "../../history/traits/traits.ts";
import { startReference } from "../../reference/index.ts";
import { runLoop } from "../../runner/loop.ts";
import { planChecks } from "../../runner/plan.ts";
import { Session } from "../../runner/session.ts";
import { ownChecks, ownSpec, settingsFor } from "../prove/run.ts";

/** The traits in the summary of a run, and in its history after it was written and read again. */
async function traitsAt(variant?: string) {
  const service = await startReference(variant === undefined ? {} : { variant });
  try {
    const spec = ownSpec();
    const settings = settingsFor(service, 1, {});
    const session = new Session(spec, settings);
    const { summary } = await runLoop(session, planChecks(spec, settings, ownChecks()), {});
    const { head, entries } = readHistory([...session.recorded.history(false)], spec);
    const first = entries.filter(({ round }) => round === 1);
    return { live: summary?.traits, written: traitsOf(new History(spec, head, first, entries)) };
  } finally {
    await service.close();
  }
}

test("a run against the plain reference shows no trait", async () => {
  expect(await traitsAt()).toEqual({ live: [], written: [] });
});

// How often a service behaves in this way depends on time, so other operations may show it, too.
test.each([
  ["single-reads-now-and-then-late", "late-reads", "GET /payment-codes/{id}"],
  ["quota-of-twelve-each", "quota", "POST /webhooks"],
  ["failing-webhooks-switched-off", "volatile-field", "isActive in GET /webhooks"],
])("a run against %s shows the trait %s", async (variant, expected, place) => {
  const { live = [], written } = await traitsAt(variant);
  expect(live.map(({ trait, subject }) => [trait, subject])).toContainEqual([expected, place]);
  expect(written).toEqual(live);
});
