import { counted } from "../../spec/counted.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isDoneBefore } from "../answers/actions-done.ts";
import { requestShape } from "../answers/outliers.ts";
import { type Entry, isAccepted, isRejected, objectSent, shownId, statusOf, UNAUTHORIZED } from "../entry.ts";
import type { History } from "../history.ts";
import type { FoundTrait } from "./trait.ts";

const ENOUGH_REJECTIONS = 2;
/** Finds creates and updates that were rejected from some request on. */
export function quotas(history: History): FoundTrait[] {
  return history.spec.operations.flatMap((operation) => {
    const isUpdate = operation.kind === "update";
    if (!isUpdate && operation.kind !== "create") return [];
    const own = bySpace(judgedWrites(history, operation)).flatMap(
      (sent) => quotaOf(history, operation, sent) ?? [],
    );
    const updates = history.spec.operations.filter(
      ({ kind, pathParameter }) => kind === "update" && pathParameter?.madeBy === operation.id,
    );
    if (own.length > 0 || isUpdate) return own.slice(0, 1);
    const all = [operation, ...updates].flatMap((each) => judgedWrites(history, each));
    const inOrder = all.sort((one, other) => one.begun - other.begun);
    return bySpace(inOrder)
      .flatMap((sent) => activeQuotaOf(operation, sent) ?? [])
      .slice(0, 1);
  });
}

function bySpace(sent: readonly Entry[]): Entry[][] {
  return [...groupedBy(sent, ({ space }) => space ?? "").values()];
}

/** Returns the writes that a quota may count: accepted or rejected, but no replays or repeated actions. */
function judgedWrites(history: History, operation: Operation): Entry[] {
  const made = new Set<unknown>();
  const isDone = isDoneBefore(history, operation);
  return history.context.filter((entry) => {
    if (entry.operation !== operation || !(isAccepted(entry) || isRejected(entry))) return false;
    const isCreate = operation.kind === "create";
    const id = isCreate ? shownId(history.spec, entry) : undefined;
    const isReplay = id !== undefined && made.has(id);
    made.add(id);
    const body = objectSent(entry);
    if (isReplay || !body || !history.isOrdinary(entry) || statusOf(entry) === UNAUTHORIZED) return false;
    const isPlain = history.mustAcceptBody(operation, body) && (isCreate || history.isOfOwn(entry));
    return isPlain && !isDone(entry) && history.answers.isValid(entry);
  });
}

/** Returns a quota if each write from some request on is rejected, also in a form that was accepted before. */
function quotaOf(history: History, operation: Operation, sent: readonly Entry[]): FoundTrait | undefined {
  const accepted = sent.filter(isAccepted);
  const last = accepted.at(-1);
  if (!last) return undefined;
  const rejected = sent.filter((entry) => entry.begun > last.ended);
  const shapes = new Set(accepted.map(requestShape));
  if (rejected.length < ENOUGH_REJECTIONS || !rejected.some((entry) => shapes.has(requestShape(entry))))
    return undefined;
  const statement = `${operation.key} accepted ${acceptedIn(history, operation, last.space)} in a space and rejected the ${rejected.length} valid requests after them.`;
  return { trait: "quota", subject: operation.key, statement, shownBy: [last, ...rejected] };
}

function acceptedIn(history: History, operation: Operation, space: string | null): string {
  const accepted = history.context.filter(
    (entry) => entry.operation === operation && entry.space === space && isAccepted(entry),
  );
  if (operation.kind === "update") return counted(accepted.length, "update");
  return counted(new Set(accepted.map((entry) => shownId(history.spec, entry))).size, "new resource");
}

/** Returns a quota of active resources if switching on is rejected while other writes are accepted. */
function activeQuotaOf({ key }: Operation, sent: readonly Entry[]): FoundTrait | undefined {
  for (const field of new Set(sent.flatMap(switchedOn))) {
    let last: Entry | undefined;
    let rejected: Entry[] = [];
    let other: Entry | undefined;
    for (const entry of sent) {
      const isOn = switchedOn(entry).includes(field);
      if (isOn && isAccepted(entry)) [last, rejected, other] = [entry, [], undefined];
      else if (isOn && last) rejected.push(entry);
      else if (isAccepted(entry) && rejected.some(({ operation }) => operation === entry.operation))
        other ??= entry;
      if (!last || !other || rejected.length < ENOUGH_REJECTIONS) continue;
      const statement = `A limited number of the resources of ${key} may have ${field}: ${counted(rejected.length, "valid request")} with it rejected in a row, and one without it accepted.`;
      return {
        trait: "quota-of-active",
        subject: key,
        statement,
        shownBy: [last, ...rejected.slice(0, 1), other],
      };
    }
  }
  return undefined;
}

function switchedOn(entry: Entry): string[] {
  const sent = Object.entries(objectSent(entry) ?? {});
  return sent.flatMap(([name, value]) => (value === true ? [name] : []));
}
