/**
 * `npm run family` runs the suite on a family's service with each fault, and prints which ones it finds. With
 * `--variants`, the service has a habit in place of a fault, and must pass.
 */

import { Command, Option } from "commander";
import type { CheckResult } from "../../reports/report.ts";
import { globMatcher } from "../../spec/glob.ts";
import { FAMILIES, type Family, type FamilyName } from "./families.ts";
import { type Met, meet } from "./meet.ts";
import type { Departure } from "./serving.ts";

const program = new Command("family")
  .description("Meets faults, or habits, with a whole run each. Exits 1 if one is missed, or blamed.")
  .addOption(new Option("--of <name>", "the family").choices(Object.keys(FAMILIES)).default("clinic"))
  .option("--depth <name>", "quick or full", "full")
  .option("--seed <n>", "seed of the runs", "1")
  .option("--filter <pattern>", "only those with such names (globs, separated by commas)", "*")
  .option("--whole", "only whole runs, without narrow ones before")
  .option("--narrow", "narrow runs only")
  .option("--variants", "the habits, and the sound service, in place of the faults")
  .option("--open", "also print the skipped checks of the sound service")
  .parse();
const { of, depth, seed, filter, variants, open, whole, narrow } = program.opts<{
  of: FamilyName;
  depth: "quick" | "full";
  seed: string;
  filter: string;
  variants?: boolean;
  open?: boolean;
  whole?: boolean;
  narrow?: boolean;
}>();

const described = (results: CheckResult[], most = 5) => {
  const lines = results.map(({ outcome, requirements, operation }) =>
    [outcome, ...requirements, operation].join(" "),
  );
  const apart = [...new Set(lines)];
  return apart.slice(0, most).join("; ") + (apart.length > most ? " …" : "");
};
const facts = ({ report }: Met) =>
  `${report.verdict}, ${report.run.requests} requests, ${Math.round(report.run.durationMs / 100) / 10} s`;

/** Returns the result for a fault: found, found elsewhere (at another place), unsteady, or missed. */
function resultFor({ own, found, unsteady }: Met): "found" | "elsewhere" | "unsteady" | "missed" {
  if (own.length > 0) return "found";
  if (found.length > 0) return "elsewhere";
  return unsteady.length > 0 ? "unsteady" : "missed";
}

const fits = globMatcher(filter.split(","));
const { faults, habits }: Family = FAMILIES[of];
const settings = { depth, seed: Number(seed) };
if (variants) {
  const sound: Departure = { name: "sound" };
  for (const habit of [sound, ...habits].filter(({ name }) => fits(name))) {
    const met = await meet(of, habit, settings);
    const isClean = met.found.length === 0;
    console.log(`${isClean ? "clean  " : "BLAMED "} ${habit.name} (${facts(met)})`);
    for (const { outcome, id, message } of [...met.found, ...met.unsteady])
      console.log(`         ${outcome} ${id}: ${message}`);
    if (open)
      for (const { outcome, id, reason, message } of met.report.checks)
        if (outcome === "skip") console.log(`         ${outcome} ${reason} ${id}: ${message}`);
    if (!isClean) process.exitCode = 1;
  }
} else
  for (const fault of faults.filter(({ name }) => fits(name))) {
    let met = await meet(of, fault, settings, whole ? "whole" : "narrow");
    const isNarrow = !whole && (met.own.length > 0 || narrow);
    if (!isNarrow && !whole) met = await meet(of, fault, settings);
    const how = resultFor(met);
    const shown = how === "found" ? met.own : how === "unsteady" ? met.unsteady : met.found;
    console.log(
      `${how.padEnd(9)} ${isNarrow ? "narrow" : "whole "} ${fault.name} (${facts(met)}): ${described(shown)}`,
    );
    if (how !== "found") process.exitCode = 1;
  }
