/** Rules of actions: POST on an existing resource. */

import {
  type Entry,
  endOf,
  isAccepted,
  isBetween,
  isRejected,
  isWrite,
  objectSent,
  resourceIn,
} from "../../../history/entry.ts";
import type { History } from "../../../history/history.ts";
import { placeActedOn, placeOf, type ResourceKind, resourceKinds } from "../../../history/resource-kinds.ts";
import { judged, type Violation, violationBy } from "../../../history/result.ts";
import { sameFieldValue } from "../../../history/values/differences.ts";
import { groupedBy } from "../../../spec/grouped.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { memoized } from "../../../spec/memoized.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { operationById, stateFields } from "../../../spec/operations.ts";
import { describeValue } from "../../../spec/schema.ts";
import { historyRule, type RuleTarget } from "../../shared/history-rule.ts";
import { changeOfParent } from "./change-of-parent.ts";
import { actionsInTurn } from "./in-turn.ts";
import { readsAroundAction } from "./probes.ts";

/** Returns a target for each action on a resource that an update lets read. */
export function actionTargets(spec: Spec): ActionTarget[] {
  return resourceKinds(spec).flatMap((kind) => {
    const read = kind.updates.flatMap(({ readBack }) => readBack?.read ?? [])[0];
    if (read === undefined) return [];
    const reader = operationById(spec, read);
    return kind.actions.map((operation) => ({ operation, kind, reader, detail: "action" }));
  });
}

const identity = historyRule({
  requirement: "UPDATE-IDENTITY",
  targets: actionTargets,
  title: ({ operation }) => `${operation.key} answers with the resource that its path names`,
  probes: ({ operation }) => [readsAroundAction(operation)],
  check(history, { operation, kind }) {
    const taken = acceptedActions(history, operation);
    const wrong = taken.flatMap((entry): Violation[] => {
      const named = entry.path[operation.outer.at(-1)?.name ?? ""];
      const shown = resourceIn(entry)?.[kind.identity];
      if (shown === undefined || String(shown) === named) return [];
      const expected = `the resource ${named} that the path names`;
      const facts = { expected, actual: `the resource ${String(shown)}` };
      return [violationBy("proven", facts, { entry, offending: `/result/${kind.identity}` })];
    });
    return judged(wrong, taken, "no such action was accepted");
  },
});

const stored = historyRule({
  requirement: "CREATE-ECHO",
  targets: actionTargets,
  title: ({ operation, reader }) => `${reader.key} shows what ${operation.key} was sent and answered`,
  probes: ({ operation, kind }) => [
    readsAroundAction(operation),
    // After each action, the others are used, too.
    ...kind.actions.map((each) => actionsInTurn(each, kind)),
    changeOfParent(operation),
  ],
  check(history, at) {
    const looks = acceptedActions(history, at.operation).flatMap((entry): Look[] => {
      const reads = readsAfterAction(history, at, entry);
      const read = reads.at(-1);
      if (!read) return [];
      const shown = isOverSince(history, at, entry, reads) ? [] : fieldsShown(history, at, entry);
      const fields = [...shown, ...fieldsChanged(history, at, entry, reads)];
      return fields.length > 0 ? [{ entry, read, fields }] : [];
    });
    const lost = looks.flatMap(lostField);
    const seen = looks.map(({ read }) => read);
    return judged(lost, seen, "nothing was read after such an action alone");
  },
});

interface Look {
  /** The accepted action. */
  entry: Entry;
  read: Entry;
  /** The fields that the read must show as the answer did. */
  fields: string[];
}

/** Returns the violation that the read shows another value than the answer to the action. */
function lostField({ entry, read, fields }: Look): Violation[] {
  const [then, now] = [resourceIn(entry) ?? {}, resourceIn(read) ?? {}];
  // Reads under another version may leave fields out.
  const isDue = (field: string) => field in now || read.version === entry.version;
  const name = fields.find((field) => isDue(field) && !sameFieldValue(then[field], now[field]));
  if (name === undefined) return [];
  const expected = `in the next read: ${name} ${describeValue(then[name])}`;
  const actual = `${name} ${describeValue(now[name])}`;
  const wrong = { entry: read, offending: `/result/${name}` };
  return [violationBy("suspected", { expected, actual }, entry, wrong)];
}

export function acceptedActions(history: History, operation: Operation): Entry[] {
  return history.answers
    .to(operation)
    .filter(({ entry, isJudged }) => isJudged && isAccepted(entry) && history.isOrdinary(entry))
    .map(({ entry }) => entry);
}

/** Returns the fields that the action was sent, that its answer shows and that the read documents. */
function fieldsShown({ spec }: History, { operation, reader }: ActionTarget, entry: Entry): string[] {
  const documented = spec.schemas.fieldNames(reader.resource);
  const [sent, shown] = [objectSent(entry), resourceIn(entry)];
  if (!sent || !shown) return [];
  return spec.schemas
    .fields(operation.body)
    .filter(
      ([name, schema]) => name in sent && documented.includes(name) && !spec.schemas.holdsSecret(schema),
    )
    .map(([name]) => name)
    .filter((name) => sameFieldValue(sent[name], shown[name]));
}

/**
 * True if a state that the action set is over in the last read, after an earlier read showed it: a hold may end by
 * itself, and the values sent with the hold then go, too.
 */
function isOverSince({ spec }: History, at: ActionTarget, entry: Entry, reads: readonly Entry[]): boolean {
  const then = resourceIn(entry) ?? {};
  const seen = reads.map((read) => resourceIn(read) ?? {});
  const isShown = (read: JsonObject | undefined, name: string) => sameFieldValue(read?.[name], then[name]);
  return stateFields(spec, at.operation, at.reader.resource).some(
    (name) => !isShown(seen.at(-1), name) && seen.slice(0, -1).some((read) => isShown(read, name)),
  );
}

/**
 * Returns the fields that the answer to the action shows changed, and that the last read shows like the answer, or
 * each read as before. If the state lasts for a moment, one of several reads shows it.
 */
function fieldsChanged(history: History, at: ActionTarget, entry: Entry, reads: readonly Entry[]): string[] {
  const before = lastReadBefore(history, at, entry);
  if (!before || reads.length < 2 || reads.some(({ version }) => version !== before.version)) return [];
  const [was, then] = [resourceIn(before) ?? {}, resourceIn(entry) ?? {}];
  const seen = reads.map((read) => resourceIn(read) ?? {});
  return history.spec.schemas.fieldNames(at.reader.resource).filter((field) => {
    if (!(field in was && field in then) || sameFieldValue(was[field], then[field])) return false;
    const isKept = sameFieldValue(seen.at(-1)?.[field], then[field]);
    return isKept || seen.every((read) => sameFieldValue(read[field], was[field]));
  });
}

/** Returns the accepted reads after the action up to the first that must show it, unless a write ran before. */
function readsAfterAction(history: History, at: ActionTarget, entry: Entry): Entry[] {
  const here = requestsAbout(history, at, entry).filter(
    (other) => other !== entry && other.space === entry.space && other.ended > entry.begun,
  );
  const due = endOf(entry) + history.head.consistencyTimeoutMs;
  const reads = here.filter((other) => isRead(history, at, other) && other.begun > entry.ended);
  const last = reads.findIndex(({ startedAt }) => startedAt > due);
  const read = reads[last];
  const isWritten = here.some((other) => read && isWrite(other) && isBetween(other, entry, read));
  return isWritten ? [] : reads.slice(0, last + 1);
}

export const actionRules = [identity, stored];

export interface ActionTarget extends RuleTarget {
  kind: ResourceKind;
  reader: Operation;
}

/** Returns the read of the resource just before the action, or `undefined` if a write came between. */
export function lastReadBefore(history: History, at: ActionTarget, entry: Entry): Entry | undefined {
  const before = requestsAbout(history, at, entry).findLast((other) => other.ended < entry.begun);
  return before && isRead(history, at, before) ? before : undefined;
}

/** Returns the accepted requests that show or may change the resource of the action. */
export function requestsAbout(history: History, { kind }: ActionTarget, entry: Entry): readonly Entry[] {
  return requestsByPlace(history, kind).get(placeActedOn(kind, entry)) ?? [];
}

const requestsByPlace = memoized((history: History, kind: ResourceKind) => {
  const placeIn = (other: Entry) => {
    const { operation, path } = other;
    if (!operation) return undefined;
    if (kind.actions.includes(operation)) return placeActedOn(kind, other);
    return placeOf(kind, other, path[operation.pathParameter?.name ?? ""] ?? "");
  };
  const accepted = history.entries.filter((other) => !isRejected(other));
  const byPlace = groupedBy(accepted, placeIn);
  byPlace.delete(undefined);
  return byPlace;
});

export function isRead(history: History, { reader }: ActionTarget, entry: Entry): boolean {
  return entry.operation === reader && isAccepted(entry) && history.isOrdinary(entry) && !isWrite(entry);
}
