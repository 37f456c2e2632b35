import { expect, test } from "vitest";
import type { Entry } from "../../history/entry.ts";
import type { Attempts } from "../../runner/confirming/attempts.ts";
import { shownWithCause } from "../../runner/confirming/cause.ts";
import { HistoryBuilder } from "../history/builder.ts";
import { spec } from "../spec/package-spec.ts";

const url = "https://example.com/a";
const past = new HistoryBuilder(spec)
  .lists([{ id: "w1" }])
  .lists([{ id: "w2" }])
  .rejects("w1", { url }, { status: 409 });
const [reset, cause, update] = past.entries;

/** Returns true if the cause counts as shown on a service whose updates in a history get these statuses in turn. */
async function isFound(statuses: (position: number) => number): Promise<boolean> {
  if (!reset || !cause || !update) throw new Error("a step is missing");
  const answered = (step: Entry, index: number): Entry =>
    step === update
      ? { ...step, response: { status: statuses(index), headers: [], body: null } as never }
      : step;
  const fake = {
    last: { steps: [], exchanges: [update] },
    shown: async (steps: readonly Entry[]) => {
      const exchanges = steps.map(answered);
      const after = exchanges[steps.indexOf(cause) + 1] ?? update;
      const shownBy = [{ entry: after, offending: "status" }];
      return { steps, exchanges, entries: exchanges, violation: { certainty: "suspected", shownBy } };
    },
  };
  const steps = {
    core: [update],
    offending: update,
    causes: [{ cause, before: update }],
    reset,
    twin: undefined,
    readsBetween: [],
  };
  const shown = await shownWithCause(fake as unknown as Attempts, steps as never, { isExcused: true });
  return shown !== undefined;
}

test("a request whose effect lasts is the cause of a rejection if no other update is rejected", async () => {
  // The reset, two updates, the cause, an update, the reset, an update.
  expect(await isFound((position) => (position === 4 ? 409 : 200))).toBe(true);
});

test("a service that is busy after each write rejects no update because of a request", async () => {
  expect(await isFound(() => 409)).toBe(false);
  expect(await isFound((position) => (position === 1 ? 200 : 409))).toBe(false);
});

/** Returns true if the reads count as the cause on a service that shows the violation under this condition. */
async function isFoundBetween(isShown: (steps: readonly Entry[], time: number) => boolean): Promise<boolean> {
  const pages = new HistoryBuilder(spec).lists([{ id: "w1" }]).lists([{ id: "w1" }]).entries;
  const readsBetween = new HistoryBuilder(spec).lists([{ id: "w2" }]).lists([{ id: "w3" }]).entries;
  let time = 0;
  const attempts = {
    last: { steps: [], exchanges: [] },
    shown: async (steps: readonly Entry[]) =>
      isShown(steps, time++) ? { steps, exchanges: steps, violation: { shownBy: [] } } : undefined,
  };
  const steps = { core: pages, offending: pages[1], causes: [], readsBetween };
  const found = shownWithCause(attempts as unknown as Attempts, steps as never, { isExcused: false });
  return (await found) !== undefined;
}

test("several reads between two pages are the cause if the second is wrong behind them, and never without", async () => {
  expect(await isFoundBetween((steps) => steps.length === 4)).toBe(true);
  // Changes of the list at any time have no cause.
  expect(await isFoundBetween((_, time) => time % 2 === 0)).toBe(false);
  expect(await isFoundBetween((steps, time) => steps.length === 4 && time < 6)).toBe(false);
});
