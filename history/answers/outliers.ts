import { fixtureValues } from "../../spec/fixture-values.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { isObject, sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isOfRepetition } from "../classification.ts";
import { createsById } from "../creates/keys.ts";
import {
  type Entry,
  hasExcusedStatus,
  hasSameCaller,
  idempotencyKeyIn,
  isAccepted,
  isRejected,
  objectSent,
  responseJson,
  startsWithin,
  statusOf,
  UNAUTHORIZED,
} from "../entry.ts";
import type { History } from "../history.ts";
import { memberKey } from "../values/accepted-members.ts";
import { textsIn } from "../values/tags.ts";
import { mayNeedOtherState } from "./actions-done.ts";

/** A rejected valid request among accepted ones like it. */
export interface Outlier {
  before: Entry | undefined;
  entry: Entry;
  after: Entry | undefined;
}

/** Returns rejections between accepted requests. Excused writes need none: a follow-up sends them again. */
export function outliers(
  history: History,
  operation: Operation,
): { excused: Outlier[]; unexcused: Outlier[] } {
  const plain = plainRequests(history, operation);
  const byShape = groupedBy(plain, requestShape);
  const likeIt = (entry: Entry) =>
    isUnauthorized(entry)
      ? plain.filter((other) => hasSameCaller(other, entry))
      : (byShape.get(requestShape(entry)) ?? []);
  const all = plain
    .filter(isJsonRejection)
    .map((entry) => betweenAccepted(entry, likeIt(entry)))
    .filter((outlier) => outlier !== undefined);
  const isExcused = ({ entry }: Outlier) =>
    (hasExcusedStatus(entry) && !isRejectedForGood(entry, plain)) ||
    (operation.kind === "read" && isOfNewResource(history, entry)) ||
    (!isUnauthorized(entry) && itemsNamed(operation, entry).length > 0);
  return {
    excused: operation.body ? rejectedWrites(history, operation) : all.filter(isExcused),
    unexcused: all.filter((outlier) => !isExcused(outlier)),
  };
}

function betweenAccepted(entry: Entry, others: readonly Entry[]): Outlier | undefined {
  const accepted = others.filter(isAccepted);
  const before = accepted.findLast((other) => other.ended < entry.begun);
  const after = accepted.find((other) => other.begun > entry.ended);
  return before && after && { before, entry, after };
}

function rejectedWrites(history: History, operation: Operation): Outlier[] {
  return operation.kind === "create"
    ? rejectedCreates(history, operation)
    : rejectedUpdates(history, operation);
}

/** Returns the first of successive rejections of valid creates, even if the client sent a create again with success. */
function rejectedCreates(history: History, operation: Operation): Outlier[] {
  const needsOtherState = mayNeedOtherState(history, operation);
  const sent = history.entries.filter(
    (entry) =>
      entry.operation === operation &&
      !needsOtherState(entry) &&
      history.isOrdinary(entry) &&
      namesKnownMembers(history, operation, entry) &&
      history.answers.isValid(entry),
  );
  return sent.flatMap((entry, index) => {
    const previous = sent[index - 1];
    const isFirst = isJsonRejection(entry) && !(previous && isRejected(previous));
    return isFirst ? [{ before: undefined, entry, after: undefined }] : [];
  });
}

/** False for list members that only the service knows to be good, and that it never accepted. */
function namesKnownMembers(
  { spec, head, acceptedMembers }: History,
  { body }: Operation,
  entry: Entry,
): boolean {
  const sent = objectSent(entry);
  if (!body || !sent) return true;
  return spec.schemas.fields(body).every(([name, { "x-values-from": from }]) => {
    const members = sent[name];
    if (!from || !Array.isArray(members)) return true;
    const given = fixtureValues(head.fixtures[from.fixture]);
    return members.every(
      (member) => given.includes(String(member)) || acceptedMembers.has(memberKey(from.fixture, member)),
    );
  });
}

/** Returns the first of successive excused rejections of each resource. */
function rejectedUpdates(history: History, operation: Operation): Outlier[] {
  const sent = history.entries.filter((entry) => entry.operation === operation && history.isOrdinary(entry));
  const isMeant = (entry: Entry) => isJsonRejection(entry) && hasExcusedStatus(entry);
  const found: Outlier[] = [];
  for (const entry of sent.filter(isMeant)) {
    const earlier = sent.filter(
      ({ request, index }) => request.url === entry.request.url && index < entry.index,
    );
    const latest = earlier.at(-1);
    const isValid = history.answers.isValid(entry);
    if (!isValid || (latest && isMeant(latest))) continue;
    found.push({ before: earlier.findLast(isAccepted), entry, after: undefined });
  }
  return found;
}

/** True if a late or busy service, or a gateway, may have sent the rejection. */
export function mayBeAcceptedLater(entry: Entry): boolean {
  return hasExcusedStatus(entry) || responseJson(entry) === undefined;
}

function isJsonRejection(entry: Entry): boolean {
  return isRejected(entry) && responseJson(entry) !== undefined;
}

function isUnauthorized(entry: Entry): boolean {
  return statusOf(entry) === UNAUTHORIZED;
}

function plainRequests(history: History, operation: Operation): Entry[] {
  const sent = history.answers.to(operation).map(({ entry }) => entry);
  return sent.filter(
    (entry) =>
      history.isOfRound(entry) &&
      history.isOrdinary(entry) &&
      isPlain(history, operation, entry) &&
      isValidOrRepeated(history, entry),
  );
}

function isValidOrRepeated({ answers }: History, entry: Entry): boolean {
  const { kind, faults, doubts } = answers.classification(entry);
  return (
    kind !== "undocumented" && faults.length === 0 && doubts.every((doubt) => isOfRepetition(doubt, entry))
  );
}

/** True if the body was rejected again under another key: neither the key nor a busy service is the reason. */
function isRejectedForGood(entry: Entry, others: readonly Entry[]): boolean {
  const key = idempotencyKeyIn(entry);
  const isAgain = (other: Entry) =>
    other.begun > entry.ended &&
    isJsonRejection(other) &&
    idempotencyKeyIn(other) !== key &&
    sameJson(objectSent(other), objectSent(entry));
  return key !== undefined && others.some(isAgain) && repeatsOnlyCommonTexts(entry, others);
}

/** True if the service accepted each text twice, or never before: it may demand that some texts differ. */
function repeatsOnlyCommonTexts(entry: Entry, others: readonly Entry[]): boolean {
  const accepted = others.filter(isAccepted).map((other) => new Set(textsIn(objectSent(other))));
  return textsIn(objectSent(entry)).every((text) => accepted.filter((texts) => texts.has(text)).length !== 1);
}

/** Returns ids used as cursors, which a late replica may not know. */
function itemsNamed({ list }: Operation, { request }: Entry): string[] {
  const cursors = [list?.after, list?.before].filter((parameter) => parameter?.cursor === "item");
  return request.query
    .filter(([name]) => cursors.some((parameter) => parameter?.name === name))
    .map(([, id]) => id);
}

/** True if a cursor names an item that a copy of the list may not have yet. */
export function namesNewItem(history: History, operation: Operation, entry: Entry): boolean {
  return isSoonAfterCreate(history, entry, itemsNamed(operation, entry));
}

/** True if a copy that lags behind may not have the resource, or a parent of it, yet. */
export function isOfNewResource(history: History, entry: Entry): boolean {
  return (
    (hasExcusedStatus(entry) || isReadLikeUnknown(history, entry)) &&
    isSoonAfterCreate(history, entry, Object.values(entry.path))
  );
}

/** True if one of the resources was created within the consistency timeout before the request. */
function isSoonAfterCreate(history: History, entry: Entry, ids: readonly string[]): boolean {
  return ids
    .flatMap((id) => createsById(history).get(id) ?? [])
    .some((made) => startsWithin(entry, made, history.head.consistencyTimeoutMs));
}

/** True if the service answers reads of unknown ids with the same status, which may be another than 404. */
function isReadLikeUnknown(history: History, entry: Entry): boolean {
  const { operation } = entry;
  const status = statusOf(entry);
  return (
    operation?.kind === "read" &&
    isRejected(entry) &&
    status !== UNAUTHORIZED &&
    statusesOfUnknown(history, operation).has(status ?? 0)
  );
}

const statusesOfUnknown = memoized((history: History, operation: Operation): ReadonlySet<number> => {
  const unknown = history.answers.to(operation).filter(({ entry }) => {
    const { faults } = history.answers.classification(entry);
    return isRejected(entry) && faults.length > 0 && faults.every(({ cause }) => cause === "unknown-id");
  });
  return new Set(unknown.map(({ status }) => status));
});

/** False for bodies that switch something on (`active: true`), which a quota may limit. */
function isPlain(history: History, operation: Operation, entry: Entry): boolean {
  if (!operation.body) return true;
  const sent = objectSent(entry);
  return sent !== undefined && !Object.values(sent).includes(true) && history.mustAcceptBody(operation, sent);
}

/** Returns a text that is equal for requests which differ only in header and body values other than null. */
export function requestShape({ request, version, space, credential }: Entry): string {
  const headers = request.headers.map(([name]) => name).sort();
  const body = request.body?.json();
  const fields = isObject(body)
    ? Object.entries(body).map(([name, value]) => `${name} ${value === null}`)
    : [];
  return JSON.stringify([request.url, version, space, credential.token, headers, fields.sort()]);
}
