import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { actionsOnMade, isAction, mayAct, operationById, stateFields } from "../../spec/operations.ts";
import { firstOfEachId, type Use, withoutReplays } from "../creates/keys.ts";
import { type Entry, hasExcusedStatus, idBeforeAction, isAccepted, isRejected, pathId } from "../entry.ts";
import type { History } from "../history.ts";

/** Returns the id of the resource that an accepted POST may have changed (a POST to `/receipts/{id}/redeem`). */
export function idActedOn(spec: Spec, entry: Entry): string | undefined {
  const { operation } = entry;
  if (!operation || !isAccepted(entry) || !mayAct(spec, operation)) return undefined;
  return idBeforeAction(entry);
}

/**
 * Finds rejections of a POST that was accepted before at the same path: a service may accept it once per resource.
 * If the POST answers another resource, none is meant once a path took it twice.
 */
export function isDoneBefore(history: History, operation: Operation): (entry: Entry) => boolean {
  const { spec, answers } = history;
  const isMeant = isAction(spec, operation) || (mayAct(spec, operation) && !isRepeatable(history, operation));
  const taken = isMeant ? answers.to(operation).filter(({ entry }) => isAccepted(entry)) : [];
  return (entry) =>
    isRejected(entry) &&
    taken.some(({ entry: { begun, request } }) => begun < entry.ended && request.url === entry.request.url);
}

/** True if one resource took the action twice in a row. */
export function isRepeatable(history: History, operation: Operation): boolean {
  const uses = firstUses(history, operation);
  if (isAction(history.spec, operation)) {
    const lastAction = lastActionBefore(history, operation);
    return uses.some(({ entry }) => lastAction(entry) === operation);
  }
  const urls = uses.map(({ entry }) => entry.request.url);
  return new Set(urls).size < urls.length;
}

/**
 * Finds rejections of an action that the state of the resource may explain (only a paused job can be resumed): the
 * service never accepted the action on a resource whose last action was the same.
 */
export function mayNeedOtherState(history: History, operation: Operation): (entry: Entry) => boolean {
  if (!isAction(history.spec, operation)) return () => false;
  const lastAction = lastActionBefore(history, operation);
  const taken = firstUses(history, operation).map(({ entry }) => lastAction(entry));
  return (entry) =>
    isRejected(entry) && (taken.length > 0 || hasExcusedStatus(entry)) && !taken.includes(lastAction(entry));
}

/** Finds rejections of an action that was done before, or that the state of the resource may explain. */
export function isExplainedByState(history: History, operation: Operation): (entry: Entry) => boolean {
  const isDone = isDoneBefore(history, operation);
  const needsOtherState = mayNeedOtherState(history, operation);
  return (entry) => isDone(entry) || needsOtherState(entry);
}

function firstUses(history: History, operation: Operation): Use[] {
  return withoutReplays(history.creates(operation).accepted);
}

/** Returns a function that finds the last accepted action before a request, on the same resource. */
function lastActionBefore(history: History, { outer }: Operation): (entry: Entry) => Operation | undefined {
  const done = actionsOnMade(history.spec, outer.at(-1)?.madeBy)
    .flatMap((action) => history.answers.to(action).map(({ entry }) => entry))
    .filter(isAccepted)
    .sort((one, other) => one.index - other.index);
  return ({ begun, space, ...request }) =>
    done.findLast(
      (other) =>
        other.ended < begun && other.space === space && idBeforeAction(other) === idBeforeAction(request),
    )?.operation ?? undefined;
}

/**
 * Returns a predicate for actions that may change nothing: one-way actions whose values an earlier answer to
 * them showed for the same resource, and actions on a resource that had their state before.
 */
export function isDoneAgain(history: History, operation: Operation): (use: Use) => boolean {
  const names = history.spec.schemas.fieldNames(operation.body);
  const isSame = (one: JsonObject, other: JsonObject) =>
    names.every((name) => sameJson(one[name], other[name]));
  if (!isForGood(history, operation)) return isInStateBefore(history, operation, isSame);
  const { accepted } = history.creates(operation);
  return ({ place, entry, made }) =>
    accepted.some(
      (other) => other.place === place && other.entry.index < entry.index && isSame(other.made, made),
    );
}

/**
 * True if the resource had the state of the action before, as the last answer to a write shows, and was left as it
 * was. The action must have changed the state of another resource.
 */
function isInStateBefore(
  history: History,
  operation: Operation,
  isSame: (one: JsonObject, other: JsonObject) => boolean,
): (use: Use) => boolean {
  if (!isAction(history.spec, operation)) return () => false;
  const shown = shownByWrites(history, operation);
  const lastBefore = ({ id, entry }: Use) =>
    shown.findLast(
      (each) => each.id === id && each.entry.space === entry.space && each.entry.index < entry.index,
    )?.made;
  const { accepted } = history.creates(operation);
  const hasChanged = (name: string) =>
    accepted.some((use) => ![undefined, use.made[name]].includes(lastBefore(use)?.[name]));
  const states = statesOf(history, operation).filter(hasChanged);
  return (use) => {
    const before = lastBefore(use);
    return (
      before !== undefined &&
      states.some((name) => before[name] === use.made[name]) &&
      isSame(before, use.made)
    );
  };
}

interface Shown {
  entry: Entry;
  id: string | undefined;
  made: JsonObject;
}

/** Returns the resources of this kind as the answers to creates, updates and actions showed them, in their order. */
function shownByWrites(history: History, { outer }: Operation): Shown[] {
  const { spec } = history;
  const maker = outer.at(-1)?.madeBy;
  const actions = actionsOnMade(spec, maker);
  return spec.operations
    .flatMap((each): Shown[] => {
      if (each.id === maker || actions.includes(each)) return history.creates(each).accepted;
      if (each.kind !== "update" || each.pathParameter?.madeBy !== maker) return [];
      return history
        .updates(each)
        .flatMap(({ entry, answer }) => (answer ? [{ entry, id: pathId(entry), made: answer }] : []));
    })
    .sort((one, other) => one.entry.index - other.entry.index);
}

/** True if all answers to the action show a state that no new resource has. */
function isForGood(history: History, operation: Operation): boolean {
  const { spec } = history;
  const maker = operation.outer.at(-1)?.madeBy;
  if (maker === undefined || !isAction(spec, operation)) return false;
  const [done] = history.creates(operation).accepted;
  const fresh = firstOfEachId(history.creates(operationById(spec, maker)).accepted);
  return statesOf(history, operation).some((name) =>
    fresh.every(({ made }) => made[name] !== done?.made[name]),
  );
}

/** Returns the fields that have one state in all answers to the action. */
function statesOf(history: History, operation: Operation): string[] {
  const [first, ...others] = history.creates(operation).accepted.map(({ made }) => made);
  const isOne = (name: string) =>
    first?.[name] !== undefined && others.every((made) => made[name] === first[name]);
  return stateFields(history.spec, operation, operation.resource).filter(isOne);
}
