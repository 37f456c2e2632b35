/** Properties: a statement tested on generated values. A fault is reported with the smallest value that shows it. */

import fc from "fast-check";
import { Untestable, Violation } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import { describeValue } from "../spec/schema.ts";

/** Most smaller candidates for a counterexample, since each costs requests. */
const MOST_SHRINKS = 40;

/**
 * Tests `statement` on values of `arbitrary`, as many as the user asked for. The statement throws Violation; the
 * smallest value that still does is reported with its seed and path. Untestable ends the test. All values come from
 * the generator, also while shrinking, so a smaller valid value is valid.
 */
export async function holds<T>(
  target: Target,
  arbitrary: fc.Arbitrary<T>,
  statement: (value: T) => Promise<void>,
  runs = target.settings.runs,
): Promise<void> {
  let untestable: Untestable | undefined;
  let violation: Violation | undefined;
  let shrinks = 0;
  const property = fc.asyncProperty(arbitrary, async (value) => {
    if (untestable || shrinks > MOST_SHRINKS) return;
    if (violation) shrinks++;
    try {
      await statement(value);
    } catch (error) {
      if (error instanceof Violation) {
        violation = error;
        throw error;
      }
      if (!(error instanceof Untestable)) throw error;
      // An untestable candidate is not smaller; outside of shrinking it ends the check.
      if (!violation) untestable = error;
    }
  });
  const details = await fc.check(property, {
    seed: target.seed,
    numRuns: runs,
    ...(target.replayPath === undefined ? {} : { path: target.replayPath, endOnFailure: true }),
  });
  if (violation) {
    const value = details.counterexample?.[0];
    throw new Violation(
      violation.expected,
      `${violation.actual} (smallest case: ${describeValue(value)})`,
      violation.evidence,
      {
        counterexample: { path: details.counterexamplePath ?? "", value },
      },
    );
  }
  if (details.failed && details.errorInstance instanceof Error) throw details.errorInstance;
  if (untestable) throw untestable;
}
