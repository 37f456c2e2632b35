/** Rules of actions: POST on an existing resource. */

import { sameFieldValue } from "../../history/differences.ts";
import { type Entry, endOf, isAccepted, isRejected, objectSent, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { placeActedOn, placeOf, type ResourceKind, resourceKinds } from "../../history/resource-kinds.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { changeOfParent, readsAroundAction } from "./action-probes.ts";

export interface ActionTarget extends RuleTarget {
  kind: ResourceKind;
  reader: Operation;
}

/** Returns a target for each action on a resource that an update lets read. */
export function actionTargets(spec: Spec): ActionTarget[] {
  return resourceKinds(spec).flatMap((kind) => {
    const read = kind.updates.flatMap(({ readBack }) => readBack?.read ?? [])[0];
    if (read === undefined) return [];
    const reader = operationById(spec, read);
    return kind.actions.map((operation) => ({ operation, kind, reader, detail: "action" }));
  });
}

const identity = historyRule<ActionTarget>({
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
      const shownBy = [{ entry, offending: `/result/${kind.identity}` }];
      return [{ certainty: "proven", expected, actual: `the resource ${String(shown)}`, shownBy }];
    });
    return judged(wrong, taken, notExercised("no-data", "no such action was accepted"));
  },
});

const stored = historyRule<ActionTarget>({
  requirement: "CREATE-ECHO",
  targets: actionTargets,
  title: ({ operation, reader }) => `${reader.key} shows what ${operation.key} was sent and answered`,
  probes: ({ operation }) => [readsAroundAction(operation), changeOfParent(operation)],
  check(history, at) {
    const looks = acceptedActions(history, at.operation).flatMap((entry): [Entry, Entry][] => {
      const read = readAfterAction(history, at, entry);
      return read && fieldsShown(history, at, entry).length > 0 ? [[entry, read]] : [];
    });
    const lost = looks.flatMap(([entry, read]) => lostField(history, at, entry, read));
    const seen = looks.map(([, read]) => read);
    return judged(lost, seen, notExercised("no-data", "nothing was read after such an action alone"));
  },
});

/** Returns the violation that the next read shows another value than the answer to the action. */
function lostField(history: History, at: ActionTarget, entry: Entry, read: Entry): Violation[] {
  const [then, now] = [resourceIn(entry) ?? {}, resourceIn(read) ?? {}];
  // Reads under another version may leave fields out.
  const isDue = (field: string) => field in now || read.version === entry.version;
  const name = fieldsShown(history, at, entry).find(
    (field) => isDue(field) && !sameFieldValue(then[field], now[field]),
  );
  if (name === undefined) return [];
  const expected = `in the next read: ${name} ${describeValue(then[name])}`;
  const actual = `${name} ${describeValue(now[name])}`;
  const shownBy = [{ entry }, { entry: read, offending: `/result/${name}` }];
  return [{ certainty: "suspected", expected, actual, shownBy }];
}

export function acceptedActions(history: History, operation: Operation): Entry[] {
  return history.answers
    .to(operation)
    .filter(({ entry, isValid }) => isValid && isAccepted(entry) && history.isOrdinary(entry))
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

/** Returns the first accepted read that must show the action, or `undefined` if another write ran before it. */
function readAfterAction(history: History, { kind, reader }: ActionTarget, entry: Entry): Entry | undefined {
  const place = placeActedOn(kind, entry);
  const isWrite = ({ operation }: Entry) =>
    operation !== null && (kind.actions.includes(operation) || kind.updates.includes(operation));
  const placeIn = (other: Entry) => {
    const { operation, path } = other;
    const id = path[operation?.pathParameter?.name ?? ""] ?? "";
    return operation && kind.actions.includes(operation)
      ? placeActedOn(kind, other)
      : placeOf(kind, other, id);
  };
  const here = history.entries.filter((other) => other.space === entry.space && placeIn(other) === place);
  const due = endOf(entry) + history.head.consistencyTimeoutMs;
  const read = here.find(
    (other) =>
      other.operation === reader && isAccepted(other) && history.isOrdinary(other) && other.startedAt > due,
  );
  const isBetween = (other: Entry) =>
    other !== entry && isWrite(other) && !isRejected(other) && other.ended > entry.begun;
  return read && here.some((other) => isBetween(other) && other.begun < read.ended) ? undefined : read;
}

export const actionRules = [identity, stored];
