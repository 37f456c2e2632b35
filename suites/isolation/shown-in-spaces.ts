import { isInventedSpace } from "../../history/creates/invented-names.ts";
import {
  type Entry,
  isAccepted,
  isRejected,
  objectSent,
  pathId,
  resourceIn,
  resultIn,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import {
  judged,
  NO_SECOND_SPACE,
  notExercised,
  type RuleResult,
  type Violation,
  violationBy,
} from "../../history/result.ts";
import { tagsIn } from "../../history/values/tags.ts";
import { isDateTime } from "../../spec/formats.ts";
import { fixedFields, identityOf, idText, isCounter } from "../../spec/identity.ts";
import { canonicalJson, isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import { keptIn, memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isPart, isUndocumented } from "../../spec/operations.ts";

export type OtherSpace = "unknown" | "second";

export const SPACE_NAMES: Record<OtherSpace, string> = {
  unknown: "a space that does not exist",
  second: "the second space",
};

/** True if the request was sent in such a space. */
export function isIn({ head }: History, entry: Entry, where: OtherSpace): boolean {
  return where === "unknown" ? isUnknown(entry, head) : head.spaces.indexOf(entry.space ?? "") > 0;
}

/** True if the space id is well-formed, and made up by the run or unlike all known ones. */
function isUnknown({ space, operation }: Entry, { spaces, runTag }: History["head"]): boolean {
  if (space === null || !operation?.space) return false;
  const text = space.trim().toLowerCase();
  const pattern = operation.space.schema.pattern;
  const isMadeUp = runTag !== null && isInventedSpace(text, runTag);
  return (
    (pattern === undefined || new RegExp(pattern, "u").test(space)) &&
    (isMadeUp ||
      spaces.every((known) => !text.includes(known.toLowerCase()) && !known.toLowerCase().includes(text)))
  );
}

/** Judges if one space shows resources of another. If not, the requests that `asks` selects are evidence. */
export function shownInOneSpace(
  history: History,
  operation: Operation,
  where: OtherSpace,
  asks: (entry: Entry) => boolean = (entry) => isIn(history, entry, where),
): RuleResult {
  const { spaces } = history.head;
  const asked = history.entries.filter((entry) => entry.operation === operation);
  const own = asked.filter((entry) => isAccepted(entry) && spaces.includes(entry.space ?? ""));
  const others = asked.filter(asks);
  const originals = firstShown(history, operation, own);
  const answers = [...(where === "second" ? own : []), ...others.filter(isAccepted)];
  const foreign = shownInOther(history, operation, new Set(answers), originals);
  const fine = others.filter((entry) => isAccepted(entry) || isRejected(entry));
  return judged(foreign, originals.size > 0 ? fine : [], notAsked(history, where));
}

/** Returns why nothing was asked for in another space. */
export function notAsked({ head: { spaces } }: History, where: OtherSpace): RuleResult {
  return where === "second" && spaces.length < 2
    ? notExercised(...NO_SECOND_SPACE)
    : notExercised("no-data", "no resource of the first space was asked for in another space");
}

/** Returns each record as it was shown first: it belongs to the space of that request. */
function firstShown(history: History, operation: Operation, answers: Entry[]): Map<string, ShownRecord> {
  const creates = history.entries.filter(
    (entry) =>
      entry.operation?.kind === "create" &&
      isOneKind(history.spec, entry.operation, operation) &&
      history.head.spaces.includes(entry.space ?? "") &&
      isAccepted(entry),
  );
  const first = new Map<string, ShownRecord>();
  for (const entry of [...creates, ...answers])
    for (const shown of recordsOf(history, operation, entry))
      if (!first.has(shown.key)) first.set(shown.key, shown);
  return first;
}

/** Returns the violations that these answers show records of another space. */
function shownInOther(
  history: History,
  operation: Operation,
  answers: ReadonlySet<Entry>,
  originals: ReadonlyMap<string, ShownRecord>,
): Violation[] {
  return [...answers]
    .flatMap((entry) => recordsOf(history, operation, entry))
    .flatMap((shown) => {
      const original = originals.get(shown.key);
      if (!original || original.entry.space === shown.entry.space) return [];
      if (!isSameResource(history, operation, original, shown)) return [];
      const actual = `the resource ${shown.id} of another space`;
      const facts = { difference: "other-space", expected: "nothing of another space", actual } as const;
      const wrong = { entry: shown.entry, offending: shown.pointer };
      // Clients cannot move a resource to another space.
      return [{ ...violationBy("proven", facts, original.entry, wrong), holdsAmongOthers: true }];
    });
}

/**
 * Returns the records of the answer whose space is known. Items of undocumented lists may have no space, and parts
 * may look alike, so both need the run tag.
 */
function recordsOf({ spec, head }: History, operation: Operation, entry: Entry): ShownRecord[] {
  const result = resultIn(entry);
  const identity = operation.list?.identity ?? identityOf(spec, operation);
  const all = Array.isArray(result) ? result : [result];
  const named = isPart(spec, operation) ? pathId(entry) : undefined;
  const isOwn = (record: JsonObject) =>
    (!isUndocumented(operation) && named === undefined) ||
    (head.runTag !== null && JSON.stringify(record).includes(head.runTag));
  return all.flatMap((record, index) => {
    const id = named ?? (isObject(record) ? idText(record[identity]) : undefined);
    if (!isObject(record) || id === undefined || !isOwn(record)) return [];
    const pointer = Array.isArray(result) ? `/result/${index}` : "/result";
    const key = named === undefined ? id : canonicalJson(record);
    return [{ id, key, record, entry, pointer }];
  });
}

interface ShownRecord {
  id: string;
  /** Differs for resources with the same id. */
  key: string;
  record: JsonObject;
  entry: Entry;
  pointer: string;
}

/** True if both operations show the same kind of resource. */
function isOneKind({ schemas }: Spec, one: Operation, other: Operation): boolean {
  const [name, named] = [one, other].map(({ resource }) => resource && schemas.componentName(resource));
  return name !== undefined && name === named;
}

/** True if the fixed fields (`x-fixed`) are equal, and two resources with this id are unlikely. */
function isSameResource(
  history: History,
  operation: Operation,
  original: ShownRecord,
  shown: ShownRecord,
): boolean {
  const isShown = (name: string) => name in original.record || name in shown.record;
  const fixed = fixedFields(history.spec, operation).filter(isShown);
  const isFixedSame = (name: string) => sameJson(original.record[name], shown.record[name]);
  const isWholeSame = sameJson(original.record, shown.record);
  if (fixed.length < 2 ? !isWholeSame : !fixed.every(isFixedSame)) return false;
  const compared = fixed.length < 2 ? Object.keys(shown.record) : fixed;
  // Spaces may be filled in one moment, so a time counts only if no resource with another id shows it.
  const isTimeOfOne = (name: string) => {
    const value = shown.record[name];
    if (typeof value !== "string" || !isDateTime(value) || !/\.\d*[1-9]/.test(value)) return false;
    return (idsByValue(history, operation).get(`${name} ${value}`)?.size ?? 0) <= 1;
  };
  if (compared.some(isTimeOfOne)) return true;
  if (showsTextOf(history, original.entry.space, shown.record)) return true;
  const makers = makersOf(history.spec, operation);
  // If callers choose the ids, each space may have a resource with the same id.
  const isChosen = makers.some(({ body, ...create }) =>
    history.spec.schemas.fieldNames(body).includes(identityOf(history.spec, create)),
  );
  if (isMadeIn(history, operation, shown) || isChosen) return false;
  if (!isCounter(shown.id)) return true;
  // Two spaces may make resource 1 in one second, or begin with equal resources. Resources of the run differ.
  const mayBegin = tagsIn(history.head, shown.record).length === 0 && makers.length > 0;
  return isWholeSame && !mayBegin && !eachSpaceCounts(history, operation);
}

const idsByValue = memoized((history: History, operation: Operation): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  for (const entry of history.entries) {
    if (!entry.operation || !isOneKind(history.spec, entry.operation, operation)) continue;
    const identity = identityOf(history.spec, entry.operation);
    for (const record of [resultIn(entry)].flat().filter(isObject))
      for (const [name, value] of Object.entries(record)) {
        if (typeof value !== "string") continue;
        keptIn(found, `${name} ${value}`, () => new Set<string>()).add(String(record[identity]));
      }
  }
  return found;
});

/** Returns the creates of resources that the operation shows. Items of a list may have a schema of their own. */
function makersOf(spec: Spec, operation: Operation): Operation[] {
  const readers = spec.operations.filter(({ sameRecord }) => sameRecord?.list === operation.id);
  return spec.operations.filter(
    (create) =>
      create.kind === "create" && [operation, ...readers].some((shower) => isOneKind(spec, create, shower)),
  );
}

/** True if the record shows a text that only requests in that space sent. */
function showsTextOf(history: History, space: string | null, record: JsonObject): boolean {
  return tagsIn(history.head, record).some((tag) => {
    const senders = history.senders(tag);
    return senders.length > 0 && senders.every((sender) => sender.space === space);
  });
}

/** True if the space has an own resource with this id: a create there sent the id, or a text that its answer shows. */
function isMadeIn(history: History, operation: Operation, { id, entry: { space } }: ShownRecord): boolean {
  return createsOf(history, operation).some(({ entry, identity, made }) => {
    if (entry.space !== space || String(made[identity]) !== id) return false;
    const sent = objectSent(entry);
    return (sent && String(sent[identity]) === id) || showsTextOf(history, space, made);
  });
}

/** True if two spaces made different resources with one id. Equal resources may be different ones then, too. */
const eachSpaceCounts = memoized((history: History, operation: Operation): boolean => {
  const spaces = new Map<string, string | null>();
  return createsOf(history, operation).some(({ entry: { space }, identity, made }) => {
    if (!showsTextOf(history, space, made)) return false;
    const id = String(made[identity]);
    const first = spaces.get(id) ?? space;
    spaces.set(id, first);
    return first !== space;
  });
});

function createsOf({ spec, entries }: History, operation: Operation) {
  const makers = new Set(makersOf(spec, operation));
  return entries.flatMap((entry) => {
    const made = resourceIn(entry);
    if (made === undefined || !entry.operation || !makers.has(entry.operation)) return [];
    return [{ entry, made, identity: identityOf(spec, entry.operation) }];
  });
}
