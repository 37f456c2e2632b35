import { isInventedSpace } from "../../history/creates/invented-names.ts";
import { type Entry, isAccepted, isRejected, pathId, resultIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import {
  judged,
  NO_SECOND_SPACE,
  notExercised,
  type RuleResult,
  type Violation,
} from "../../history/result.ts";
import { identityOf, idText } from "../../spec/identity.ts";
import { canonicalJson, isObject, type JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isPart, isUndocumented } from "../../spec/operations.ts";
import { isOneKind, isSameResource, type ShownRecord } from "./same-resource.ts";

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
      return isSameResource(history, operation, original, shown) ? [inAnother(original, shown)] : [];
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

/** Returns the violation that a record was shown in a space that it does not belong to. */
function inAnother(original: ShownRecord, shown: ShownRecord): Violation {
  return {
    certainty: "proven",
    difference: "other-space",
    expected: "nothing of another space",
    actual: `the resource ${shown.id} of another space`,
    shownBy: [{ entry: original.entry }, { entry: shown.entry, offending: shown.pointer }],
    // Clients cannot move a resource to another space.
    holdsAmongOthers: true,
  };
}
