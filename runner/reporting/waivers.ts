import { relative } from "node:path";
import type { ErrorObject } from "ajv";
import type { CheckResult } from "../../reports/report.ts";
import { globMatcher } from "../../spec/glob.ts";
import { pointerTokens } from "../../spec/json.ts";
import { readYaml } from "../../spec/loading/read-file.ts";
import type { YamlSource } from "../../spec/loading/source.ts";
import { matcher } from "../../spec/matcher.ts";
import { type CheckFacts, idsOf } from "../../spec/model/check.ts";
import { didYouMean } from "../../spec/nearest.ts";
import { UsageError } from "../../spec/usage-error.ts";
import schema from "./waivers.schema.json" with { type: "json" };

export interface Waiver {
  /** `requirement` and `operation` (`METHOD path`) may be patterns. */
  requirement: string;
  operation: string;
  check?: string;
  reason: string;
  /** The last valid day, `YYYY-MM-DD` in UTC. */
  expires: string;
  where: string;
}

const match = matcher<{ waivers: Omit<Waiver, "where">[] }>(schema);

/**
 * Returns the waivers in the file.
 * @throws UsageError with file and line if the file breaks its JSON Schema
 */
export function readWaivers(file: string): Waiver[] {
  const source = readYaml(file, "waivers file");
  if (source.value === null || source.value === undefined) return [];
  const result = match(source.value);
  if (!result.matches) throw mistakeIn(source, result.errors[0]);
  return result.value.waivers.map((waiver, index) => ({
    ...waiver,
    // An absolute path may show private names.
    where: `${relative(process.cwd(), file)}:${source.line(["waivers", index])}`,
  }));
}

function mistakeIn(source: YamlSource, error: ErrorObject | undefined): UsageError {
  const at = pointerTokens(error?.instancePath ?? "");
  const last = at.at(-1) ?? "";
  const extra = error?.params.additionalProperty;
  if (typeof extra === "string") {
    const known = last === "" ? ["waivers"] : Object.keys(schema.$defs.waiver.properties);
    const place = last === "" ? "waivers file" : "waiver";
    const message = `a ${place} has no ${extra}${didYouMean(extra, known)}`;
    return new UsageError(source.error([...at, extra], message).message);
  }
  const name = last === "" ? "a waivers file" : last.replace(/^\d+$/, "a waiver");
  return new UsageError(source.error(at, `${name} ${error?.message ?? "is not valid"}`).message);
}

export interface TriedChecks {
  strict: boolean;
  today: string;
  depth: "quick" | "full";
  planned: ReadonlyMap<string, CheckFacts>;
  untried: readonly CheckFacts[];
}

export interface WaivedResults {
  results: CheckResult[];
  complaints: string[];
  notices: string[];
}

/**
 * Returns the results with waived violations marked, and complaints about waivers. A waiver is obsolete only
 * if all of its checks passed, which depth quick can't show.
 */
export function applyWaivers(
  results: readonly CheckResult[],
  waivers: readonly Waiver[],
  tried: TriedChecks,
): WaivedResults {
  const covered = new Map<string, Waiver>();
  const complaints: string[] = [];
  const notices: string[] = [];
  for (const waiver of waivers) {
    const { matching, isNeeded, isObsolete } = useOf(waiver, results, tried);
    if (isObsolete)
      complaints.push(
        `${nameOfWaiver(waiver)} covers nothing any more, because all checks that it matches pass: remove it`,
      );
    else if (waiver.expires < tried.today)
      complaints.push(`${nameOfWaiver(waiver)} expired on ${waiver.expires}`);
    else if (isNeeded) {
      for (const { id } of matching) if (!covered.has(id)) covered.set(id, waiver);
    } else {
      const more =
        tried.depth === "quick"
          ? "--depth full shows whether it can be removed"
          : "not all of its checks ran";
      notices.push(`${nameOfWaiver(waiver)} covered nothing in this run; ${more}`);
    }
  }
  const marked = results.map((result) => {
    const waiver = covered.get(result.id);
    const fault = result.outcome === "fail" || (tried.strict && result.outcome === "warn");
    if (waiver === undefined || !fault) return result;
    return { ...result, waived: { reason: waiver.reason, expires: waiver.expires } };
  });
  return { results: marked, complaints, notices };
}

function useOf(waiver: Waiver, results: readonly CheckResult[], tried: TriedChecks) {
  const fits = matcherOf(waiver);
  const matching = results.filter((result) => fits(tried.planned.get(result.id) ?? result));
  const isNeeded = !matching.every(({ outcome }) => outcome === "pass" || outcome === "note");
  const isWhole = matching.length > 0 && tried.depth === "full" && !tried.untried.some(fits);
  return { matching, isNeeded, isObsolete: isWhole && !isNeeded };
}

/**
 * Checks that each waiver fits some check.
 * @throws UsageError for a waiver that fits no check
 */
export function refuseIdleWaivers(
  waivers: readonly Waiver[],
  checks: readonly CheckFacts[],
  requirements: Iterable<string>,
): void {
  const known: [key: "requirement" | "operation" | "check", words: string[]][] = [
    ["requirement", [...requirements]],
    ["operation", [...new Set(checks.map(({ operation }) => operation))]],
    ["check", [...new Set(checks.flatMap(idsOf))]],
  ];
  const mistakes = waivers.flatMap((waiver) => {
    const unknown = known.flatMap(([key, words]) => {
      const pattern = waiver[key];
      if (pattern === undefined || words.some(globMatcher([pattern]))) return [];
      return [`${waiver.where}: no ${key} fits ${pattern}${didYouMean(pattern, words)}`];
    });
    if (unknown.length > 0 || checks.some(matcherOf(waiver))) return unknown;
    const check = waiver.check === undefined ? "" : ` with an id like ${waiver.check}`;
    return [`${waiver.where}: no check${check} tests ${waiver.requirement} at ${waiver.operation}`];
  });
  if (mistakes.length > 0) throw new UsageError(mistakes.join("; "));
}

type Named = Pick<CheckFacts, "id" | "requirements" | "operation" | "sampledGroup" | "ownId">;

function matcherOf(waiver: Waiver): (check: Named) => boolean {
  const requirement = globMatcher([waiver.requirement]);
  const operation = globMatcher([waiver.operation]);
  const id = waiver.check === undefined ? () => true : globMatcher([waiver.check]);
  return (check) =>
    check.requirements.some(requirement) && operation(check.operation) && idsOf(check).some(id);
}

function nameOfWaiver(waiver: Waiver): string {
  const check = waiver.check === undefined ? "" : `, ${waiver.check}`;
  return `the waiver at ${waiver.where} (${waiver.requirement}, ${waiver.operation}${check})`;
}
