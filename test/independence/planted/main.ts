/**
 * `npm run planted` runs the suite on the service with each planted bug, and prints which bugs it finds, and
 * its other findings. It also runs the suite on edits that conform. `npm run planted -- --order` runs only the
 * bugs that need a sequence of calls.
 */

import { Command } from "commander";
import type { CheckResult } from "../../../reports/report.ts";
import { globMatcher } from "../../../spec/glob.ts";
import type { Bug } from "./bug.ts";
import { HABITS } from "./habits.ts";
import { BUGS, orderBugs } from "./index.ts";
import { type Met, meet } from "./meet.ts";

/** SHOULD requirements that the service breaks even without a bug. */
const OF_ITS_OWN = /CURSOR-UNKNOWN|ECHO-DETAILS/;

interface Options {
  bugs: string;
  seed: string;
  depth: "quick" | "full";
  jobs: string;
  narrow?: boolean;
  order?: boolean;
}

const program = new Command("planted")
  .description("Meets bugs and habits with a whole run each. Exits 1 when a bug is missed or a habit blamed.")
  .option("--bugs <pattern>", "only those with such names (globs, separated by commas)", "*")
  .option("--order", "the order bugs, and neither the other bugs nor the habits")
  .option("--seed <list>", "seeds of the runs, separated by commas")
  .option("--depth <depth>", "quick or full", "quick")
  .option("--jobs <number>", "runs at the same time", "1")
  .option("--narrow", "only the checks on what the bug breaks")
  .parse();
const { bugs, order, depth, jobs, narrow, ...given } = program.opts<Options>();
const seeds = (given.seed ?? (order ? "1" : "1,2")).split(",").map(Number);
const fits = globMatcher(bugs.split(","));
const eachSeed = (chosen: readonly Bug[]) =>
  chosen.filter(({ name }) => fits(name)).flatMap((bug) => seeds.map((seed) => ({ bug, seed })));

const described = (results: CheckResult[]) => [
  ...new Set(
    results.map(
      ({ outcome, requirements, operation }) => `${outcome} ${requirements.join(" ")} ${operation}`,
    ),
  ),
];
const notItsOwn = (results: CheckResult[]) =>
  results.filter(({ requirements }) => !requirements.some((id) => OF_ITS_OWN.test(id)));

function printHabit(habit: Bug, seed: number, { report, others }: Met): void {
  const allowed = [...habit.breaks, "CURSOR-UNKNOWN", "CREATE-ECHO-DETAILS", "UPDATE-ECHO-DETAILS"];
  const blamed = described(
    others.filter(({ requirements }) => !requirements.every((id) => allowed.includes(id))),
  );
  const isOpen = habit.leavesOpen === true && report.verdict === "inconclusive";
  const well = (report.verdict === "conformant" || isOpen) && blamed.length === 0;
  const result = well ? "alone  " : habit.isVolatile ? "by chance" : "BLAMED";
  console.log(`${result} ${habit.name} (seed ${seed}): ${report.verdict} ${blamed.join("; ")}`);
  if (result === "BLAMED") process.exitCode = 1;
}

/**
 * Returns the result for a bug: found at its operation, found elsewhere (at another), unsteady (a violation did
 * not show again), or missed.
 */
function resultFor({ own, others, unsteady }: Met): string {
  if (own.length > 0) return "found ";
  if (notItsOwn(others).length > 0) return "ELSEWHERE";
  return unsteady.length > 0 ? "UNSTEADY" : "MISSED";
}

function printBug(bug: Bug, seed: number, met: Met): void {
  const { report, own, others, unsteady } = met;
  const seconds = Math.round(report.run.durationMs / 100) / 10;
  const lines = [`${resultFor(met)} ${bug.name} (seed ${seed}, ${seconds} s): ${described(own)}`];
  const more = described(notItsOwn(others));
  if (more.length > 0)
    lines.push(`         and ${more.slice(0, 6).join("; ")}${more.length > 6 ? " …" : ""}`);
  if (unsteady.length > 0) lines.push(`         ${described(unsteady).join("; ")}`);
  if (report.problem) lines.push(`         ${report.problem}`);
  console.log(lines.join("\n"));
  if (own.length === 0) process.exitCode = 1;
}

/** Runs the suite on the service with each bug, several at the same time. */
async function meetAll(
  chosen: { bug: Bug; seed: number }[],
  whole: boolean,
  print: (bug: Bug, seed: number, met: Met) => void,
): Promise<void> {
  const left = [...chosen];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      print(next.bug, next.seed, await meet(next.bug, next.seed, { whole, depth }));
  };
  await Promise.all(Array.from({ length: Number(jobs) }, work));
}

if (!order) await meetAll(eachSeed(HABITS), true, printHabit);
await meetAll(eachSeed(order ? orderBugs : BUGS), !narrow, printBug);
