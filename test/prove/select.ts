/** Selects the defects and variants of a proof. */

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

/** Variants that depend on time, order of arrival or outside changes: they run several times. */
export const TIMING =
  /^(slow-answers|uneven-answers|rate-limit-.*|others-.*|sessions-come-and-go|created-.*-late|updated-.*-late|busy-and-far-away)$/;

/** Number of mutants in the quick form. */
const QUICK_DEFECTS = 60;
/** In the quick form, one in this many checks runs with a variant that does not depend on time. */
const QUICK_VARIANT_SHARE = 4;
const QUICK_VARIANTS = 5;
/** Number of services that are five variants at once. The quick form has some of them. */
const COMBINATIONS = 100;
const QUICK_COMBINATIONS = 3;
/** The quick form has some of these variants that depend on time, as they run all checks. */
const QUICK_TIMING = [
  "uneven-answers",
  "rate-limit-in-seconds",
  "others-add-codes-fast",
  "created-webhooks-listed-late",
];
const QUICK_TIMINGS = 2;

export interface Selection {
  defects: readonly Defect[];
  variants: readonly Variant[];
  nullServices: readonly string[];
  /** Runs of the sound reference service, with seeds of their own. */
  soundRuns: number;
  /** One in `variantShare` checks runs with a variant; all checks with a variant that depends on time. */
  variantShare: number;
  /** True to also run variants of typical services at depth full. */
  bothDepths: boolean;
  /** Runs of each timing variant. */
  timingRuns: number;
  /** One in `sample` defects runs, picked by the seed. */
  sample: number;
  /** True if something is left out. */
  partial: boolean;
}

export interface SelectionOptions {
  /** Globs of names. With one of them, nothing else is proved. */
  defects?: string;
  variants?: string;
  /** True to also prove defects that only a sequence of calls shows. */
  history?: boolean;
  /** With globs: true to also run the sound reference service. */
  sound?: boolean;
  /** True for a sample that takes a few minutes, a different one for each seed. */
  quick?: boolean;
  /** Seed of the sample. */
  seed?: number;
  /** One in `sample` defects runs, picked by the seed. Everything else runs as a whole. */
  sample?: number;
  /** Overrides the share of the checks that a variant runs. */
  variantShare?: number;
}

/** @throws RangeError if a pattern fits nothing */
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
    // `npm test` runs the suite on them anyway, in test/suites/null-services.test.ts.
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
  if (found.length === 0) throw new RangeError(`no ${what} is named like ${pattern}`);
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
