import { isDoneBefore, isRepeatable, mayNeedOtherState } from "../../history/answers/actions-done.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { forbiddenWrites } from "../../history/answers/forbidden-writes.ts";
import { isOfNewResource } from "../../history/answers/outliers.ts";
import { isServed } from "../../history/answers/served.ts";
import { type Doubt, isOfRepetition } from "../../history/classification.ts";
import { isReplay } from "../../history/creates/keys.ts";
import {
  type Entry,
  isAccepted,
  isRejected,
  NOT_FOUND,
  objectSent,
  responseJson,
  statusOf,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { hasRepeats, isOfOrdinarySize, isOpenValue } from "../../history/journal/field-values.ts";
import { isKeptBusy, overlapsAnother } from "../../history/journal/updates-seen.ts";
import { judged, notExercised, type RuleResult, wrongStatus } from "../../history/result.ts";
import { fixtureValues } from "../../spec/fixture-values.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { SkipReason } from "../../spec/model/result.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type BodyPart, plannedParts } from "../shared/body-parts.ts";
import { isOrdinaryJson, isPlainTwin } from "../shared/sent-values.ts";

/** Judges bodies with this part. Violated if a valid body is rejected only because of the tested part. */
export function partMustBeAccepted(history: History, operation: Operation, tested: Tested): RuleResult {
  const parts = plannedParts(history.spec, operation);
  const all = soundBodies(history, operation);
  const sent = all.filter((each) => tested.isIn(each.sent) && history.isOfRound(each.entry));
  const accepted = all.filter(({ entry }) => isAccepted(entry));
  const acceptedWithPart = sent.filter(({ entry }) => isAccepted(entry));
  const isProven = ({ version, space }: Entry) =>
    !tested.areTexts &&
    acceptedWithPart.some(({ entry }) => entry.version === version && entry.space === space);
  const bodies = { operation, tested, parts, all, accepted, acceptedWithPart };
  // A service may answer 200 to everything, so a create must have made a resource.
  const made = operation.kind === "create" ? history.creates(operation).accepted : undefined;
  const showsResource = ({ answer, entry }: SentBody) =>
    isServed(answer) && (made?.some((use) => use.entry === entry) ?? true);
  const specialIn = (body: JsonObject) => parts.filter((part) => part.isIn(body)).length;
  const rejected = sent
    .filter(({ entry }) => isRejected(entry) && !isProven(entry))
    .map((each) => ({ ...each, excuse: excuseFor(history, bodies, each) }))
    .sort((one, other) => specialIn(one.sent) - specialIn(other.sent));
  const [first] = rejected;
  return judged(
    rejected.flatMap(({ entry, excuse }) =>
      excuse ? [] : [wrongStatus(`${tested.what} to be accepted`, entry)],
    ),
    acceptedWithPart.filter(showsResource).map(({ entry }) => entry),
    notExercised(
      ...(first?.excuse ?? whyUnshown(sent)),
      sent.slice(0, 1).map(({ entry }) => entry),
    ),
  );
}

/** Judges bodies with unusual texts. Violated if fields reject them that accept plain ones of that length. */
export function textsMustBeAccepted(
  history: History,
  operation: Operation,
  fieldsIn: (sent: JsonObject) => string[],
): RuleResult {
  const isIn = (sent: JsonObject) => fieldsIn(sent).length > 0;
  return partMustBeAccepted(history, operation, { what: "legal text", isIn, fieldsIn, areTexts: true });
}

function whyUnshown([first]: readonly SentBody[]): Excuse {
  if (!first) return ["no-data", "no valid request had this value"];
  const { status } = first.answer;
  if (status >= 500) return ["server-error", `it was answered ${status}`];
  return ["no-data", "it was accepted, but the answer shows no resource"];
}

export interface SentBody {
  answer: Answer;
  entry: Entry;
  sent: JsonObject;
}

/** Returns the sent bodies, without rejected ones that have values which the service need not know. */
export function soundBodies(history: History, operation: Operation): SentBody[] {
  const made = operation.kind === "create" ? history.creates(operation).accepted : [];
  // Simultaneous calls may share a key. The first one with the resource in its answer may have made it.
  const mayHaveMade = (entry: Entry) => made.some((use) => use.entry === entry && !isReplay(use, made));
  return history.answers.to(operation).flatMap((answer): SentBody[] => {
    const { entry } = answer;
    const sent = objectSent(entry);
    const isOwn = operation.kind === "create" || history.isOfOwn(entry);
    if (!history.isOrdinary(entry) || !sent || !isOwn) return [];
    const { kind, faults, doubts: all } = history.answers.classification(entry);
    const isOpen = (doubt: Doubt) =>
      doubt.behaviour === "idempotencyReplay" ? !mayHaveMade(entry) : !isOfRepetition(doubt, entry);
    const doubts = all.filter(isOpen);
    const isFaulty = kind === "undocumented" || faults.length > 0;
    // Acceptance settles doubts about the body, but not about headers (a used key).
    const isSound = isAccepted(entry)
      ? doubts.every(({ place }) => place.startsWith("body"))
      : doubts.every(({ behaviour }) => behaviour === "unheardOfValues");
    return isFaulty || !isSound ? [] : [{ answer, entry, sent }];
  });
}

export interface Tested {
  what: string;
  isIn(sent: JsonObject): boolean;
  /** Returns the fields with the part. Without this function, the whole body is tested. */
  fieldsIn?(sent: JsonObject): string[];
  /** True if texts are tested. Their valid twins have plain texts that are not shorter. */
  areTexts?: true;
}

/** Bodies that are compared with a rejected one. */
interface ComparedBodies {
  operation: Operation;
  tested: Tested;
  parts: readonly BodyPart[];
  all: readonly SentBody[];
  accepted: readonly SentBody[];
  acceptedWithPart: readonly SentBody[];
}

type Excuse = [reason: SkipReason, message: string];

/** Returns why the body may have been rejected, or `undefined` if only the tested part explains it. */
function excuseFor(history: History, bodies: ComparedBodies, rejected: SentBody): Excuse | undefined {
  const { operation, tested, accepted } = bodies;
  const { entry } = rejected;
  const isJson = (other: Entry) => isRejected(other) && responseJson(other) !== undefined;
  if (!isJson(entry) && history.answers.to(operation).some((other) => isJson(other.entry)))
    return ["declined", "a firewall rejected it, and not the service"];
  if (forbiddenWrites(history).has(entry))
    return ["declined", "the token may only read: all valid writes are answered 403"];
  if (hasUnknownNames(history, bodies, rejected))
    return ["declined", `${tested.what} needs more names than are known`];
  if (mayNeedOtherState(history, operation)(entry))
    return ["declined", "the state of the resource may be the reason"];
  if (accepted.length === 0)
    return tested.fieldsIn === undefined ? undefined : ["control-rejected", "no valid body was accepted"];
  if (!accepted.some((other) => other.entry.version === entry.version))
    return ["control-rejected", `version ${entry.version ?? "none"} is rejected`];
  if (!isPlainBeside(history, bodies, rejected))
    return ["control-rejected", "something else in the body may be the reason"];
  if (isDoneBefore(history, operation)(entry) && !isRepeatable(history, operation))
    return ["declined", "the action was done before, and is accepted only once"];
  if (operation.kind !== "update")
    return noneAcceptedAfter(accepted, entry)
      ? ["declined", "nothing was accepted afterwards: a quota, perhaps"]
      : undefined;
  if (isTwinRejected(bodies, rejected))
    return ["control-rejected", "the same update with plain texts was rejected right after it"];
  if (overlapsAnother(history.updates(operation), entry))
    return ["declined", "it was sent beside another update"];
  if (isKeptBusy(history.entries, entry))
    return ["declined", "it was sent again while other updates of the resource were accepted"];
  if (NOT_FOUND.has(statusOf(entry) ?? 0) && isOfNewResource(history, entry))
    return ["declined", "the resource was new"];
  return undefined;
}

/** True if a quota may be the reason for the rejection. */
function noneAcceptedAfter(accepted: readonly SentBody[], rejected: Entry): boolean {
  const here = accepted.map(({ entry }) => entry).filter(({ space }) => space === rejected.space);
  return (
    here.some(({ ended }) => ended < rejected.begun) && !here.some(({ begun }) => begun > rejected.ended)
  );
}

function isPlainBeside(
  { spec, acceptedMembers }: History,
  { operation: { body = {} }, tested, parts, accepted, acceptedWithPart }: ComparedBodies,
  { entry, sent }: SentBody,
): boolean {
  const { fieldsIn } = tested;
  const fields = fieldsIn?.(sent) ?? [];
  const others = Object.entries(sent).filter(([name]) => !fields.includes(name));
  const isPlain = ([name, value]: [string, unknown]) =>
    !isOpenValue(spec, body, name, value, acceptedMembers) &&
    !hasRepeats(value) &&
    isOfOrdinarySize(value) &&
    isOrdinaryJson(value);
  const hasTwin = accepted.some(
    (other) =>
      (other.entry.version === entry.version || acceptedWithPart.length === 0) &&
      others.every(([name]) => name in other.sent) &&
      (!tested.areTexts || isPlainTwin(other.sent, sent, fields)),
  );
  return (
    (hasTwin || fieldsIn === undefined) &&
    others.every(isPlain) &&
    parts
      .filter((part) => !fields.includes(part.field) && part.isIn(sent))
      .filter(({ kind }) => fieldsIn !== undefined || kind === "edge" || kind === "null")
      .every((part) => accepted.some((other) => part.isIn(other.sent)))
  );
}

/** True if the rejected resource is the reason, and not the value. */
function isTwinRejected({ tested, all }: ComparedBodies, { entry, sent }: SentBody): boolean {
  if (!tested.areTexts) return false;
  const names = Object.keys(sent);
  const fields = tested.fieldsIn?.(sent) ?? [];
  const next = all.find(
    (other) =>
      isPlainTwin(other.sent, sent, fields) &&
      other.entry.begun > entry.ended &&
      other.entry.request.url === entry.request.url &&
      other.entry.version === entry.version &&
      names.length === Object.keys(other.sent).length &&
      names.every((name) => name in other.sent),
  );
  return next !== undefined && isRejected(next.entry);
}

/** True if the service may not know a value (a provider code), or may forbid repeats. */
function hasUnknownNames(
  history: History,
  { operation: { body = {} }, tested, accepted }: ComparedBodies,
  { sent }: SentBody,
): boolean {
  const { schemas } = history.spec;
  const { runTag, fixtures } = history.head;
  const fields = tested.fieldsIn?.(sent) ?? [];
  const isDoubtful = (name: string) =>
    (hasRepeats(sent[name]) && !accepted.some((other) => hasRepeats(other.sent[name]))) ||
    (typeof sent[name] === "number" && schemas.at(body, `/${name}`)?.["x-unique"] !== undefined);
  if (fields.some(isDoubtful) || !history.knowsReferences(body, sent)) return true;
  return schemas.fields(body).some(([name, schema]) => {
    const from = schema["x-values-from"];
    const given = fixtureValues(fixtures[from?.fixture ?? ""]);
    // The run invents values only if no list shows any.
    const isOwn = (value: unknown) =>
      from?.list === undefined && runTag !== null && String(value).includes(runTag);
    const isKnown = (value: unknown) =>
      given.includes(String(value)) ||
      accepted.some((other) => namesIn(other.sent[name]).some((known) => known === value || isOwn(value)));
    return from !== undefined && !namesIn(sent[name]).every(isKnown);
  });
}

function namesIn(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
