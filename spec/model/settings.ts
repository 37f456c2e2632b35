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

/** Settings are plain data, because vitest's worker receives them. */
export interface Settings {
  /** Without a trailing slash. */
  baseUrl: string;
  embedded: boolean;
  token: string;
  space: string;
  secondSpace?: string;
  /** The default is the first token. */
  secondToken?: string;
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
  /** Requests per second; the default is no limit. */
  rate?: number;
  timeout: number;
  /** Milliseconds; the default is two minutes. */
  maxWait?: number;
  headers?: Record<string, string>;
  network?: { ca?: string; cert?: string; key?: string; insecure?: boolean };
  /** Most bytes of an answer, compressed or not; the default is 8 MiB. */
  maxBody?: number;
  maxRequests?: number;
  maxCreated?: number;
  /** Resources of an earlier run, to use instead of new ones. */
  reuse?: CreatedResource[];
  /** Without a budget, the run sends everything. */
  requestBudget?: { requests: number; why: string };
  /** Milliseconds after which the run sends nothing more. */
  within?: number;
  shard?: { index: number; total: number };
  /** The consistency timeout in milliseconds. */
  visibilityDelay: number;
  /** True if the run may send POSTs with valid credentials to undocumented operations. */
  postNamedOnly: boolean;
  command?: string;
  reportFile?: string;
  replayPaths?: Record<string, string>;
}
