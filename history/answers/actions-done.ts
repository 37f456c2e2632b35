import { isAction, mayAct } from "../../spec/actions.ts";
import { sameJson } from "../../spec/json.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { isReplay, type Use } from "../creates/keys.ts";
import { type Entry, idBeforeAction, isAccepted, isRejected } from "../entry.ts";
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

/** True if one resource took the action twice. */
export function isRepeatable(history: History, operation: Operation): boolean {
  const { accepted } = history.creates(operation);
  const urls = accepted.filter((use) => !isReplay(use, accepted)).map(({ entry }) => entry.request.url);
  return new Set(urls).size < urls.length;
}

/**
 * Returns a predicate. It is true if an earlier answer to the action showed the same values of the same resource.
 * Only a one-way action may change nothing the second time.
 */
export function isDoneAgain(history: History, operation: Operation): (use: Use) => boolean {
  if (!isForGood(history, operation)) return () => false;
  const { accepted } = history.creates(operation);
  const names = history.spec.schemas.fields(operation.body).map(([name]) => name);
  return ({ place, entry, made }) =>
    accepted.some(
      (other) =>
        other.place === place &&
        other.entry.index < entry.index &&
        names.every((name) => sameJson(other.made[name], made[name])),
    );
}

/** True if all answers to the action show a state that its body can't set and that no new resource has. */
function isForGood(history: History, operation: Operation): boolean {
  const { spec } = history;
  const maker = operation.outer.at(-1)?.madeBy;
  if (maker === undefined || !isAction(spec, operation)) return false;
  const done = history.creates(operation).accepted.map(({ made }) => made);
  const makes = history.creates(operationById(spec, maker)).accepted;
  // The answer to a repeated create may show the state after the action.
  const fresh = makes.filter((use, index) => makes.findIndex(({ id }) => id === use.id) === index);
  const taken = new Set(spec.schemas.fields(operation.body).map(([name]) => name));
  return spec.schemas.fields(operation.resource).some(([name, schema]) => {
    const isState = schema.enum !== undefined || typesOf(schema).includes("boolean");
    const state = done[0]?.[name];
    return (
      isState &&
      !taken.has(name) &&
      state !== undefined &&
      done.every((made) => made[name] === state) &&
      fresh.every(({ made }) => made[name] !== state)
    );
  });
}
