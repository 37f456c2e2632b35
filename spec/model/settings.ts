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
  /** The URL without a trailing slash. */
  baseUrl: string;
  embedded: boolean;
  token: string;
  space: string;
  secondSpace?: string;
  /** Default: the first token. */
  secondToken?: string;
  fixtures: Record<string, string>;
  fixtureCommand?: string;
  /** `all`, `none` or the name of a version. */
  serviceVersion: string;
  /** A key of x-path-readings. */
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
  /** Requests per second. Default: no limit. */
  rate?: number;
  timeout: number;
  /** Milliseconds to wait for a rate limit. Default: two minutes. */
  maxWait?: number;
  headers?: Record<string, string>;
  network?: { ca?: string; cert?: string; key?: string; insecure?: boolean };
  /** The most bytes of an answer, compressed or not. Default: 8 MiB. */
  maxBody?: number;
  maxRequests?: number;
  maxCreated?: number;
  /** Resources to use instead of new ones. */
  reuse?: CreatedResource[];
  requestBudget?: { requests: number; why: string };
  /** Milliseconds until the run sends nothing more. */
  within?: number;
  shard?: { index: number; total: number };
  /** The consistency timeout in milliseconds. */
  visibilityDelay: number;
  /** True if undocumented operations may get POSTs with valid credentials. */
  postNamedOnly: boolean;
  command?: string;
  reportFile?: string;
}
