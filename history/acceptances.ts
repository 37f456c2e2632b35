import { isObject } from "../spec/json.ts";
import type { Note } from "../spec/model/note.ts";
import type { Operation } from "../spec/model/spec.ts";
import type { Answer } from "./answers.ts";
import type { Feature } from "./classification.ts";
import { type Entry, isAccepted, isRejected, requestJson, responseJson, statusOf } from "./entry.ts";
import type { History } from "./history.ts";
import { judged, notExercised, noted, type RuleResult } from "./result.ts";
import { isServed } from "./served.ts";

export function validRequests(
  history: History,
  operation: Operation,
  isMeant: (entry: Entry) => boolean,
): Answer[] {
  return withoutFault(history, operation, (entry) => isMeant(entry) && history.isOrdinary(entry));
}

export function featuredRequests(
  history: History,
  operation: Operation,
  requirement: string,
  isMeant: (features: readonly Feature[], entry: Entry) => boolean = () => true,
): Answer[] {
  return withoutFault(history, operation, (entry) => {
    const { features = [] } = { features: [], ...history.answers.classification(entry) };
    return features.some((each) => each.requirement === requirement) && isMeant(features, entry);
  });
}

export function openRequests(
  history: History,
  operation: Operation,
  isMeant: (entry: Entry) => boolean,
): Answer[] {
  return history.answers.to(operation).filter(({ entry }) => {
    const found = history.answers.classification(entry);
    return found.kind === "doubtful" && found.faults.length === 0 && isMeant(entry);
  });
}

function withoutFault(history: History, operation: Operation, isMeant: (entry: Entry) => boolean): Answer[] {
  return history.answers
    .to(operation)
    .filter(
      ({ entry }) =>
        history.isOfRound(entry) && isMeant(entry) && history.answers.classification(entry).kind === "valid",
    );
}

export function notesOn(answers: readonly Answer[], noteOf: (answer: Answer) => Note): RuleResult {
  const entries = answers.map(({ entry }) => entry);
  return noted(answers.map(noteOf), entries, "no request had such a value");
}

/** Answers under a version that the operation accepts in ordinary valid requests, too. */
export function twinned(history: History, operation: Operation, answers: readonly Answer[]): Answer[] {
  const versions = validRequests(history, operation, isAccepted).map(({ entry }) => entry.version);
  return answers.filter(({ entry }) => versions.includes(entry.version));
}

export function mustBeAccepted(
  history: History,
  operation: Operation,
  answers: readonly Answer[],
  what: string,
): RuleResult {
  const rejected = answers.map(({ entry }) => entry).filter(isRejected);
  const violations = rejected
    .filter((entry) => !isVersionRejected(history, operation, entry))
    .map((entry) => ({
      certainty: "suspected" as const,
      expected: `${what} to be accepted`,
      actual: `status ${statusOf(entry)}`,
      shownBy: [{ entry, offending: "status" }],
    }));
  const served = answers.filter(isServed).map(({ entry }) => entry);
  return judged(violations, served, unserved(answers));
}

function isVersionRejected(history: History, operation: Operation, { version }: Entry): boolean {
  const accepted = validRequests(history, operation, isAccepted).map(({ entry }) => entry.version);
  return accepted.length > 0 && !accepted.includes(version);
}

/**
 * A valid request that was rejected, although an equal request was accepted before it and another after it.
 */
export interface Outlier {
  before: Entry;
  entry: Entry;
  after: Entry;
  /**
   * True if a replica that lags behind, or a service that is busy for a moment, may explain the rejection.
   */
  isExcused: boolean;
}

const UNAUTHORIZED = 401;
const EXCUSED: ReadonlySet<number> = new Set([404, 409, 410, 423, 425]);

/**
 * Valid requests that were rejected once. A rejection that is not JSON is left out, because it may come from
 * a gateway.
 */
export function outliers(history: History, operation: Operation): Outlier[] {
  const valid = validRequests(history, operation, (entry) => isPlain(history, operation, entry));
  const alike = new Map<string, Entry[]>();
  for (const { entry } of valid) {
    const place = placeOfRequest(entry);
    alike.set(place, [...(alike.get(place) ?? []), entry]);
  }
  return valid.flatMap(({ entry, status }): Outlier[] => {
    const isJson = responseJson(entry) !== undefined;
    if (!isRejected(entry) || !isJson) return [];
    const equal = status === UNAUTHORIZED ? withSameAccess(valid, entry) : alike.get(placeOfRequest(entry));
    const before = equal?.findLast((other) => isAccepted(other) && other.ended < entry.begun);
    const after = equal?.find((other) => isAccepted(other) && other.begun > entry.ended);
    const isExcused = EXCUSED.has(status) || (status !== UNAUTHORIZED && namesItem(operation, entry));
    return before && after ? [{ before, entry, after, isExcused }] : [];
  });
}

/** True if the page begins at an item, which a copy that lags behind may not know yet. */
function namesItem({ list }: Operation, { request }: Entry): boolean {
  const cursors = [list?.after, list?.before].filter((parameter) => parameter?.cursor === "item");
  return request.query.some(([name]) => cursors.some((parameter) => parameter?.name === name));
}

function withSameAccess(answers: readonly Answer[], { credential, space }: Entry): Entry[] {
  const entries = answers.map(({ entry }) => entry);
  return entries.filter((other) => other.credential.token === credential.token && other.space === space);
}

/**
 * True for an ordinary request. A service may decline some values, and a quota may count a write that
 * switches something on.
 */
function isPlain(history: History, operation: Operation, entry: Entry): boolean {
  const sent = requestJson(entry);
  if (!operation.body) return true;
  return isObject(sent) && !Object.values(sent).includes(true) && history.mustBeTaken(operation, sent);
}

/**
 * A text that is the same for equal requests. Writes differ in their values, and each create has its own key.
 */
function placeOfRequest({ request, version, space, credential }: Entry): string {
  const headers = request.headers.map(([name]) => name).sort();
  const body = request.body?.json();
  const fields = isObject(body)
    ? Object.entries(body).map(([name, value]) => `${name} ${value === null}`)
    : [];
  return JSON.stringify([request.url, version, space, credential.token, headers, fields.sort()]);
}

function unserved([first]: readonly Answer[]): RuleResult {
  if (!first) return notExercised("no-data", "no valid request had this value alone");
  const { entry, status } = first;
  if (isRejected(entry))
    return notExercised("control-rejected", `version ${entry.version ?? "none"} is rejected`, [entry]);
  if (status >= 500) return notExercised("server-error", `it was answered ${status}`, [entry]);
  return notExercised("no-data", "it was accepted, and shows nothing for it", [entry]);
}
