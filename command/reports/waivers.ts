import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { stringify } from "yaml";
import { isFailing, isStrict } from "../../reports/outcome.ts";
import type { Report } from "../../reports/report.ts";
import { count, visible } from "../../reports/text.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { Flags } from "../flags.ts";
import { print } from "../output.ts";
import { EXIT } from "../running/exit-codes.ts";
import { writeWhole } from "../running/write-reports.ts";
import { readReport } from "./read-report.ts";

const DEFAULT_FILE = "waivers.yaml";

interface Entry {
  requirement: string;
  operation: string;
  check?: string;
}

/** Writes waivers for the failures of a report, and returns the exit code. */
export function waiversCommand(flags: Flags): number {
  const from = requiredText(flags.from, "--from", "report.json of a run");
  const reason = requiredText(flags.reason, "--reason", "why the deviations are accepted for now");
  const expires = lastDay(requiredText(flags.expires, "--expires", "the last day on which the waivers hold"));
  const name = typeof flags.out === "string" && flags.out !== "" ? flags.out : DEFAULT_FILE;
  const file = resolve(name);
  if (existsSync(file)) throw new UsageError(`${name} is already there; name another file with --out`);
  const report = readReport(from);
  const entries = entriesOf(report);
  if (entries.length === 0) throw new UsageError(`nothing fails in ${from}; there is nothing to waive`);
  const waivers = entries.map((entry) => ({ ...entry, reason, expires }));
  writeWhole(file, `${headOf(report)}${stringify({ waivers }, { lineWidth: 0 })}`);
  print(`${count(entries.length, "waiver")} until ${expires} in ${relative(process.cwd(), file)}.\n`);
  if (report.depth === "quick")
    print("The report is of depth quick. Another seed may find more: waive from a report of --depth full.\n");
  return EXIT.ok;
}

/**
 * Returns the waivers that cover the failures of the report. One waiver covers a requirement at an operation
 * only if all its checks fail. If a check passes or was not tested, its later failures must show.
 */
function entriesOf(report: Report): Entry[] {
  const strict = isStrict(report);
  const groups = groupedBy(report.checks, (check) =>
    JSON.stringify([check.requirements[0], check.operation]),
  );
  return [...groups.values()].flatMap((checks) => {
    const failing = checks.filter((check) => isFailing(check, strict));
    const entries = failing.map(({ id, requirements: [requirement = ""], operation }) => ({
      requirement,
      operation,
      check: id,
    }));
    const [first] = entries;
    if (first === undefined || failing.length < checks.length) return entries;
    return [{ requirement: first.requirement, operation: first.operation }];
  });
}

function headOf({ target, run, depth }: Report): string {
  return [
    `# What fails at ${visible(target.baseUrl)}, as of ${run.startedAt} (depth ${depth ?? "full"}, seed ${run.seed}).`,
    "# Give each waiver its own reason, and take out what is to be repaired at once.",
    "",
  ].join("\n");
}

function requiredText(value: unknown, flag: string, what: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new UsageError(`waivers needs ${flag}: ${what}`);
}

/**
 * Returns the day if it is one.
 * @throws UsageError if it is not, or is over.
 */
function lastDay(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  const valid = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time);
  // Date.parse reads 30 February as 2 March.
  if (!valid || new Date(time).toISOString().slice(0, 10) !== text)
    throw new UsageError(`--expires must be a day as YYYY-MM-DD, not ${text}`);
  if (text < new Date().toISOString().slice(0, 10)) throw new UsageError(`--expires ${text} is in the past`);
  return text;
}
