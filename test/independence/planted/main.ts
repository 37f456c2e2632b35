/**
 * `npm run planted`: prints which planted bugs a whole run finds, its other findings, and its findings on the
 * conforming edits.
 */

import { Command } from "commander";
import type { CheckResult } from "../../../reports/report.ts";
import { globMatcher } from "../../../spec/glob.ts";
import { HABITS } from "./habits.ts";
import { BUGS } from "./index.ts";
import { meet } from "./meet.ts";

/** Requirements that the service itself breaks, with warnings. */
const OF_ITS_OWN = /CURSOR-UNKNOWN|ECHO-DETAILS/;

const program = new Command("planted")
  .description("Meets bugs and habits with a whole run each. Exits 1 when a bug is missed or a habit blamed.")
  .option("--bugs <pattern>", "only those with such names (globs, separated by commas)", "*")
  .option("--seeds <list>", "seeds of the runs, separated by commas", "1,2")
  .option("--narrow", "only the checks on what the bug breaks")
  .parse();
const { bugs, seeds, narrow } = program.opts<{ bugs: string; seeds: string; narrow?: boolean }>();

const told = (results: CheckResult[]) => [
  ...new Set(
    results.map(
      ({ outcome, requirements, operation }) => `${outcome} ${requirements.join(" ")} ${operation}`,
    ),
  ),
];

const fits = globMatcher(bugs.split(","));
for (const habit of HABITS.filter(({ name }) => fits(name)))
  for (const seed of seeds.split(",").map(Number)) {
    const { report, others } = await meet(habit, seed, true);
    const allowed = [...habit.breaks, "CURSOR-UNKNOWN", "CREATE-ECHO-DETAILS", "UPDATE-ECHO-DETAILS"];
    const blamed = told(
      others.filter(({ requirements }) => !requirements.every((id) => allowed.includes(id))),
    );
    const well = report.verdict === "conformant" && blamed.length === 0;
    console.log(
      `${well ? "alone  " : "BLAMED"} ${habit.name} (seed ${seed}): ${report.verdict} ${blamed.join("; ")}`,
    );
    if (!well) process.exitCode = 1;
  }
for (const bug of BUGS.filter(({ name }) => fits(name)))
  for (const seed of seeds.split(",").map(Number)) {
    const { report, own, others } = await meet(bug, seed, !narrow);
    const more = told(others.filter(({ requirements }) => !requirements.some((id) => OF_ITS_OWN.test(id))));
    const seconds = Math.round(report.run.durationMs / 100) / 10;
    console.log(
      `${own.length > 0 ? "found " : "MISSED"} ${bug.name} (seed ${seed}, ${seconds} s): ${told(own)}`,
    );
    if (more.length > 0)
      console.log(`         and ${more.slice(0, 6).join("; ")}${more.length > 6 ? " …" : ""}`);
    if (report.problem) console.log(`         ${report.problem}`);
    if (own.length === 0) process.exitCode = 1;
  }
