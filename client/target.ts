import type { RequestPlan } from "../generators/request.ts";
import type { Entry } from "../history/entry.ts";
import type { History } from "../history/history.ts";
import { idText } from "../spec/identity.ts";
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
  /** Header names are in lower case, and repeated headers are joined. */
  headers: Record<string, string>;
  text: string;
  json: unknown;
}

export interface Receiver {
  address(secret?: string): string;
  wait(timeoutMs: number, isEnough: () => boolean): Promise<void>;
}

export interface ObservedNote {
  note: Note;
  evidence: Exchange[];
}

/** Requests of this role are never repeated. */
export const SIMULTANEOUS = "at once";

export interface Probe {
  id: string;
  stage: Stage;
  /** True if its requests are creates that must be rejected. Some are sent beside the first creates. */
  sendsRejectedCreates?: boolean;
  run(target: Target): Promise<void>;
}

/** The run, as a probe uses it. */
export interface Target {
  readonly spec: Spec;
  readonly settings: Settings;
  /** The run tag, which differs in each run. */
  readonly runId: string;
  /**
   * Sends the request, again after a rate limit or conflict. `valid` says that it breaks no rule.
   * @throws NotTested if there is no answer
   */
  send(plan: RequestPlan, use?: { role?: string; valid?: boolean }): Promise<Answer>;
  /**
   * Reuses the answer to an equal read since the last write, or of reference data (countries).
   * @throws NotTested if there is no answer
   */
  ask(plan: RequestPlan, role?: string): Promise<Answer>;
  history(): History;
  probe(probe: Probe): Promise<Error | undefined>;
  /** Calls `make` once for a key in the run, and once in each confirmation. */
  memoize<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Calls `make` once. Confirmations reuse the value, so no rule may judge it. */
  memoizeUnjudged<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Excludes other work on `key`. */
  withWriteLock<T>(key: string, work: () => Promise<T>): Promise<T>;
  withReadLock<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Waits for another check. */
  resultOf(check: CheckFacts): Promise<CheckResult>;
  /** Counts for the coverage that a constraint (`POST /webhooks body/url maxLength`) met such a value. */
  exercised(constraint: string, by: "valid" | "violating"): void;
  /** Returns undefined if the run has no callback address. */
  receiver(): Promise<Receiver | undefined>;
  pause(milliseconds: number): Promise<void>;
  unique(): string;
}

/** The run, as a check uses it to judge the history and to show its result. */
export interface CheckTarget extends Target {
  /** Waits for writes that are under way. False if there was none. */
  writesRecorded(): Promise<boolean>;
  exchangeOf(this: void, entry: Entry): Exchange;
  /** Records a note of the first round. */
  note(note: Note, evidence: Exchange[]): void;
  /** Sends the probe with this id again. Returns false outside confirmations, which send nothing. */
  rerun(id: string): Promise<boolean>;
  /** Returns the id of a check with this probe. */
  checkThatSends(id: string): string | undefined;
}

/** An operation under a version. Null is a request without a version. */
export interface VersionedOperation {
  readonly target: Target;
  readonly operation: Operation;
  readonly version: string | null;
}

export function isAccepted({ status }: Pick<Answer, "status">): boolean {
  return status >= 200 && status < 300;
}

/** True if the service accepted a request of the operation before. */
export function hasAccepted(target: Target, operation: Operation): boolean {
  return target
    .history()
    .answers.statusesOf(operation)
    .some((status) => isAccepted({ status }));
}

export function isRejected(answer: Answer): boolean {
  return answer.status >= 400 && answer.status < 500;
}

/** True for statuses of gateways, which say nothing about the service. */
export function isUnavailable({ status }: Pick<Answer, "status">): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** Returns `result` of the envelope. */
export function resultOf(answer: Answer): unknown {
  return isObject(answer.json) ? answer.json.result : undefined;
}

/** Returns `result` if it is an object. */
export function resourceOf(answer: Answer): JsonObject | undefined {
  const result = resultOf(answer);
  return isObject(result) ? result : undefined;
}

/** Returns a path segment for a whole number or sendable text, else undefined. */
export function asText(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return isSendable(value) ? value : undefined;
}

/** False for half a surrogate pair, which JSON can hold but a URL can't. */
function isSendable(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

/** Returns the value as a query parameter has it, or undefined if it can't be sent. */
export function asQuery(value: unknown): string | undefined {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  return isSendable(value) ? value : undefined;
}

/** Returns the objects in `result` if it is a list. */
export function itemsOf(answer: Answer): JsonObject[] {
  const result = resultOf(answer);
  return Array.isArray(result) ? result.filter(isObject) : [];
}

/** Returns `pagination` of the envelope, or an empty object. */
export function paginationOf({ json }: Pick<Answer, "json">): JsonObject {
  const pagination = isObject(json) ? json.pagination : undefined;
  return isObject(pagination) ? pagination : {};
}

/** Returns the cursor of the next page, or null at the last. */
export function nextOf(answer: Pick<Answer, "json">): string | null {
  return idText(paginationOf(answer).next) || null;
}
