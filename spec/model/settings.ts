import type { Profile } from "./profile.ts";
import type { CreatedResource } from "./result.ts";

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

/** Plain data that can be cloned, because it is sent to vitest's worker. */
export interface Settings {
  /** Without a trailing slash. */
  baseUrl: string;
  embedded: boolean;
  token: string;
  space: string;
  secondSpace?: string;
  /** By default the first token. */
  secondToken?: string;
  /** By name. A value may be a list of ids separated by commas, of which the preflight chooses one. */
  fixtures: Record<string, string>;
  /** A shell command that makes fixtures and prints them as JSON. */
  fixtureCommand?: string;
  /** `all`, `none`, or a value of the version header. */
  serviceVersion: string;
  /** A key of the specification's x-path-readings. */
  paths: string;
  callbackUrl?: string;
  callbackPort?: number;
  profile?: Profile;
  suggestProfile?: boolean;
  notOffered?: string[];
  readOnly: boolean;
  only: string[];
  skip: string[];
  seed: number;
  /** `quick`: the seed samples one check of each group; `full`: all run. */
  depth: "quick" | "full";
  runs: number;
  concurrency: number;
  /** Requests per second; no limit if absent. */
  rate?: number;
  timeout: number;
  /** Milliseconds to wait for a Retry-After; two minutes if absent. */
  maxWait?: number;
  /** Sent with every request. The values are secrets. */
  headers?: Record<string, string>;
  /**
   * PEM texts of trusted authorities, and of the client's certificate and key. `insecure` skips the check of
   * the target's certificate.
   */
  network?: { ca?: string; cert?: string; key?: string; insecure?: boolean };
  /** Bytes of a body, packed or unpacked; 8 MiB if absent. */
  maxBody?: number;
  maxRequests?: number;
  maxCreated?: number;
  /** Resources that an earlier run left, to be used instead of new ones. */
  reuse?: CreatedResource[];
  /** How many requests the run has room for, and why; absent if it should send everything. */
  room?: { requests: number; why: string };
  /** Milliseconds after which nothing more is sent; no limit if absent. */
  within?: number;
  shard?: { index: number; total: number };
  /** The consistency timeout: milliseconds until a write must show in a list. */
  visibilityDelay: number;
  /** POSTs to undocumented operations are sent with valid credentials. */
  postNamedOnly: boolean;
  /** How the user calls the suite, for commands in reports, e.g. `npx payments-conformance`. */
  command?: string;
  /** The path from the working folder, for commands in reports. */
  reportFile?: string;
  replayPaths?: Record<string, string>;
}
