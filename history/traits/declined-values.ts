import { counted } from "../../spec/counted.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Operation } from "../../spec/model/spec.ts";
import {
  type Entry,
  hasExcusedStatus,
  isAccepted,
  isRejected,
  objectSent,
  statusOf,
  UNAUTHORIZED,
} from "../entry.ts";
import type { History } from "../history.ts";
import { isOfOrdinarySize, isOpenValue } from "../journal/field-values.ts";
import { type FoundTrait, textOf } from "./trait.ts";

/** Finds values that the service declined and may decline, by field. */
export function declinedValues(history: History): FoundTrait[] {
  return history.spec.operations
    .filter(({ body }) => body)
    .flatMap((operation) => {
      const byField = groupedBy(declinedBy(history, operation), ({ field }) => field);
      return [...byField].map(([field, members]) => {
        const statement = `${operation.key} declines some values of ${field} that a service may decline: it rejected ${counted(members.length, "request")}.`;
        const subject = `${field} in ${operation.key}`;
        return { trait: "declined-values", subject, statement, shownBy: members.map(({ entry }) => entry) };
      });
    });
}

/** Returns the rejected requests whose only unusual part is one optional field. */
function declinedBy(history: History, operation: Operation): { entry: Entry; field: string }[] {
  const sent = history.context.filter((entry) => entry.operation === operation);
  const accepted = sent.filter(isAccepted);
  const plain = accepted.filter((entry) => unusualFields(history, entry)?.length === 0);
  const texts = new Set(accepted.map(textOf));
  return sent.flatMap((entry) => {
    const isMeant = isRejected(entry) && statusOf(entry) !== UNAUTHORIZED && !hasExcusedStatus(entry);
    const [field, ...others] = (isMeant && unusualFields(history, entry)) || [];
    if (field === undefined || others.length > 0 || texts.has(textOf(entry))) return [];
    const isStillAccepted = plain.some((other) => other.begun > entry.ended && other.space === entry.space);
    return isStillAccepted ? [{ entry, field }] : [];
  });
}

/** Returns the fields whose values a service may decline, or `undefined` if the request is unusual in another way. */
function unusualFields(history: History, entry: Entry): string[] | undefined {
  const sent = objectSent(entry);
  const body = entry.operation?.body;
  if (!body || !sent || Object.values(sent).includes(true) || !history.isOrdinary(entry)) return undefined;
  const { kind, faults, doubts } = history.answers.classification(entry);
  if (kind === "undocumented" || faults.length > 0) return undefined;
  if (!doubts.every(({ place, mustShow }) => mustShow && place.startsWith("body/"))) return undefined;
  const isUnusual = (name: string, value: unknown) =>
    isOpenValue(history.spec, body, name, value) || !isOfOrdinarySize(value);
  return Object.entries(sent).flatMap(([name, value]) => (isUnusual(name, value) ? [name] : []));
}
