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

export interface Answer {
  plan: RequestPlan;
  exchange: Exchange;
  status: number;
  /** Names are in lower case. Repeated headers are joined with ", ". */
  headers: Record<string, string>;
  text: string;
  /** Undefined if the body is not JSON. */
  json: unknown;
}

export interface Receiver {
  address(secret?: string): string;
  wait(timeoutMs: number, isEnough: () => boolean): Promise<void>;
}

export interface Seen {
  note: Note;
  evidence: Exchange[];
}

/** The role of concurrent requests. They are never repeated, because a repetition would not be concurrent. */
export const SIMULTANEOUS = "at once";

export interface Probe {
  id: string;
  stage: Stage;
  /**
   * Sends the requests.
   * @throws NotTested if a request can't be sent, for example without a fixture
   */
  run(target: Target): Promise<void>;
}

export interface Target {
  readonly spec: Spec;
  readonly settings: Settings;
  /** The run tag. It marks everything that this run creates, and differs in every run, whatever the seed. */
  readonly runId: string;
  readonly seed: number;
  readonly replayPath: string | undefined;
  /**
   * Sends a request, and sends it again after a rate limit or a conflict with another write. `valid` marks a
   * request that breaks no rule.
   * @throws NotTested if there is no answer
   */
  send(plan: RequestPlan, use?: { role?: string; valid?: boolean }): Promise<Answer>;
  /**
   * Sends a valid read, or returns the answer to an equal read since the run's last write. For reference
   * data, any equal read of the run.
   * @throws NotTested if there is no answer
   */
  ask(plan: RequestPlan, role?: string): Promise<Answer>;
  /** The history of the run so far, or of the current confirmation round. */
  history(): History;
  /** Sends the requests of a probe once in a run. Returns the error if one can't be sent. */
  probe(probe: Probe): Promise<Error | undefined>;
  exchangeOf(this: void, entry: Entry): Exchange;
  /** Makes a value once for all checks. A check that is confirmed makes a new one. */
  memoize<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Makes a value once, also for confirmations. Only for facts about the service that no rule judges. */
  memoizeUnjudged<T>(key: string, make: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` while it holds the write lock `key`. Checks that are confirmed go first, except with
   * `fixture`.
   */
  withWriteLock<T>(key: string, work: () => Promise<T>, use?: { fixture?: boolean }): Promise<T>;
  withReadLock<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Records behaviour on which the specification is silent. By default, the latest exchange is the evidence.
   */
  note(note: Note, evidence?: Exchange[]): void;
  resultOf(check: CheckFacts): Promise<CheckResult>;
  /** In a confirmation, runs another check or probe again and returns true. Otherwise returns false. */
  rerun(id: string): Promise<boolean>;
  checkThatSends(id: string): string | undefined;
  /** Counts a probe for the coverage in the report. `valid` is true if the probe keeps the constraint. */
  exercised(constraint: string, valid: boolean): void;
  receiver(): Promise<Receiver | undefined>;
  /** Waits. In a confirmation, no other check runs meanwhile. */
  pause(milliseconds: number): Promise<void>;
  /** Waits. In a confirmation, other checks go on meanwhile. */
  yieldFor(milliseconds: number): Promise<void>;
  unique(): string;
}

/** True for every 2xx status. Another rule judges which 2xx is right. */
export function isAccepted(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

export function hasAccepted(target: Target, operation: Operation): boolean {
  const statuses = target.history().answers.statusesOf(operation);
  return statuses.some((status) => status >= 200 && status < 300);
}

export function isRejected(answer: Answer): boolean {
  return answer.status >= 400 && answer.status < 500;
}

/** True for a 5xx, except the 501 of an undocumented operation, which may not exist. */
export function isServerError({ status, plan }: Answer): boolean {
  return status >= 500 && !(status === 501 && plan.operation.kind === "named");
}

export function isUnavailable({ status }: Pick<Answer, "status">): boolean {
  return status === 502 || status === 503 || status === 504;
}

export function resultOf(answer: Answer): unknown {
  return isObject(answer.json) ? answer.json.result : undefined;
}

export function resourceOf(answer: Answer): JsonObject | undefined {
  const result = resultOf(answer);
  return isObject(result) ? result : undefined;
}

/** A text that is not empty, or a whole number, as a text. Undefined for other values. */
export function asText(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return isSendable(value) ? value : undefined;
}

/** True for a text that a URL can hold. JSON can also hold half a surrogate pair. */
function isSendable(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

export function asQuery(value: unknown): string | undefined {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  return isSendable(value) ? value : undefined;
}

export function itemsOf(answer: Answer): JsonObject[] {
  const result = resultOf(answer);
  return Array.isArray(result) ? result.filter(isObject) : [];
}

export function paginationOf(answer: Answer): JsonObject {
  const pagination = isObject(answer.json) ? answer.json.pagination : undefined;
  return isObject(pagination) ? pagination : {};
}

export function nextOf(answer: Answer): string | null {
  const next = paginationOf(answer).next;
  return typeof next === "string" && next !== "" ? next : null;
}
