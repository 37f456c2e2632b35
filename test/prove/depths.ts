/**
 * `npm run prove -- --depths` measures on a sample of defects how many of them one run finds at each depth.
 */

import type { Defect } from "../../reference/index.ts";
import { table } from "../markdown-table.ts";
import type { Job } from "./job.ts";
import { isLocated, judgeDefect, type Outcome } from "./judge.ts";
import { levels } from "./run.ts";

/** The seeds of the runs at depth quick. */
export const SEEDS: readonly number[] = [1, 2, 3];

export interface DepthsProof {
  /** The number of defects in the sample. `all` counts all defects that change the service's behaviour. */
  sample: number;
  all: number;
  /** For each seed, how many defects of the sample a run at depth quick found at all of their operations. */
  quick: { seed: number; found: number }[];
  /** The same for a run at depth full. */
  full: { seed: number; found: number };
}

type Run = (job: Job) => Promise<Outcome>;

/**
 * Measures how many defects each depth finds. Calls `onProved` for each defect with the runs that missed it.
 */
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
 * True if one run at this depth finds the defect at each of its operations. To save time, it first runs only
 * the checks of the defect's requirements.
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

/** The figures as a block of docs/proof.md. */
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

/** Returns the block of figures in a page, or undefined if the page has none. */
export function depthsBlockOf(page: string): string | undefined {
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  return from < 0 || to < from ? undefined : page.slice(from, to + END.length);
}

/** Returns the page with this block in place of the old one, or before the first section. */
export function withDepths(page: string, block: string): string {
  const known = depthsBlockOf(page);
  if (known !== undefined) return page.replace(known, () => block);
  return page.replace("\n\n## ", () => `\n\n${block}\n\n## `);
}
