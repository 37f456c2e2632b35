/** Which defects and variants a proof covers. */

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

/** Variants that bear on time, order of arrival or change from outside: run several times over. */
export const TIMING =
  /^(slow-answers|uneven-answers|rate-limit-.*|others-.*|sessions-come-and-go|created-.*-late|updated-.*-late|busy-and-far-away)$/;

/** Mutants that the quick form tries, picked by its seed. */
const QUICK_DEFECTS = 120;
/** Of all checks the quick form runs one in so many with a variant, but for those that bear on time. */
const QUICK_VARIANT_SHARE = 4;
const QUICK_VARIANTS = 12;
/** Services that are five variants at once; the quick form tries some of them. */
const COMBINATIONS = 100;
const QUICK_COMBINATIONS = 10;
const QUICK_TIMING = [
  "uneven-answers",
  "rate-limit-in-seconds",
  "others-add-codes-fast",
  "created-webhooks-listed-late",
];

export interface Selection {
  defects: readonly Defect[];
  variants: readonly Variant[];
  nullServices: readonly string[];
  /** Runs of the reference as it should be, with seeds of their own. */
  soundRuns: number;
  /** One in so many checks is run with a variant; all of them with one that bears on time. */
  variantShare: number;
  /** Whether variants that stand for services in the wild are met at depth full, too. */
  bothDepths: boolean;
  /** Runs of each timing variant. */
  timingRuns: number;
  /** One in so many defects is met, picked by the seed. */
  sample: number;
  /** Whether this is less than everything there is, or a sample of it. */
  partial: boolean;
}

export interface SelectionOptions {
  /** Globs of names; with either given, only what fits one is covered, and nothing else. */
  defects?: string;
  variants?: string;
  /** The defects that only a sequence of calls shows, too: the suite does not find them all yet. */
  history?: boolean;
  /** With globs given, the reference as it should be, too. */
  sound?: boolean;
  /** A spread of everything that fits in a few minutes; another for each seed. */
  quick?: boolean;
  /** Of the spread. */
  seed?: number;
  /** One in so many defects, others for each seed; everything else whole. */
  sample?: number;
  /** Overrides the share of the checks that a variant meets. */
  variantShare?: number;
}

/** Throws RangeError when a pattern fits nothing. */
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
    nullServices: narrowed ? [] : nullServices.map(({ name }) => name),
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
  const timing = all.filter(({ name }) => QUICK_TIMING.includes(name));
  const others = spreadOut(
    all.filter(({ name }) => !TIMING.test(name) && !name.startsWith("very-many")),
    seed,
  );
  return [...timing, ...others.slice(0, QUICK_VARIANTS)];
}

function spreadOut<T extends { name: string }>(all: readonly T[], seed: number): T[] {
  const place = ({ name }: T) => spread(`${seed} ${name}`);
  return [...all].sort((a, b) => place(a) - place(b));
}
