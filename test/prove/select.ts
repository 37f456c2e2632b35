/** Selects the defects and variants that a proof tests. */

import {
  type Defect,
  defects,
  historyDefects,
  nullServices,
  type Variant,
  variantCombinations,
  variants,
} from "../../reference/index.ts";
import { globMatcher } from "../../spec/glob.ts";
import { spread } from "./job.ts";

/**
 * Variants whose runs may differ from each other, because they depend on time or on changes by others. They
 * run several times.
 */
export const TIMING =
  /^(slow-answers|uneven-answers|rate-limit-.*|others-.*|sessions-come-and-go|created-.*-late|updated-.*-late|busy-and-far-away)$/;

/** The number of defects that the quick proof tests. */
const QUICK_DEFECTS = 30;
/** In the quick proof, one in this many checks runs on a variant that does not depend on time. */
const QUICK_VARIANT_SHARE = 4;
const QUICK_VARIANTS = 3;
/** The number of services that combine five variants. The quick proof tests some of them. */
const COMBINATIONS = 100;
const QUICK_COMBINATIONS = 2;
/** Variants that depend on time, and run all checks. The quick proof tests some of them. */
const QUICK_TIMING = [
  "uneven-answers",
  "rate-limit-in-seconds",
  "others-add-codes-fast",
  "created-webhooks-listed-late",
];
const QUICK_TIMINGS = 1;

export interface Selection {
  defects: readonly Defect[];
  variants: readonly Variant[];
  nullServices: readonly string[];
  /** The number of runs on the reference service without defects. Each has another seed. */
  soundRuns: number;
  /** One in `variantShare` checks runs on a variant. On a variant that depends on time, all checks run. */
  variantShare: number;
  /** True to run on variants of typical services at depth full, too. */
  bothDepths: boolean;
  /** The number of runs on each variant that depends on time. */
  timingRuns: number;
  /** One in `sample` defects is tested. The seed picks them. */
  sample: number;
  /** True if some defects or variants are left out. */
  partial: boolean;
}

export interface SelectionOptions {
  /** Globs of names. If `defects` or `variants` is given, only the services that match are tested. */
  defects?: string;
  variants?: string;
  /** True to test defects that only a sequence of calls shows, too. */
  history?: boolean;
  /** True to test the reference service without defects, too, if globs are given. */
  sound?: boolean;
  /** True for a sample that takes a few minutes. Each seed has another sample. */
  quick?: boolean;
  /** The seed of the sample. */
  seed?: number;
  /** One in `sample` defects is tested, picked by the seed. All variants are tested. */
  sample?: number;
  /** If given, one in this many checks runs on a variant. */
  variantShare?: number;
}

/** Selects the services of a proof. @throws RangeError if a pattern fits nothing */
export function select(options: SelectionOptions): Selection {
  const { quick = false, seed = 1, sample = 1, sound = false } = options;
  const narrowed = options.defects !== undefined || options.variants !== undefined;
  const known = options.history ? [...defects, ...historyDefects] : defects;
  const chosen = {
    defects: narrowed ? matching(known, options.defects, "defect") : known,
    variants: narrowed
      ? matching([...variants, ...variantCombinations(COMBINATIONS)], options.variants, "variant")
      : variants,
  };
  const combined = narrowed
    ? []
    : quick || sample > 1
      ? spreadOut(variantCombinations(COMBINATIONS), seed).slice(0, QUICK_COMBINATIONS)
      : variantCombinations(COMBINATIONS);
  return {
    defects: quick
      ? spreadOut(chosen.defects, seed).slice(0, QUICK_DEFECTS)
      : sample > 1
        ? spreadOut(chosen.defects, seed).slice(0, Math.ceil(chosen.defects.length / sample))
        : chosen.defects,
    sample,
    variants: [...(quick ? someVariants(chosen.variants, seed) : chosen.variants), ...combined],
    // A test runs the suite on null services anyway (test/suites/null-services.test.ts).
    nullServices: narrowed || quick ? [] : nullServices.map(({ name }) => name),
    soundRuns: narrowed && !sound ? 0 : quick ? 2 : sample > 1 ? 6 : 20,
    variantShare: options.variantShare ?? (quick ? QUICK_VARIANT_SHARE : 1),
    bothDepths: !quick,
    timingRuns: quick || sample > 1 ? 1 : 5,
    partial: narrowed || quick || options.history === true,
  };
}

function matching<T extends { name: string }>(
  all: readonly T[],
  pattern: string | undefined,
  what: string,
): T[] {
  if (pattern === undefined) return [];
  const fits = globMatcher(pattern.split(","));
  const found = all.filter(({ name }) => fits(name));
  const advice = pattern.startsWith("history-") ? "; --history adds those that begin with history-" : "";
  if (found.length === 0) throw new RangeError(`no ${what} is named like ${pattern}${advice}`);
  return found;
}

function someVariants(all: readonly Variant[], seed: number): Variant[] {
  const timing = spreadOut(
    all.filter(({ name }) => QUICK_TIMING.includes(name)),
    seed,
  );
  const others = spreadOut(
    all.filter(({ name }) => !TIMING.test(name) && !name.startsWith("very-many")),
    seed,
  );
  return [...timing.slice(0, QUICK_TIMINGS), ...others.slice(0, QUICK_VARIANTS)];
}

function spreadOut<T extends { name: string }>(all: readonly T[], seed: number): T[] {
  const place = ({ name }: T) => spread(`${seed} ${name}`);
  return [...all].sort((a, b) => place(a) - place(b));
}
