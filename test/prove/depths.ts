/** How many defects one run finds at each depth, measured on a sample: `npm run prove -- --depths`. */

import type { Defect } from "../../reference/index.ts";
import { table } from "../markdown-table.ts";
import type { Job } from "./job.ts";
import { isLocated, judgeDefect, type Outcome } from "./judge.ts";
import { levels } from "./run.ts";

/** Seeds of the default runs. */
export const SEEDS: readonly number[] = [1, 2, 3];

export interface DepthsProof {
  /** Defects in the sample, and all that differ from a sound service. */
  sample: number;
  all: number;
  /** By seed: how many defects of the sample a run of depth quick found, each at all of its operations. */
  quick: { seed: number; found: number }[];
  /** The same for a run of depth full. */
  full: { seed: number; found: number };
}

type Run = (job: Job) => Promise<Outcome>;

/** Measures the depths. `onProved` is called for each defect with the runs that missed it. */
export async function proveDepths(
  sample: readonly Defect[],
  all: number,
  run: Run,
  onProved: (line: string, well: boolean) => void,
): Promise<DepthsProof> {
  const [first = 1] = SEEDS;
  const runs = [
    ...SEEDS.map((seed) => ({ seed, depth: "quick" as const })),
    { seed: first, depth: "full" as const },
  ];
  const counts = runs.map(({ seed, depth }) => ({ seed, depth, found: 0 }));
  await Promise.all(
    sample.map(async (defect) => {
      const misses: string[] = [];
      for (const count of counts) {
        if (await finds(defect, count, run)) count.found++;
        else misses.push(`${count.depth} ${count.seed}`);
      }
      onProved(
        `${defect.name}${misses.length === 0 ? "" : ` missed by ${misses.join(", ")}`}`,
        misses.length === 0,
      );
    }),
  );
  const quick = counts.slice(0, SEEDS.length).map(({ seed, found }) => ({ seed, found }));
  return { sample: sample.length, all, quick, full: { seed: first, found: counts.at(-1)?.found ?? 0 } };
}

/**
 * True if one run of a depth finds the defect at each of its operations. First runs the checks of its requirements,
 * and all others only if they miss it.
 */
async function finds(
  defect: Defect,
  { seed, depth }: { seed: number; depth: "quick" | "full" },
  run: Run,
): Promise<boolean> {
  const { name, requirements, operations } = defect;
  const job: Job = {
    subject: { kind: "defect", name },
    seed,
    depth,
    until: { requirements, operations },
  };
  const part = { requirements, operations };
  if (isLocated(judgeDefect(defect, levels(), "requirements", await run({ ...job, part })))) return true;
  return isLocated(judgeDefect(defect, levels(), "whole", await run(job)));
}

const [START, END] = ["<!-- depths -->", "<!-- /depths -->"];

/** The figures as a block of the page. */
export function depthsBlock({ sample, all, quick, full }: DepthsProof, command: string): string {
  const average = quick.reduce((sum, { found }) => sum + found, 0) / quick.length;
  const of = (found: number) =>
    `${Number(found.toFixed(1))} of ${sample} (${((100 * found) / sample).toFixed(1)} %)`;
  const seeds = quick.map(({ seed, found }) => `${found} with seed ${seed}`).join(", ");
  return [
    START,
    `The figures above are of depth quick, and of depth full where quick misses a defect. One run finds less. Measured on a sample of ${sample} of the ${all} defects:`,
    table(
      ["One run", "Defects found at each of their operations"],
      [
        ["depth quick, the default: average of three seeds", `${of(average)}: ${seeds}`],
        ["depth full", `${of(full.found)}, with seed ${full.seed}`],
      ],
    ),
    `\`\`\`sh\n${command}\n\`\`\``,
    END,
  ].join("\n\n");
}

/** The block in a page; undefined if it has none. */
export function depthsBlockOf(page: string): string | undefined {
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  return from < 0 || to < from ? undefined : page.slice(from, to + END.length);
}

/** The page with this block before its first section, in place of an older one. */
export function withDepths(page: string, block: string): string {
  const known = depthsBlockOf(page);
  if (known !== undefined) return page.replace(known, () => block);
  return page.replace("\n\n## ", () => `\n\n${block}\n\n## `);
}
