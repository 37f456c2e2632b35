import { expect, test } from "vitest";
import type { Defect } from "../../reference/index.ts";
import { type DepthsProof, depthsBlock, depthsBlockOf, proveDepths, withDepths } from "./depths.ts";
import type { Digest } from "./digest.ts";
import type { Job } from "./job.ts";

const defect = (name: string): Defect => ({
  name,
  does: "…",
  requirements: ["LIST-COUNT"],
  operations: ["GET /banks"],
  hooks: {},
});
const digest: Digest = {
  problem: null,
  verdict: "nonconformant",
  reportErrors: [],
  findings: [],
  outcomes: {},
  requests: 1,
  seconds: 1,
};
const finding = {
  check: "responses/LIST-COUNT GET /banks",
  suite: "responses",
  requirements: ["LIST-COUNT"],
  operation: "GET /banks",
  outcome: "fail" as const,
  message: "…",
};

test("counts the findings of one run at each depth; only defects that its own checks miss need a whole run", async () => {
  const jobs: Job[] = [];
  const run = async (job: Job) => {
    jobs.push(job);
    const hidden = "name" in job.subject && job.subject.name === "hidden";
    // The run finds the hidden defect only at depth full, or with seed 2 if all checks run.
    const shows = !hidden || job.depth === "full" || (job.seed === 2 && job.part === undefined);
    return { digest: { ...digest, findings: shows ? [finding] : [] } };
  };
  const missed: string[] = [];
  const sample = [defect("plain"), defect("hidden")];
  const proof = await proveDepths(sample, 500, run, (line, well) => well || missed.push(line));
  expect(proof).toEqual({
    sample: 2,
    all: 500,
    quick: [
      { seed: 1, found: 1 },
      { seed: 2, found: 2 },
      { seed: 3, found: 1 },
    ],
    full: { seed: 1, found: 2 },
  });
  expect(missed).toEqual(["hidden missed by quick 1, quick 3"]);
  expect(jobs.filter(({ part }) => part === undefined)).toHaveLength(3);
});

test("the page gives the measured share, in one block", () => {
  const proof: DepthsProof = {
    sample: 94,
    all: 5632,
    quick: [74, 77, 75].map((found, index) => ({ seed: index + 1, found })),
    full: { seed: 1, found: 94 },
  };
  const block = depthsBlock(proof, "npm run prove -- --depths --sample 60");
  expect(block).toContain("a sample of 94 of the 5632 defects");
  expect(block).toContain("| 75.3 of 94 (80.1 %): 74 with seed 1, 77 with seed 2, 75 with seed 3 |");
  const page = "# Proof\n\n| a | b |\n\n## Settings\n\nmore\n\n## Defects\n";
  const with94 = withDepths(page, block);
  expect(with94.indexOf(block)).toBeLessThan(with94.indexOf("## Settings"));
  expect(depthsBlockOf(with94)).toBe(block);
  const other = depthsBlock({ ...proof, sample: 100 }, "…");
  expect(withDepths(with94, other)).toBe(with94.replace(block, other));
  expect(depthsBlockOf(page)).toBeUndefined();
});
