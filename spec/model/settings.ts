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

/** The settings are plain data, because they are sent to vitest's worker. */
export interface Settings {
  /** Without a trailing slash. */
  baseUrl: string;
  embedded: boolean;
  token: string;
  space: string;
  secondSpace?: string;
  /** The token for the second space; by default the first token. */
  secondToken?: string;
  /** Values by name. The preflight chooses one of several ids that are separated by commas. */
  fixtures: Record<string, string>;
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
  depth: "quick" | "full";
  runs: number;
  concurrency: number;
  /** Requests per second; no limit if absent. */
  rate?: number;
  timeout: number;
  /** Milliseconds to wait for a Retry-After; two minutes if absent. */
  maxWait?: number;
  headers?: Record<string, string>;
  /**
   * PEM texts of trusted authorities, and of the client's certificate and key. `insecure` trusts any
   * certificate.
   */
  network?: { ca?: string; cert?: string; key?: string; insecure?: boolean };
  /** The largest body in bytes, packed or unpacked; 8 MiB if absent. */
  maxBody?: number;
  maxRequests?: number;
  maxCreated?: number;
  /** Resources of an earlier run, which are used instead of new ones. */
  reuse?: CreatedResource[];
  /** How many requests the run may send, and why; absent if it should send everything. */
  requestBudget?: { requests: number; why: string };
  /** Milliseconds after which nothing more is sent; no limit if absent. */
  within?: number;
  shard?: { index: number; total: number };
  /** The consistency timeout: milliseconds until a write must show in a list. */
  visibilityDelay: number;
  /** POSTs to undocumented operations are sent with valid credentials. */
  postNamedOnly: boolean;
  command?: string;
  reportFile?: string;
  replayPaths?: Record<string, string>;
}
