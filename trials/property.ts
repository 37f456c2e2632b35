/** Properties: a statement tried on generated values; a fault is reported by the smallest value that shows it. */

import fc from "fast-check";
import { Untestable, Violation } from "../client/check.ts";
import type { Target } from "../client/target.ts";
import { describeValue } from "../spec/schema.ts";

/** So many smaller candidates are tried for a counterexample: each one costs requests. */
const MOST_SHRINKS = 40;

/**
 * Tries `statement` on values of `arbitrary`, as many as the user asked for. The statement throws Violation; the
 * smallest value that still does is reported with the seed and path that lead to it. Untestable ends the trying.
 * Values are what the generator says they are at every step of shrinking, so a smaller valid value is still valid.
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
      // While shrinking, what can't be tested is simply not smaller; before that it ends the check.
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
