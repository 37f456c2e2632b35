/** Known deviations: a file that says which violations are expected, why, and until when. */

import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import type { CheckResult } from "../reports/report.ts";
import { globMatcher } from "../spec/glob.ts";
import { readYaml } from "../spec/loading/read-file.ts";
import type { YamlSource } from "../spec/loading/source.ts";
import { didYouMean } from "../spec/nearest.ts";
import { UsageError } from "../spec/usage-error.ts";
import schema from "./waivers.schema.json" with { type: "json" };

export interface Waiver {
  /** Globs of ids; `operation` of `METHOD path` as the specification writes it. */
  requirement: string;
  operation: string;
  check?: string;
  reason: string;
  /** The last day on which it holds, `YYYY-MM-DD`, in UTC. */
  expires: string;
  /** Where it is written: `file:line`. */
  where: string;
}

/** The waivers of a YAML file. Throws UsageError, with file and line, on whatever its JSON Schema refuses. */
export function readWaivers(file: string): Waiver[] {
  const source = readYaml(file, "waivers file");
  const ajv = new Ajv2020({ strict: true });
  formatsModule.default(ajv);
  if (source.value === null || source.value === undefined) return [];
  const matches = ajv.compile<{ waivers: Omit<Waiver, "where">[] }>(schema);
  if (!matches(source.value)) throw refusal(source, matches.errors?.[0]);
  return source.value.waivers.map((waiver, index) => ({
    ...waiver,
    where: `${file}:${source.line(["waivers", index])}`,
  }));
}

function refusal(
  source: YamlSource,
  error:
    | { instancePath: string; keyword: string; params: Record<string, unknown>; message?: string }
    | undefined,
): UsageError {
  const path = (error?.instancePath ?? "").split("/").slice(1);
  const at = path.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const extra = error?.params.additionalProperty;
  if (typeof extra === "string") {
    const known = at.length === 0 ? ["waivers"] : Object.keys(schema.$defs.waiver.properties);
    const place = at.length === 0 ? "waivers file" : "waiver";
    return new UsageError(
      source.error([...at, extra], `a ${place} has no ${extra}${didYouMean(extra, known)}`).message,
    );
  }
  const name = at.length === 0 ? "a waivers file" : `${at[at.length - 1]}`;
  const what = typeof at[at.length - 1] === "number" ? "a waiver" : name;
  return new UsageError(source.error(at, `${what} ${error?.message ?? "is not valid"}`).message);
}

/**
 * Marks the violations that waivers cover, and says what is wrong with the waivers: an expired one, one that fits
 * no check, and one whose deviation is gone. `today` is `YYYY-MM-DD` in UTC.
 */
export function applyWaivers(
  results: readonly CheckResult[],
  waivers: readonly Waiver[],
  options: { strict: boolean; today: string },
): { results: CheckResult[]; complaints: string[] } {
  const covered = new Map<string, Waiver>();
  const complaints: string[] = [];
  for (const waiver of waivers) {
    const fits = matcher(waiver);
    const matching = results.filter(fits);
    if (matching.length === 0) {
      complaints.push(`${named(waiver)} fits no check; take it out or correct it`);
    } else if (matching.every((result) => result.outcome === "pass" || result.outcome === "note")) {
      complaints.push(`${named(waiver)} covers nothing any more: all that it fits passes; take it out`);
    } else if (waiver.expires < options.today) {
      complaints.push(`${named(waiver)} expired on ${waiver.expires}`);
    } else {
      for (const result of matching) if (!covered.has(result.id)) covered.set(result.id, waiver);
    }
  }
  const marked = results.map((result) => {
    const waiver = covered.get(result.id);
    const fault = result.outcome === "fail" || (options.strict && result.outcome === "warn");
    if (waiver === undefined || !fault) return result;
    return { ...result, waived: { reason: waiver.reason, expires: waiver.expires } };
  });
  return { results: marked, complaints };
}

function matcher(waiver: Waiver): (result: CheckResult) => boolean {
  const requirement = globMatcher([waiver.requirement]);
  const operation = globMatcher([waiver.operation]);
  const check = waiver.check === undefined ? () => true : globMatcher([waiver.check]);
  return (result) => result.requirements.some(requirement) && operation(result.operation) && check(result.id);
}

function named(waiver: Waiver): string {
  const check = waiver.check === undefined ? "" : `, ${waiver.check}`;
  return `the waiver at ${waiver.where} (${waiver.requirement}, ${waiver.operation}${check})`;
}
