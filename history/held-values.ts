import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Entry, objectSent, pathId } from "./entry.ts";
import type { History } from "./history.ts";

interface Holder {
  entry: Entry;
  id: string | undefined;
  sent: JsonObject;
}

/**
 * True if another resource had a value of this create or update before. A service may demand unique values (the
 * URL of a webhook), unless two resources share one. A value that the user gave without `{unique}` may be sent again.
 */
export function hasValueOfAnother(history: History, operation: Operation, entry: Entry): boolean {
  const { runTag } = history.head;
  const sent = objectSent(entry);
  if (!sent) return false;
  const fields = history.spec.schemas.fields(operation.body).filter(([, schema]) => schema["x-values-from"]);
  const holders = holdersIn(history, operation).filter(
    (each) => each.entry.space === entry.space && each.entry.begun < entry.ended,
  );
  return fields.some(([name]) => {
    const value = sent[name];
    if (typeof value !== "string" || !value.includes(runTag ?? "") || areShared(holders, name)) return false;
    return holders.some((holder) => holder.sent[name] === value && holder.id !== pathId(entry));
  });
}

/** Returns the accepted creates and updates of this kind of resource, sorted by end, without replays. */
function holdersIn(history: History, operation: Operation): Holder[] {
  const { operations } = history.spec;
  const madeBy = operation.kind === "create" ? operation.id : operation.pathParameter?.madeBy;
  const create = operations.find((each) => each.id === madeBy);
  const made = create ? history.creates(create).accepted : [];
  const updates = operations
    .filter(({ kind, pathParameter }) => kind === "update" && pathParameter?.madeBy === madeBy)
    .flatMap((each) => history.updates(each).filter(({ accepted }) => accepted));
  return [
    ...made.filter((use, index) => made.findIndex((other) => other.id === use.id) === index),
    ...updates.map((update) => ({ ...update, id: pathId(update.entry) })),
  ].sort((one, other) => one.entry.ended - other.entry.ended);
}

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
