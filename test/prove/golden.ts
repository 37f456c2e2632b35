/**
 * `npm run golden -- --keep FILE` records how the suite behaves on the reference service and on some variants
 * and defects. `--against FILE` prints what differs from the record. Run it after a change that must not
 * change the behaviour.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import { defects } from "../../reference/index.ts";
import type { Report } from "../../reports/report.ts";
import { allChecks } from "../../suites/index.ts";
import { type Job, reportOf, spread, subjectText } from "./job.ts";
import { ownSpec } from "./run.ts";

/** Values by name. Null if two runs of the same code gave different values. */
type Seen = Record<string, string | null>;

const VARIANTS = [
  "declines-whatever-it-may",
  "only-what-must-be-there",
  "quota-of-twelve-each",
  "used-keys-refused",
];
/** The most differences that are printed for one service. */
const MOST_SHOWN = 20;

const program = new Command("golden")
  .description("Keeps what the suite does, or compares it with what was kept. Exits 1 where it differs.")
  .option("--keep <file>", "write it down, from two runs of each")
  .option("--against <file>", "compare one run of each with what is written there")
  .option("--defects <n>", "so many defects, spread over all", Number, 40)
  .option("--only <text>", "only the subjects that are named so")
  .parse();
const {
  keep,
  against,
  defects: many,
  only = "",
} = program.opts<{
  keep?: string;
  against?: string;
  defects: number;
  only?: string;
}>();
if ((keep === undefined) === (against === undefined)) throw new InvalidArgumentError("--keep or --against");

const kept: Record<string, Seen> = against === undefined ? {} : JSON.parse(readFileSync(against, "utf8"));
const found: Record<string, Seen> = { "the checks": facts() };
for (const job of jobs()) {
  const name = `${subjectText(job.subject)}, seed ${job.seed}, ${job.depth}`;
  if (!name.includes(only) || (against !== undefined && !kept[name])) continue;
  found[name] = seenIn(await reportOf(job));
  if (keep !== undefined) found[name] = common(found[name], seenIn(await reportOf(job)));
  console.log(`${name}: ${against === undefined ? "kept" : differences(name).length}`);
}
if (keep !== undefined) writeFileSync(keep, JSON.stringify(found));
else
  for (const name of Object.keys(found))
    for (const each of differences(name).slice(0, MOST_SHOWN)) console.log(each);
if (against !== undefined && Object.keys(found).some((name) => differences(name).length > 0))
  process.exitCode = 1;

function jobs(): (Job & { depth: "quick" | "full" })[] {
  const place = (name: string) => spread(`golden ${name}`);
  const chosen = defects.map(({ name }) => name).sort((a, b) => place(a) - place(b));
  return [
    { subject: { kind: "sound" }, seed: 1, depth: "quick" },
    { subject: { kind: "sound" }, seed: 2, depth: "quick" },
    { subject: { kind: "sound" }, seed: 1, depth: "full" },
    ...VARIANTS.map((name): Job & { depth: "quick" } => ({
      subject: { kind: "variant", name },
      seed: 1,
      depth: "quick",
    })),
    ...chosen.slice(0, many).map((name, index): Job & { depth: "quick" } => ({
      subject: { kind: "defect", name },
      seed: 1 + (index % 2),
      depth: "quick",
    })),
  ];
}

/** The definition of every check. */
function facts(): Seen {
  return Object.fromEntries(
    allChecks(ownSpec()).map(({ run: _, ...known }) => [known.id, JSON.stringify(known)]),
  );
}

/**
 * The outcomes, observations and counts of answers of a run. Answers to reads are not counted, because checks
 * share reads.
 */
function seenIn({ checks, observations, coverage }: Report): Seen {
  const seen: Seen = {};
  for (const { id, title, level, outcome, reason, message, evidence } of checks)
    seen[`check ${id}`] = masked([
      title,
      level,
      outcome,
      reason,
      message,
      evidence.map((each) => [each.role, each.offending, each.response?.status]),
    ]);
  for (const { requirement, operation, subject, value } of observations)
    seen[`note ${requirement} ${operation} ${subject}`] = masked(value);
  for (const [key, { statuses }] of Object.entries(coverage.operations).filter(
    ([key]) => !key.startsWith("GET"),
  ))
    for (const [status, count] of Object.entries(statuses)) seen[`answers ${key} ${status}`] = String(count);
  for (const [key, counts] of Object.entries(coverage.constraints))
    seen[`probes ${key}`] = JSON.stringify(counts);
  return seen;
}

/** A value as text, without parts that differ in every run: the run tag, ports, times and made-up values. */
function masked(value: unknown): string {
  return JSON.stringify(value).replace(/[0-9a-f]{8}(-[0-9a-z]{4})?|\d{4,}|\d\d:\d\d/g, "#");
}

function common(one: Seen, other: Seen): Seen {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, one[key] === other[key] ? (one[key] ?? null) : null]),
  );
}

function differences(name: string): string[] {
  const [before = {}, after = {}] = [kept[name], found[name]];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys]
    .filter((key) => before[key] !== null && before[key] !== after[key])
    .map((key) => `${name}: ${key}\n  was ${before[key]}\n  is  ${after[key]}`);
}
