import { groupedBy } from "../spec/grouped.ts";
import { isObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { validRequests } from "./acceptances.ts";
import {
  type Entry,
  isAccepted,
  isRejected,
  requestJson,
  responseJson,
  startsWithin,
  statusOf,
} from "./entry.ts";
import type { History } from "./history.ts";

export interface Outlier {
  before?: Entry;
  entry: Entry;
  after?: Entry;
}

const UNAUTHORIZED = 401;
const EXCUSED: ReadonlySet<number> = new Set([404, 409, 410, 423, 425]);

/**
 * Returns rejections of requests that the service accepted both before and after. A write with an excused status
 * (409) is returned without accepted ones, because a follow-up sends it again.
 */
export function outliers(
  history: History,
  operation: Operation,
): { excused: Outlier[]; unexcused: Outlier[] } {
  const plain = plainRequests(history, operation);
  const alike = groupedBy(plain, placeOfRequest);
  const excused: Outlier[] = operation.body ? rejectedWrites(history, operation) : [];
  const unexcused: Outlier[] = [];
  for (const entry of plain) {
    if (!isJsonRejection(entry)) continue;
    const isUnauthorized = statusOf(entry) === UNAUTHORIZED;
    const equal = isUnauthorized ? withSameAccess(plain, entry) : alike.get(placeOfRequest(entry));
    const before = equal?.findLast((other) => isAccepted(other) && other.ended < entry.begun);
    const after = equal?.find((other) => isAccepted(other) && other.begun > entry.ended);
    if (!before || !after) continue;
    const isExcused = hasExcuse(entry) || (!isUnauthorized && namesItem(operation, entry));
    if (!isExcused) unexcused.push({ before, entry, after });
    else if (!operation.body) excused.push({ before, entry, after });
  }
  return { excused, unexcused };
}

function rejectedWrites(history: History, operation: Operation): Outlier[] {
  const sent = history.entries.filter((entry) => entry.operation === operation && history.isOrdinary(entry));
  const isMeant = (entry: Entry) => isJsonRejection(entry) && hasExcuse(entry);
  const isValid = (entry: Entry) => history.answers.classification(entry).kind === "valid";
  return sent.flatMap((entry): Outlier[] => {
    const earlier = sent.filter(
      ({ request, index }) => request.url === entry.request.url && index < entry.index,
    );
    const latest = earlier.at(-1);
    if (!isMeant(entry) || !isValid(entry) || (latest && isMeant(latest))) return [];
    const before = operation.kind === "update" ? earlier.findLast(isAccepted) : undefined;
    return [before ? { before, entry } : { entry }];
  });
}

export function hasExcuse(entry: Entry): boolean {
  return EXCUSED.has(statusOf(entry) ?? 0);
}

/** True if the same request may be accepted later: a late or busy service rejected it, or a gateway. */
export function mayPass(entry: Entry): boolean {
  return hasExcuse(entry) || responseJson(entry) === undefined;
}

function isJsonRejection(entry: Entry): boolean {
  return isRejected(entry) && responseJson(entry) !== undefined;
}

function plainRequests(history: History, operation: Operation): Entry[] {
  return validRequests(history, operation, (entry) => isPlain(history, operation, entry)).map(
    ({ entry }) => entry,
  );
}

/** True if the page begins at an item that the request names. A late replica may not know the item. */
function namesItem(operation: Operation, entry: Entry): boolean {
  return namedItems(operation, entry).length > 0;
}

function namedItems({ list }: Operation, { request }: Entry): string[] {
  const cursors = [list?.after, list?.before].filter((parameter) => parameter?.cursor === "item");
  return request.query.flatMap(([name, id]) =>
    cursors.some((parameter) => parameter?.name === name) ? [id] : [],
  );
}

export function namesNewItem(history: History, operation: Operation, entry: Entry): boolean {
  const named = namedItems(operation, entry);
  return history.journal.resources.some(
    ({ id, made }) =>
      made !== null && named.includes(id) && startsWithin(entry, made, history.head.consistencyTimeoutMs),
  );
}

function withSameAccess(entries: readonly Entry[], { credential, space }: Entry): Entry[] {
  return entries.filter((other) => other.credential.token === credential.token && other.space === space);
}

/**
 * True if the request has no body, or one that the service must accept and that switches nothing on. A quota may
 * limit `active: true`.
 */
function isPlain(history: History, operation: Operation, entry: Entry): boolean {
  const sent = requestJson(entry);
  if (!operation.body) return true;
  return isObject(sent) && !Object.values(sent).includes(true) && history.mustAcceptBody(operation, sent);
}

export function placeOfRequest({ request, version, space, credential }: Entry): string {
  const headers = request.headers.map(([name]) => name).sort();
  const body = request.body?.json();
  const fields = isObject(body)
    ? Object.entries(body).map(([name, value]) => `${name} ${value === null}`)
    : [];
  return JSON.stringify([request.url, version, space, credential.token, headers, fields.sort()]);
}
