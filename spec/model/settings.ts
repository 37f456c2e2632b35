/** The settings of a run: flags, environment and file together, checked, with defaults filled in. */

import type { Profile } from "./profile.ts";
import type { CreatedResource } from "./result.ts";

/** The names that `--fixture` takes. */
export const FIXTURE_NAMES = [
  "paymentCode",
  "mutablePaymentCode",
  "cancellablePaymentCode",
  "payout",
  "mutablePayout",
  "currency",
  "country",
  "eventNames",
  "webhookUrl",
  "alertEmails",
  "providerId",
  "orderNumber",
] as const;

/** Plain data that can be cloned: it is sent to vitest's worker. */
export interface Settings {
  /** Base URL of the service under test, without a trailing slash. */
  baseUrl: string;
  /** True if the target is the reference service that this run started. */
  embedded: boolean;
  token: string;
  space: string;
  secondSpace?: string;
  /** Token for the second space; the first token if left out. */
  secondToken?: string;
  /** By name. The value may be a list of ids with commas: the preflight chooses one. */
  fixtures: Record<string, string>;
  /** A shell command that makes fixtures and prints them as JSON. */
  fixtureCommand?: string;
  /** `all`, `none`, or one allowed value of the version header. */
  serviceVersion: string;
  /** A key of the spec's x-path-readings. */
  paths: string;
  callbackUrl?: string;
  callbackPort?: number;
  /** The vendor profile in force. */
  profile?: Profile;
  /** True if the run should write a profile from its observations. */
  suggestProfile?: boolean;
  /** Keys of the operations that the service is declared not to offer. */
  notOffered?: string[];
  readOnly: boolean;
  only: string[];
  skip: string[];
  seed: number;
  /** `quick` samples one check of each group by seed; `full` runs all. */
  depth: "quick" | "full";
  /** Cases per property. */
  runs: number;
  /** Most requests in flight. */
  concurrency: number;
  /** Most requests per second; no limit if left out. */
  rate?: number;
  /** Milliseconds to wait for an answer. */
  timeout: number;
  /** Most milliseconds to wait for a Retry-After; two minutes if left out. */
  maxWait?: number;
  /** Extra headers of every request. Their values are secrets. */
  headers?: Record<string, string>;
  /** PEM texts of trusted authorities and of the client's own certificate and key; `insecure` checks no certificate. */
  network?: { ca?: string; cert?: string; key?: string; insecure?: boolean };
  /** Most bytes of one answer's body that are read, packed or unpacked; 8 MiB if left out. */
  maxBody?: number;
  /** Most requests of the run; no limit if left out. */
  maxRequests?: number;
  /** Most resources that are created; no limit if left out. */
  maxCreated?: number;
  /** Resources that an earlier run left, to use instead of new ones. */
  reuse?: CreatedResource[];
  /** The number of requests if the run should not send everything, and the reason. */
  room?: { requests: number; why: string };
  /** Milliseconds after which nothing more is sent; no limit if left out. */
  within?: number;
  shard?: { index: number; total: number };
  /** The consistency timeout: milliseconds until a write must show in a list. */
  visibilityDelay: number;
  /** True if POSTs to operations without a documented shape are sent with valid credentials. */
  postNamedOnly: boolean;
  /** How the user calls the suite, for commands in reports: `npx payments-conformance`. */
  command?: string;
  /** Path of report.json from the working folder, for commands in reports. */
  reportFile?: string;
  /** For replay: fast-check's path to the counterexample, by check id. */
  replayPaths?: Record<string, string>;
}
