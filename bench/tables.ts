/** Tables of docs/cost.md show ratios, because times depend on the machine. */

import fc from "fast-check";
import type { Size } from "../reference/data/seed.ts";
import { defects } from "../reference/index.ts";
import { median } from "../test/prove/prove.ts";
import { bareReplay, record, wholeRun } from "./measure.ts";

export type Table = readonly (readonly string[])[];

const ROUNDS = 5;
/** Rounds that suffice to compare with a limit (`--at-most`). */
const ROUNDS_UNDER_LIMIT = 3;

export async function counts(): Promise<Table> {
  const rows: string[][] = [["Depth", "Seed", "Requests", "Resources created", "Of them webhooks"]];
  const runs = [1, 2, 3, 4, 5].map((seed) => ["quick", seed] as const);
  for (const [depth, seed] of [...runs, ["full", 1] as const]) {
    const { requests, created, webhooks } = await wholeRun({}, { depth, seed });
    rows.push([depth, String(seed), number(requests), number(created), number(webhooks)]);
  }
  return rows;
}

/** Stops early if most rounds are below `most`, because the median then is, too. */
export async function overhead(most?: number): Promise<{ wall: number; cpu: number; rounds: number }> {
  const recording = await record();
  const ratios: { wall: number; cpu: number }[] = [];
  const rounds = most === undefined ? ROUNDS : ROUNDS_UNDER_LIMIT;
  for (let round = 0; round < rounds; round++) {
    const whole = await wholeRun();
    const bare = await bareReplay(recording);
    ratios.push({ wall: whole.wallMs / bare.wallMs, cpu: whole.cpuMs / bare.cpuMs });
    const kept = ratios.filter(({ cpu }) => most !== undefined && cpu <= most);
    if (kept.length > rounds / 2) break;
  }
  return {
    wall: median(ratios.map(({ wall }) => wall)),
    cpu: median(ratios.map(({ cpu }) => cpu)),
    rounds: ratios.length,
  };
}

export async function latency(): Promise<Table> {
  const rows: string[][] = [["Latency", "Whole run ÷ (requests × latency ÷ 8 in flight)"]];
  for (const latencyMs of [20, 100, 300]) {
    const { wallMs, requests } = await wholeRun({ latencyMs });
    rows.push([`${latencyMs} ms`, ratio(wallMs / ((requests * latencyMs) / 8))]);
  }
  return rows;
}

const SIZES: readonly [words: string, size: Size][] = [
  ["100 of each", { paymentCodes: 100, ussdOtps: 100, webhooks: 100 }],
  ["10,000 of each", { paymentCodes: 10_000, ussdOtps: 10_000, webhooks: 10_000 }],
  ["1,000,000 sessions", { ussdOtps: 1_000_000 }],
  ["webhooks of 100 runs", { webhooks: 2_000 }],
  ["webhooks of 1,000 runs", { webhooks: 20_000 }],
];

export async function growth(): Promise<Table> {
  const rows: string[][] = [
    ["Lists", "Requests", "Resources created", "Peak memory, first row = 1", "Verdict"],
  ];
  let first: number | undefined;
  for (const [words, size] of SIZES) {
    const { requests, created, peakBytes, verdict } = await wholeRun({ size });
    first ??= peakBytes;
    rows.push([words, number(requests), number(created), ratio(peakBytes / first), verdict]);
  }
  return rows;
}

/** On a faulty service, a run may take this many times as long. */
export const MOST_FAULTY_RATIO = 4;
const SAMPLED_DEFECTS = 24;

export async function faulty(seed: number): Promise<{ rows: Table; most: number }> {
  const sampled = fc.sample(fc.constantFrom(...defects), { seed, numRuns: SAMPLED_DEFECTS });
  const sound = median([await wholeRun(), await wholeRun(), await wholeRun()].map(({ wallMs }) => wallMs));
  const ran = [];
  for (const { name } of sampled) {
    const { wallMs, requests, verdict } = await wholeRun({ defects: [name] });
    ran.push({ name, ratio: wallMs / sound, requests, verdict });
  }
  ran.sort((one, other) => other.ratio - one.ratio);
  const cells = ran.map((each) => [each.name, ratio(each.ratio), number(each.requests), each.verdict]);
  const most = ran[0]?.ratio ?? 0;
  return { rows: [["Defect", "Whole run ÷ sound one", "Requests", "Verdict"], ...cells], most };
}

function number(value: number): string {
  return value.toLocaleString("en");
}

export function ratio(value: number): string {
  return value.toFixed(2);
}
