/** The service under test and the run, as checks and probes see them. */

import type { RequestPlan } from "../generators/request.ts";
import type { Entry } from "../history/entry.ts";
import type { History } from "../history/history.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { CheckFacts, Stage } from "../spec/model/check.ts";
import type { Note } from "../spec/model/note.ts";
import type { CheckResult, Exchange } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";

/** A whole answer of the service; `exchange` is the part for reports. */
export interface Answer {
  plan: RequestPlan;
  exchange: Exchange;
  status: number;
  /** Names are in lower case. Repeated headers are joined with ", ". */
  headers: Record<string, string>;
  /** The beginning of the body that is kept. */
  text: string;
  /** The whole body, parsed; undefined if it is not JSON. */
  json: unknown;
}

/** A webhook delivery to the callback URL. Header names are in lower case. */
export interface Delivery {
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** A callback address of this run, and the deliveries to it. */
export interface Mailbox {
  url: string;
  /** In the order of arrival. Grows while the service delivers. */
  readonly arrived: readonly Delivery[];
  /** Waits until a delivery has arrived or `isDone` holds, at most `patience` milliseconds. */
  wait(patience: number, isDone?: (arrived: readonly Delivery[]) => boolean): Promise<void>;
}

export interface Receiver {
  /** A new address that nobody knows yet. */
  mailbox(): Mailbox;
}

/** An observation, and the exchanges that show it. */
export interface Seen {
  note: Note;
  evidence: Exchange[];
}

/** The role of concurrent calls. They are never repeated one by one. */
export const SIMULTANEOUS = "at once";

/** Requests that are sent so that rules have something to judge. A probe judges nothing. */
export interface Probe {
  id: string;
  stage: Stage;
  /** @throws Untestable if a request can't be sent, e.g. without a fixture */
  run(target: Target): Promise<void>;
}

export interface Target {
  readonly spec: Spec;
  readonly settings: Settings;
  /** The run tag. It marks everything that this run creates, and differs in every run, whatever the seed. */
  readonly runId: string;
  /** Seed of this check's generators, derived from the run's seed and the check's id. */
  readonly seed: number;
  readonly replayPath: string | undefined;
  /**
   * Sends a request, if necessary again after a rate limit or a conflict with another write. `valid` marks a
   * request that breaks no rule and should succeed. @throws Untestable if there is no answer
   */
  send(plan: RequestPlan, use?: { role?: string; valid?: boolean }): Promise<Answer>;
  /**
   * The answer to a valid read, shared until the run sends a write. For a read that must be sent again, use
   * `send`. @throws Untestable if there is no answer
   */
  ask(plan: RequestPlan, role?: string): Promise<Answer>;
  /** The exchanges of the run so far, or of the current round of a confirmation. */
  history(): History;
  /** Sends the requests of a probe, once in a run. Returns the error if a request can't be sent. */
  probe(probe: Probe): Promise<Error | undefined>;
  exchangeOf(this: void, entry: Entry): Exchange;
  /** Makes a value once for all checks. A check that is confirmed makes a new one. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Makes a value once in a run, confirmations included. For facts about the service that are not judged. */
  remember<T>(key: string, make: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` while no other check has the lock `key`. With `fixture`, checks that are confirmed do not go
   * first.
   */
  exclusive<T>(key: string, work: () => Promise<T>, use?: { fixture?: boolean }): Promise<T>;
  /** Runs `work` with the shared lock `key`, beside others that share it. */
  beside<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Records an observation, on which the specification is silent. Without `evidence`, the latest exchange is
   * its evidence.
   */
  note(note: Note, evidence?: Exchange[]): void;
  /**
   * The result and observations of another check. Runs that check if it has not run, unless the user left it
   * out.
   */
  observedBy(check: CheckFacts): Promise<{ result: CheckResult; seen: Seen[] }>;
  /** In a confirmation, runs another check or probe again and returns true. Otherwise returns false. */
  triedAgain(id: string): Promise<boolean>;
  /** The id of a check that sends the same requests as a check or probe; undefined if none did. */
  checkThatSends(id: string): string | undefined;
  /** Counts a probe that keeps (`valid`) or breaks a constraint. */
  exercised(constraint: string, valid: boolean): void;
  /** Receives deliveries; undefined if the user offers no callback URL. */
  receiver(): Promise<Receiver | undefined>;
  /** Waits. In a confirmation, nothing else runs meanwhile. */
  pause(milliseconds: number): Promise<void>;
  /** Waits. In a confirmation, other checks go on meanwhile. */
  giveWay(milliseconds: number): Promise<void>;
  /** A short text that begins with the run tag and differs at every call. */
  unique(): string;
}

/** True for every 2xx. Which 2xx is right (section 4) is another rule's matter. */
export function isAccepted(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** True if an operation has accepted a call in this run. */
export function hasAccepted(target: Target, operation: Operation): boolean {
  const statuses = target.history().answers.statusesOf(operation);
  return statuses.some((status) => status >= 200 && status < 300);
}

/** True for a 4xx: no other answer counts as a rejection. */
export function isRejected(answer: Answer): boolean {
  return answer.status >= 400 && answer.status < 500;
}

/** True for a 5xx. A 501 of an operation without a documented shape only says that it does not exist. */
export function isServerError({ status, plan }: Answer): boolean {
  return status >= 500 && !(status === 501 && plan.operation.kind === "named");
}

/** True for 502, 503 and 504: a proxy answers and its service is away. */
export function isUnavailable({ status }: Pick<Answer, "status">): boolean {
  return status === 502 || status === 503 || status === 504;
}

export function resultOf(answer: Answer): unknown {
  return isObject(answer.json) ? answer.json.result : undefined;
}

/** The member `result` of an answer with a single resource; undefined otherwise. */
export function resourceOf(answer: Answer): JsonObject | undefined {
  const result = resultOf(answer);
  return isObject(result) ? result : undefined;
}

/**
 * A value as path segment or query: a text that is not empty, or a whole number; undefined for other values.
 */
export function asText(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return isSendable(value) ? value : undefined;
}

/** JSON can hold halves of surrogate pairs, but URLs can't. */
function isSendable(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

/** A text, number or boolean as a query parameter; undefined for other values. */
export function asQuery(value: unknown): string | undefined {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  return isSendable(value) ? value : undefined;
}

/** The items of a list answer that are objects; empty if `result` is null. */
export function itemsOf(answer: Answer): JsonObject[] {
  const result = resultOf(answer);
  return Array.isArray(result) ? result.filter(isObject) : [];
}

/** The member `pagination` of an answer; an empty object if there is none. */
export function paginationOf(answer: Answer): JsonObject {
  const pagination = isObject(answer.json) ? answer.json.pagination : undefined;
  return isObject(pagination) ? pagination : {};
}

/** The cursor of the next page; null for no cursor or an empty one. */
export function nextOf(answer: Answer): string | null {
  const next = paginationOf(answer).next;
  return typeof next === "string" && next !== "" ? next : null;
}
