/** The proof: runs the suite on all defects, variants and null services. */

import { randomInt } from "node:crypto";
import { seedsBeside } from "../../client/version-choice.ts";
import type { Defect, Variant } from "../../reference/index.ts";
import type { Digest } from "./digest.ts";
import { type Job, type Part, type Subject, spread, subjectText } from "./job.ts";
import {
  type DefectProof,
  isClean,
  isLocated,
  isQuiet,
  judgeDefect,
  judgeNull,
  judgeVariant,
  type Met,
  type NullProof,
  type Outcome,
  unstable,
  type VariantProof,
} from "./judge.ts";
import { Pool } from "./pool.ts";
import { levels } from "./run.ts";
import { type Selection, TIMING } from "./select.ts";
import { isWild } from "./wild.ts";

/** Several runs on one service, and the checks whose outcomes differ between them. */
export interface StabilityProof {
  name: string;
  runs: number;
  differing: { check: string; seen: string[] }[];
}

export interface Proof {
  defects: DefectProof[];
  variants: VariantProof[];
  nullServices: NullProof[];
  stability: StabilityProof[];
  /** Measured in runs of all checks on the reference service without defects. */
  sound: { requests: number; seconds: number; runs: number; atOnce: number };
  /** Ids of checks that found a defect. */
  detecting: string[];
}

export interface ProveOptions {
  selection: Selection;
  jobs: number;
  /** The seed of all runs, except those that test stability. */
  seed: number;
  /** All checks run on one in `wholeShare` defects, to see what else they find. */
  wholeShare: number;
  /**
   * True to give up if the checks of a defect's requirements miss it. This is faster while rules are written.
   */
  narrowOnly?: boolean;
  /** Called for each tested service with a line and its details. `well` is false if something is wrong. */
  onProved(line: string, well: boolean, details: readonly string[]): void;
}

/** Runs the suite on all selected services. Never rejects: errors are in the Proof. */
export async function prove(options: ProveOptions): Promise<Proof> {
  const { selection } = options;
  const pool = new Pool(options.jobs);
  const run = (job: Job): Promise<Outcome> => pool.perform(job);
  try {
    // The longest runs start first, so that no processor is idle at the end.
    const [sound, variantProofs, nullServices, defectProofs] = await Promise.all([
      proveSound(run, options),
      Promise.all(selection.variants.map((variant) => proveVariant(variant, run, options))),
      Promise.all(selection.nullServices.map((name) => proveNull(name, run, options))),
      Promise.all(selection.defects.map((defect) => proveDefect(defect, run, options))),
    ]);
    const all = [...variantProofs, ...sound.proofs];
    return {
      defects: defectProofs,
      variants: all.map(({ proof }) => proof),
      nullServices,
      stability: all.flatMap(({ stability }) => (stability ? [stability] : [])),
      sound: { ...figures(sound.digests), atOnce: options.jobs },
      detecting: [...new Set(defectProofs.flatMap(({ checks }) => checks))].sort(),
    };
  } finally {
    pool.close();
  }
}

type Run = (job: Job) => Promise<Outcome>;

/**
 * Runs the checks of a defect's requirements at its operations. If they miss the defect, runs more and more
 * checks and seeds, up to all checks.
 */
async function proveDefect(
  defect: Defect,
  run: Run,
  { seed, wholeShare, narrowOnly = false, onProved }: ProveOptions,
): Promise<DefectProof> {
  const subject: Subject = { kind: "defect", name: defect.name };
  const { requirements, operations } = defect;
  const until = { requirements, operations };
  const otherSeed = (other: number): [Met, Omit<Job, "subject">] => [
    "other seeds",
    { until, depth: "full", seed: other, part: { requirements, operations } },
  ];
  const narrow: [Met, Omit<Job, "subject" | "seed"> & { seed?: number }][] = [
    ["requirements", { until, part: { requirements, operations } }],
    ["requirements at depth full", { until, depth: "full", part: { requirements, operations } }],
    ...seedsBeside(seed).map(otherSeed),
    ["operations", { until, part: { operations } }],
    ["operations at depth full", { until, depth: "full", part: { operations } }],
  ];
  const whole: typeof narrow = [["whole", {}]];
  const isWhole = spread(`${seed} ${defect.name}`) % wholeShare === 0;
  let proof: DefectProof | undefined;
  for (const [met, job] of defect.equivalent
    ? whole
    : isWhole
      ? [...whole, ...narrow.slice(1)]
      : narrowOnly
        ? narrow
        : [...narrow, ...whole]) {
    if (proof !== undefined && isLocated(proof) && isQuiet(proof)) break;
    proof = judgeDefect(defect, levels(), met, await run({ subject, seed, ...job }));
    if (defect.equivalent) break;
  }
  if (proof === undefined) throw new Error("there is at least one run");
  const well = defect.equivalent ? !proof.found && isQuiet(proof) : isLocated(proof) && isQuiet(proof);
  onProved(subjectText(subject), well, [
    ...(proof.trouble === undefined ? [] : [proof.trouble]),
    ...(defect.equivalent || proof.missedAt.length === 0
      ? []
      : [`${requirements.join(", ")} not found at ${proof.missedAt.join(", ")}: ${defect.does}`]),
    ...(defect.equivalent && proof.found
      ? [`found, though said to be equivalent: ${defect.equivalent}`]
      : []),
  ]);
  return proof;
}

interface Repeated {
  proof: VariantProof;
  stability?: StabilityProof;
  digests: Digest[];
}

async function proveVariant(variant: Variant, run: Run, options: ProveOptions): Promise<Repeated> {
  const { timingRuns, variantShare } = options.selection;
  const timing = TIMING.test(variant.name);
  const times = timing ? timingRuns : 1;
  const seeds = Array.from({ length: times }, (_, index) =>
    index === 0 ? options.seed : randomInt(2 ** 32),
  );
  const part = timing || variantShare === 1 ? undefined : { share: variantShare };
  const subject: Subject = { kind: "variant", name: variant.name };
  const deep = options.selection.bothDepths && isWild(variant) ? options.seed : undefined;
  const way = { seeds, ...(part ? { part } : {}), ...(deep === undefined ? {} : { deep }) };
  return proveRepeatedly(subject, variant, way, run, options);
}

async function proveSound(
  run: Run,
  options: ProveOptions,
): Promise<{ proofs: Repeated[]; digests: Digest[] }> {
  const seeds = Array.from({ length: options.selection.soundRuns }, () => randomInt(2 ** 32));
  if (seeds.length === 0) return { proofs: [], digests: [] };
  const proof = await proveRepeatedly(
    { kind: "sound" },
    { name: "the reference itself" },
    { seeds },
    run,
    options,
  );
  return { proofs: [proof], digests: proof.digests };
}

/**
 * Runs the suite several times. All runs must find nothing and have equal outcomes. `deep` is the seed of an
 * additional run at depth full.
 */
async function proveRepeatedly(
  subject: Subject,
  expectation: Parameters<typeof judgeVariant>[0],
  { seeds, part, deep }: { seeds: readonly number[]; part?: Part; deep?: number },
  run: Run,
  { onProved }: ProveOptions,
): Promise<Repeated> {
  const outcomes = await Promise.all(seeds.map((seed) => run({ subject, seed, ...(part ? { part } : {}) })));
  const deeper = deep === undefined ? [] : [await run({ subject, seed: deep, depth: "full" })];
  const proofs = [...outcomes, ...deeper].map((outcome) => judgeVariant(expectation, outcome));
  const worst = proofs.find((proof) => !isClean(proof)) ?? proofs[0];
  const proof = worst ?? { name: expectation.name, noise: [], unused: [], trouble: "it was never run" };
  const digests = outcomes.flatMap((outcome) => ("digest" in outcome ? [outcome.digest] : []));
  const differing = unstable(digests, subject.kind === "variant");
  const open = part === undefined && digests.some(({ verdict }) => verdict === "inconclusive");
  onProved(
    `${subjectText(subject)}${open ? ", inconclusive" : ""}`,
    isClean(proof) && differing.length === 0,
    [
      ...(proof.trouble === undefined ? [] : [proof.trouble]),
      ...proof.noise.map(({ outcome, check, message }) => `${outcome} ${check}: ${message}`),
      ...differing.map(({ check, seen }) => `differs from run to run: ${check} (${seen.join(", ")})`),
    ],
  );
  const stability = { name: proof.name, runs: seeds.length, differing };
  return { proof, digests, ...(seeds.length > 1 ? { stability } : {}) };
}

async function proveNull(name: string, run: Run, { seed, onProved }: ProveOptions): Promise<NullProof> {
  const subject: Subject = { kind: "null", name };
  const proof = judgeNull(name, await run({ subject, seed }));
  onProved(subjectText(subject), !proof.conformant && proof.trouble === undefined, [
    ...(proof.conformant ? ["taken for a conforming service"] : []),
    ...(proof.trouble === undefined ? [] : [proof.trouble]),
  ]);
  return proof;
}

function figures(digests: readonly Digest[]): Omit<Proof["sound"], "atOnce"> {
  return {
    requests: median(digests.map(({ requests }) => requests)),
    seconds: median(digests.map(({ seconds }) => seconds)),
    runs: digests.length,
  };
}

/** The median of the values. 0 if there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
