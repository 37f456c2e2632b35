/** Flags, variables, the configuration file and the help come from this table. */

import { duration } from "./durations.ts";
import { JUDGEMENT_OPTIONS } from "./judgement-options.ts";
import { choice, choices, flag, integer, path, patterns, positive, shard } from "./kinds.ts";
import { labels } from "./labels.ts";
import { type Option, option } from "./option.ts";
import { TARGET_OPTIONS } from "./target-options.ts";

export const DEFAULT_CONFIG_FILE = "payments-conformance.yaml";
export const REPORTERS = ["pretty", "plain", "json", "github", "silent"] as const;
const EXPORTS = ["ctrf", "sarif", "har"] as const;
export type ExportName = (typeof EXPORTS)[number];
export type ReporterName = (typeof REPORTERS)[number];

export const OPTIONS = {
  ...TARGET_OPTIONS,
  only: option({
    kind: patterns(),
    group: "Selection",
    help: "run only these: ids of requirements or checks, operations or suites; globs; repeatable",
  }),
  skip: option({ kind: patterns(), group: "Selection", help: "leave these out; as --only" }),
  readOnly: option({
    kind: flag(),
    group: "Selection",
    default: false,
    help: "send no POST and no PATCH at all",
  }),
  postNamedOnly: option({
    kind: flag(),
    group: "Selection",
    default: false,
    help: "also send valid POSTs to operations without a documented shape",
  }),
  lastFailed: option({
    kind: flag(),
    group: "Selection",
    default: false,
    help: "run only what fails in the report in --out",
  }),
  within: option({
    kind: duration(86_400_000),
    group: "Selection",
    help: "run only the checks that fit into this time, such as 2m, the most valuable first; best with --rate",
  }),
  preset: option({
    kind: choice(["smoke"]),
    group: "Selection",
    help: "smoke: about 70 reads, chosen to find the most",
  }),
  shard: option({
    kind: shard(),
    group: "Selection",
    help: "run part I of N; put the reports together with merge",
  }),
  depth: option({
    kind: choice(["quick", "full"]),
    group: "Selection",
    default: "quick",
    help: "quick samples the combinations of probes and versions by seed; full runs all of them",
  }),
  ...JUDGEMENT_OPTIONS,
  seed: option({
    kind: integer(0, 0xffff_ffff),
    group: "Load",
    help: "seed of everything that is generated",
    defaultText: "random, always reported; with --shard the same on every machine",
  }),
  runs: option({ kind: integer(1, 100_000), group: "Load", default: 10, help: "cases per property" }),
  concurrency: option({ kind: integer(1, 256), group: "Load", default: 8, help: "most requests in flight" }),
  rate: option({ kind: positive(100_000), group: "Load", help: "most requests a second" }),
  timeout: option({
    kind: integer(1, 600_000),
    group: "Load",
    default: 10_000,
    help: "milliseconds to wait for an answer",
  }),
  maxWait: option({
    kind: duration(3_600_000),
    group: "Load",
    defaultText: "2m",
    help: "longest wait for a Retry-After, such as 30s or 2m; checks that need a longer wait are skipped",
  }),
  maxRequests: option({
    kind: integer(1, 1_000_000_000),
    group: "Load",
    help: "most requests in all; never exceeded",
  }),
  maxCreated: option({
    kind: integer(0, 1_000_000_000),
    group: "Load",
    help: "most resources that are created; never exceeded",
  }),
  reuse: option({
    kind: path("<file>"),
    group: "Load",
    file: true,
    help: "created.json of an earlier run: updates change a resource of it in place of a new one",
  }),
  maxBody: option({
    kind: integer(1_024, 1_000_000_000),
    group: "Load",
    default: 8 * 1024 * 1024,
    help: "most bytes of one answer's body that are read, packed or unpacked",
  }),
  visibilityDelay: option({
    kind: integer(0, 600_000),
    group: "Load",
    default: 2_000,
    help: "consistency timeout: milliseconds that a write may take to show",
  }),
  out: option({
    kind: path("<dir>"),
    group: "Output",
    default: "conformance-report",
    file: true,
    help: "folder for report.json, report.html, report.xml (JUnit), report.md and history.ndjson",
  }),
  export: option({
    kind: choices(EXPORTS),
    group: "Output",
    help: "also write the report as ctrf (report.ctrf.json), sarif (report.sarif) or har (report.har); repeatable",
  }),
  traffic: option({
    kind: flag(),
    group: "Output",
    default: false,
    help: "also write every exchange of the run, with secrets redacted, as HAR into traffic.har in --out",
  }),
  noHistory: option({
    kind: flag(),
    group: "Output",
    default: false,
    help: "do not write history.ndjson, which has every exchange of the run with secrets redacted",
  }),
  showPersonalData: option({
    kind: flag(),
    group: "Output",
    default: false,
    help: "do not mask names, phone numbers and mail addresses of answers in reports and history",
  }),
  labels: option({
    kind: labels(),
    flag: "label",
    group: "Output",
    help: "a fact about the service for report, comparison and certificate, such as build=4.2.1; repeatable",
  }),
  reporter: option({
    kind: choice(REPORTERS),
    group: "Output",
    help: "output: pretty, plain, json, github or silent",
    defaultText: "pretty on a terminal, else plain",
  }),
};

export type OptionName = keyof typeof OPTIONS;
type ValueOf<O> = O extends Option<infer T> ? T : never;
export type OptionValues = { [K in OptionName]?: ValueOf<(typeof OPTIONS)[K]> };

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

export function optionOf(name: OptionName): Option<unknown> {
  return OPTIONS[name] as Option<unknown>;
}
