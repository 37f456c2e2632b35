import type { JsonObject } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Entry, objectSent, pathId, statusOf } from "../entry.ts";
import type { History } from "../history.ts";
import { firstOfEachId } from "./keys.ts";

interface Holder {
  entry: Entry;
  id: string | undefined;
  sent: JsonObject;
}

/** The status says that no value is to blame. */
const WRONG_MEDIA_TYPE = 415;

/**
 * True if another resource had a value of this create or update before. A service may demand unique values (the
 * URL of a webhook), unless two resources share one, or all have the one that the user gave.
 */
export function hasValueOfAnother(history: History, operation: Operation, entry: Entry): boolean {
  const sent = objectSent(entry);
  if (!sent || statusOf(entry) === WRONG_MEDIA_TYPE) return false;
  const holders = holdersIn(history, operation).filter(
    (each) => each.entry.space === entry.space && each.entry.begun < entry.ended,
  );
  return history.spec.schemas.fields(operation.body).some(([name, { "x-values-from": from }]) => {
    const value = sent[name];
    // Values of a list, such as currencies, may be sent any number of times.
    if (!from || from.list !== undefined || typeof value !== "string") return false;
    const isOfRun = value.includes(history.head.runTag ?? "");
    if ((!isOfRun && areAlike(holders, name)) || areShared(holders, name)) return false;
    return holders.some((holder) => holder.sent[name] === value && holder.id !== pathId(entry));
  });
}

function areAlike(holders: readonly Holder[], name: string): boolean {
  const sent = holders.flatMap((holder) => holder.sent[name] ?? []);
  return new Set(sent).size < 2;
}

/** Returns the accepted creates and updates of this kind of resource, sorted by end, without replays. */
const holdersIn = memoized((history: History, operation: Operation): Holder[] => {
  const { operations } = history.spec;
  const madeBy = operation.kind === "create" ? operation.id : operation.pathParameter?.madeBy;
  const create = operations.find(({ id }) => id === madeBy);
  const made = create ? history.creates(create).accepted : [];
  const isOfKind = (each: Operation) =>
    each === operation || (madeBy !== undefined && each.pathParameter?.madeBy === madeBy);
  const updates = operations
    .filter((each) => each.kind === "update" && isOfKind(each))
    .flatMap((each) => history.updates(each).filter(({ accepted }) => accepted));
  return [...firstOfEachId(made), ...updates.map((update) => ({ ...update, id: pathId(update.entry) }))].sort(
    (one, other) => one.entry.ended - other.entry.ended,
  );
});

function areShared(holders: readonly Holder[], name: string): boolean {
  const present = new Map<string | undefined, unknown>();
  return holders.some(({ id, sent }) => {
    const value = sent[name];
    if (typeof value !== "string") return false;
    const isShared = [...present].some(([other, held]) => other !== id && held === value);
    present.set(id, value);
    return isShared;
  });
}
