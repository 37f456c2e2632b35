import type { Operation } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { type Entry, isAccepted, isRejected } from "../entry.ts";
import type { History } from "../history.ts";

/**
 * Returns how many accepted updates one quota may count: those of the operation. If another operation stopped
 * accepting updates, too, and none was accepted since, the quota may count those of all operations.
 */
export function updatesCounted(history: History, operation: Operation): number {
  const own = validUpdates(history, operation);
  const accepted = own.filter(isAccepted).length;
  const [stop] = rejectedAtEnd(own);
  const others = operationsOf(history.spec, "update")
    .filter((other) => other !== operation)
    .map((other) => validUpdates(history, other));
  const all = others.flat().filter(isAccepted);
  const isShared =
    stop !== undefined &&
    others.some((sent) => sent.some(isAccepted) && rejectedAtEnd(sent).length > 0) &&
    !all.some(({ begun }) => begun > stop.ended);
  return isShared ? accepted + all.length : accepted;
}

function validUpdates(history: History, operation: Operation): Entry[] {
  return history.answers
    .to(operation)
    .map(({ entry }) => entry)
    .filter((entry) => history.isOrdinary(entry) && history.answers.isValid(entry));
}

function rejectedAtEnd(sent: readonly Entry[]): Entry[] {
  return sent.slice(sent.findLastIndex(isAccepted) + 1).filter(isRejected);
}
