/** What a check sees of the service under test, and of the run that it is part of. */

import type { RequestPlan } from "../generators/request.ts";
import type { Entry } from "../history/entry.ts";
import type { History } from "../history/history.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { CheckFacts, Stage } from "../spec/model/check.ts";
import type { Note } from "../spec/model/note.ts";
import type { CheckResult, Exchange } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";

/** An answer of the service, whole; `exchange` is what may be shown of it. */
export interface Answer {
  plan: RequestPlan;
  exchange: Exchange;
  status: number;
  /** Names in lower case; repeated headers joined with ", ". */
  headers: Record<string, string>;
  /** The body as it is kept to be shown: its beginning, where it is long. */
  text: string;
  /** The whole body, parsed; undefined when it is no JSON. */
  json: unknown;
}

/** What a webhook sent to the callback URL. Header names in lower case. */
export interface Delivery {
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** An address that this run made up, and what was delivered to it. */
export interface Mailbox {
  url: string;
  /** In the order of arrival; grows while the service delivers. */
  readonly arrived: readonly Delivery[];
  /** Waits so many milliseconds at most, until something has arrived or `isDone` says so. */
  wait(patience: number, isDone?: (arrived: readonly Delivery[]) => boolean): Promise<void>;
}

/** Where deliveries arrive. */
export interface Receiver {
  /** A new address that nobody knows yet. */
  mailbox(): Mailbox;
}

/** A note, with the exchanges that show it. */
export interface Seen {
  note: Note;
  evidence: Exchange[];
}

/** What a call is for that is meant to meet others like it: it is not asked for again by itself. */
export const SIMULTANEOUS = "at once";

/** A fault that an answer shows by itself, with the exchange that shows it and the check that had asked. */
export interface SeenFault {
  requirement: string;
  expected: string;
  actual: string;
  /** What of the exchange is at fault. */
  offending?: string;
  /** Fields that hold null where there may be none. */
  nulls?: readonly string[];
  evidence: Exchange[];
  check: string;
  /** Whether a valid request shows it. */
  valid?: boolean;
}

/** What all answers of the run showed by themselves. */
export interface SeenAnswers {
  /** The first fault of a requirement by an operation's answers, if any, and how many there were. */
  fault(operation: Operation, requirement: string): { first: SeenFault; count: number } | undefined;
  /** A server error that an equal request did not get again, and what came instead. */
  passingError(operation: Operation): Exchange[] | undefined;
  /** A server error in the midst of simultaneous calls, seen in one race only so far. */
  racedError(operation: Operation): SeenFault | undefined;
  /** Whether the operation has accepted a call in this run. */
  hasAccepted(operation: Operation): boolean;
  /** The statuses that the operation's calls were answered with. */
  statusesOf(operation: Operation): number[];
  /** Whether any answer of the operation could have broken the requirement. */
  wasExercised(operation: Operation, requirement: string): boolean;
  /** Values seen of the open enumerations (x-observe). */
  observed(operation: Operation, requirement: string): string[];
  /** Pointers of fields that the operation's answers had and the specification does not name. */
  extraFields(operation: Operation): string[];
  /** Whether the operation showed enough different resources for what none of them held to be left out on purpose. */
  showedEnough(operation: Operation): boolean;
  /** Documented fields of the operation's resource that no answer of the run held. */
  unseenFields(operation: Operation): string[];
}

/** Requests that are sent so that rules have something to judge. A probe never says whether an answer is right. */
export interface Probe {
  id: string;
  stage: Stage;
  /** Throws Untestable if it can't be sent, e.g. for want of a fixture. */
  run(target: Target): Promise<void>;
}

export interface Target {
  readonly spec: Spec;
  readonly settings: Settings;
  /** Marks everything that this run creates. Never the same twice, whatever the seed. */
  readonly runId: string;
  /** Seed for the generators of this check: made of the run's seed and the check's id. */
  readonly seed: number;
  /** fast-check's path to a counterexample that is to be tried again, when replaying. */
  readonly replayPath: string | undefined;
  readonly answers: SeenAnswers;
  /**
   * Sends a request and waits for its answer, through rate limits and out of the way of other writes. `valid` says that the request breaks no rule,
   * so that anything but a success is remarkable. Throws Untestable when no answer can be had.
   */
  send(plan: RequestPlan, use?: { role?: string; valid?: boolean }): Promise<Answer>;
  /**
   * The answer to a valid read, asked once while the run itself sends no write, for all who ask the same. What is
   * about asking again must `send`. Throws Untestable when no answer can be had.
   */
  ask(plan: RequestPlan, role?: string): Promise<Answer>;
  /** The exchanges of the run so far, or of the confirmation round that the check is tried in. */
  history(): History;
  /** Sends the requests of a probe, once; the reason if it can't be sent. */
  probe(probe: Probe): Promise<Error | undefined>;
  /** An exchange as it may be shown. */
  exchangeOf(this: void, entry: Entry): Exchange;
  /** Makes a value once, for all checks that share it; a check that is tried again makes it anew. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Makes a value once in a run, also for checks that are tried again: what is known of the service, not judged. */
  remember<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** Runs `work` while no other check holds the same key; on a `fixture` it gives no way to checks that are tried again. */
  exclusive<T>(key: string, work: () => Promise<T>, use?: { fixture?: boolean }): Promise<T>;
  /** Runs `work` while nobody holds the key alone. */
  beside<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Notes what the service does where the specification is silent; `evidence` is what was asked last, when left out. */
  note(note: Note, evidence?: Exchange[]): void;
  /** What came of another check of this run and what it observed. One that was not tried yet is, unless the user left it out. */
  observedBy(check: CheckFacts): Promise<{ result: CheckResult; seen: Seen[] }>;
  /** If this check is tried again: tries another check of this run, or sends a probe, again; else false. */
  triedAgain(id: string): Promise<boolean>;
  /** Counts a probe inside (valid) or outside of a constraint. */
  exercised(constraint: string, valid: boolean): void;
  /** Where deliveries arrive; undefined when the user offers no callback URL. */
  receiver(): Promise<Receiver | undefined>;
  /** Nothing else is tried meanwhile if this check is tried again. */
  pause(milliseconds: number): Promise<void>;
  /** The same for what is no worse for what others send meanwhile: other checks that are tried again go on. */
  giveWay(milliseconds: number): Promise<void>;
  /** A short text, different at every call, that begins with the run's mark. */
  unique(): string;
}

/** 2xx. */
export function isAccepted(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** 4xx: the only answer that counts as a rejection. */
export function isRejected(answer: Answer): boolean {
  return answer.status >= 400 && answer.status < 500;
}

/** 5xx; but a 501 of an operation that is only named says that it does not exist. */
export function isServerError({ status, plan }: Answer): boolean {
  return status >= 500 && !(status === 501 && plan.operation.kind === "named");
}

/** Bad Gateway, Service Unavailable, Gateway Timeout: what stands before a service that is not there. */
export function isUnavailable({ status }: Pick<Answer, "status">): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** result of an answer, whatever it is; undefined where there is none. */
export function resultOf(answer: Answer): unknown {
  return isObject(answer.json) ? answer.json.result : undefined;
}

/** result of an answer that shows a single resource; undefined where it does not. */
export function resourceOf(answer: Answer): JsonObject | undefined {
  const result = resultOf(answer);
  return isObject(result) ? result : undefined;
}

/** A value as it stands in a path or a query: a text that is not empty, or a whole number. */
export function asText(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return isSendable(value) ? value : undefined;
}

/** Halves of surrogate pairs, which JSON can spell, stand in no URL. */
function isSendable(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

/** A value of a field as a query asks for it: texts, numbers and switches. */
export function asQuery(value: unknown): string | undefined {
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  return isSendable(value) ? value : undefined;
}

/** The items of a list answer that are objects; none where result is null. */
export function itemsOf(answer: Answer): JsonObject[] {
  const result = resultOf(answer);
  return Array.isArray(result) ? result.filter(isObject) : [];
}

/** pagination of an answer; an empty object where there is none. */
export function paginationOf(answer: Answer): JsonObject {
  const pagination = isObject(answer.json) ? answer.json.pagination : undefined;
  return isObject(pagination) ? pagination : {};
}

/** The cursor to the next page, or null; an empty one leads nowhere. */
export function nextOf(answer: Answer): string | null {
  const next = paginationOf(answer).next;
  return typeof next === "string" && next !== "" ? next : null;
}

/** The value of one query parameter of a request. */
export function queryOf(plan: RequestPlan, name: string | undefined): string | undefined {
  return plan.query.find(([candidate]) => candidate === name)?.[1];
}
