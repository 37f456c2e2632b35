/** Tests if variants keep the profiles that runs on them suggest. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Check } from "../../client/check.ts";
import { isNotedBy } from "../../profiles/behaviour.ts";
import { BEHAVIOURS } from "../../profiles/behaviours.ts";
import { type Profile, withProfile } from "../../profiles/promises.ts";
import { readProfile } from "../../profiles/read-profile.ts";
import { startReference, type Variant, variants } from "../../reference/index.ts";
import type { CheckResult } from "../../reports/report.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { allChecks } from "../../suites/index.ts";
import { spread } from "../prove/job.ts";
import { ownSpec, settingsFor } from "../prove/run.ts";
import { TIMING } from "../prove/select.ts";
import { type Ran, runChecks } from "../suites/run-checks.ts";

/** The number of variants that `npm run promises` tests. */
const CHOSEN = 40;
const SUGGESTING_SEED = 1;
export const KEEPING_SEEDS: readonly number[] = [2, 3, 4];

/**
 * Forty variants of all chapters, always the same ones. Variants about time or size are left out, because
 * they take too long.
 */
export const CHOSEN_VARIANTS: readonly Variant[] = variants
  .filter(({ name }) => !TIMING.test(name) && !name.startsWith("very-many"))
  .sort((a, b) => spread(a.name) - spread(b.name))
  .slice(0, CHOSEN);

export const isPromise = (check: Pick<Check, "suite">) => check.suite === "profile";

/**
 * True for checks that judge a promise, or that observe what a profile can promise, and for checks of filters, which
 * see many values. The others add little to a test.
 */
export const isConcerned = (check: Check) =>
  isPromise(check) ||
  check.suite === "filters" ||
  check.cause !== undefined ||
  BEHAVIOURS.some((behaviour) => isNotedBy(behaviour, check));

export interface Kept {
  variant: string;
  promises: number;
  /** Promises that a later run found broken, with expected and actual values. */
  broken: string[];
  /** Promises that a later run could not test, with the reasons. */
  untested: string[];
}

/**
 * Runs the suite on a variant and takes the profile that the run suggests. Then runs the suite on the same variant
 * with that profile, once for each seed. `pick` selects the checks of these runs.
 */
export async function keptBy(
  variant: Variant,
  seeds: readonly number[] = KEEPING_SEEDS,
  pick: (check: Check) => boolean = () => true,
): Promise<Kept> {
  const suggesting = { depth: "full", suggestProfile: true } as const;
  const { suggestedProfile } = await ranAgainst(variant, SUGGESTING_SEED, suggesting, pick);
  const kept: Kept = { variant: variant.name, promises: 0, broken: [], untested: [] };
  // A run that ends early suggests no profile.
  if (suggestedProfile === undefined) return kept;
  const profile = parsed(suggestedProfile);
  kept.promises = profile.promised.length;
  for (const seed of seeds) {
    const { results } = await ranAgainst(variant, seed, { profile }, pick);
    for (const { id } of profile.promised) {
      const own = results.filter(({ requirements }) => requirements.includes(id));
      if (!own.some(({ outcome }) => outcome === "pass")) {
        const reasons = own.flatMap(({ reason, message }) => (reason ? [`${reason}, ${message}`] : []));
        kept.untested.push(`seed ${seed}: ${[id, ...new Set(reasons)].join("; ")}`);
      }
      for (const result of own)
        if (result.outcome !== "pass" && result.outcome !== "skip") kept.broken.push(described(result, seed));
    }
  }
  return kept;
}

function described({ id, outcome, expected, actual }: CheckResult, seed: number): string {
  return `seed ${seed}: ${outcome} ${id}: expected ${expected}, got ${actual}`;
}

async function ranAgainst(
  variant: Variant,
  seed: number,
  change: Partial<Settings>,
  pick: (check: Check) => boolean,
): Promise<Ran> {
  const service = await startReference({ variant: variant.name });
  try {
    const paths = variant.options?.paths === "v1" ? { paths: "v1" } : {};
    const settings = settingsFor(service, seed, { visibilityDelay: 500, runs: 2, ...paths, ...change });
    return await runChecks(withProfile(ownSpec(), change.profile), settings, pick);
  } finally {
    await service.close();
  }
}

function parsed(text: string): Profile {
  const folder = mkdtempSync(join(tmpdir(), "payments-conformance-profile-"));
  try {
    const file = join(folder, "profile.yaml");
    writeFileSync(file, text);
    return readProfile(file, ownSpec(), allChecks(ownSpec()));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
