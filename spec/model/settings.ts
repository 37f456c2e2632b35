/** The settings of a run: what flags, environment and file come to, checked and with defaults filled in. */

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

/** Plain, structured-cloneable data: it crosses from the command's process into vitest's worker. */
export interface Settings {
  /** Base URL of the service under test, without a trailing slash. */
  baseUrl: string;
  /** Whether the target is the reference service that this run started. */
  embedded: boolean;
  token: string;
  space: string;
  secondSpace?: string;
  /** Token for the second space; the first token when left out. */
  secondToken?: string;
  /** By name. A fixture that names a resource may be a list of ids, with commas: the preflight chooses one. */
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
  /** Whether a profile is to be written from what the run sees. */
  suggestProfile?: boolean;
  /** Keys of the operations that the service is declared not to offer. */
  notOffered?: string[];
  readOnly: boolean;
  only: string[];
  skip: string[];
  seed: number;
  /** `quick` tries one of each group of rotated checks, chosen by the seed; `full` tries them all. */
  depth: "quick" | "full";
  /** Cases per property. */
  runs: number;
  /** Most requests in flight. */
  concurrency: number;
  /** Most requests a second; no limit when left out. */
  rate?: number;
  /** Milliseconds to wait for an answer. */
  timeout: number;
  /** Most milliseconds to wait for a Retry-After; two minutes when left out. */
  maxWait?: number;
  /** Headers that every request carries beside those of the specification; their values are secrets. */
  headers?: Record<string, string>;
  /** Certificates, in PEM: trusted authorities, the suite's own with its key; and whether none are checked. */
  network?: { ca?: string; cert?: string; key?: string; insecure?: boolean };
  /** Most bytes that are read of the body of one answer, packed or unpacked; 8 MiB when left out. */
  maxBody?: number;
  /** Most requests in all; no limit when left out. */
  maxRequests?: number;
  /** Most resources that are created; no limit when left out. */
  maxCreated?: number;
  /** What an earlier run left on the service, to work on instead of making new ones. */
  reuse?: CreatedResource[];
  /** How much a run may ask in all, if it is not to try everything, and why. */
  room?: { requests: number; why: string };
  /** Milliseconds after which nothing more is asked; no limit when left out. */
  within?: number;
  shard?: { index: number; total: number };
  /** Milliseconds that a created or updated resource may take to show in a list. */
  visibilityDelay: number;
  /** Whether POSTs to operations without a shown shape are sent with valid credentials. */
  postNamedOnly: boolean;
  /** How the suite is called, for the commands that reports name: `npx payments-conformance`. */
  command?: string;
  /** Where report.json will be, seen from where the command runs; for the commands that reports name. */
  reportFile?: string;
  /** For replay: fast-check's path to the counterexample, by check id. */
  replayPaths?: Record<string, string>;
}
