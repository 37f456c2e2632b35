import { type Entry, endOf, header } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import {
  type Received,
  receivedBy,
  type Subscribing,
  type Subscription,
  webhooksOf,
} from "../../history/subscriptions.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isActive, isEvent } from "./fits.ts";

/** True if the first settings that may apply come from this operation. */
export function isSetBy({ possible }: Received, by: Operation): boolean {
  return possible[0]?.setBy.operation === by;
}

/** True if the latest settings are of `by` and apply for sure. */
export function isUnderLatest({ possible, causedBy }: Received, by: Operation): boolean {
  const latest = possible.at(-1)?.setBy;
  if (latest?.operation !== by) return false;
  return possible.length === 1 || (causedBy?.begun ?? -1) > latest.ended;
}

/** Returns the writes of the latest settings that may apply. */
export function settersOf(received: readonly Received[]): Entry[] {
  return received.flatMap(({ possible }) => possible.slice(-1).map(({ setBy }) => setBy));
}

/** Returns the deliveries without tests of the URL, which follow a write and have neither event nor header. */
export function withoutUrlTests(history: History, at: Subscribing): Received[] {
  const all = receivedBy(history, at).filter(({ possible }) => possible.some(isActive));
  return all.filter((each) => {
    const { delivery, webhook } = each;
    const names = webhook.subscriptions.flatMap(({ headers: custom }) => Object.keys(custom ?? {}));
    if (isEvent(each) || names.some((name) => header(delivery.headers, name) !== undefined)) return true;
    return !all.some((other) => other.webhook === webhook && isEvent(other)) && isLate(history, each);
  });
}

/** True if the cause may be later than the consistency timeout of the last settings. */
function isLate({ entries, head }: History, { delivery, webhook }: Received): boolean {
  const last = webhook.subscriptions.findLast(({ setBy }) => setBy.begun < delivery.at)?.setBy;
  return entries.some(
    ({ startedAt, ended }) =>
      last !== undefined && ended < delivery.at && startedAt - endOf(last) >= head.consistencyTimeoutMs,
  );
}

/** Returns writes by `by` that applied when another webhook got an event that `isMeant` selects. */
export function appliedAtEvents(
  history: History,
  at: Subscribing,
  by: Operation,
  events: readonly Received[],
  isMeant: (subscription: Subscription, event: Received) => boolean,
): Entry[] {
  return webhooksOf(history, at).flatMap((webhook) =>
    webhook.subscriptions.flatMap((each, index) => {
      const next = webhook.subscriptions[index + 1]?.setBy.begun ?? Number.POSITIVE_INFINITY;
      const isUnder = ({ delivery, causedBy, webhook: other }: Received) => {
        // A late delivery may be about an event before the update.
        const happened = by === at.operation ? delivery.at : (causedBy?.begun ?? -1);
        return other.place !== webhook.place && happened > each.setBy.ended && happened < next;
      };
      const isShown = events.some((event) => isUnder(event) && isMeant(each, event));
      return each.setBy.operation === by && typeof each.mailbox === "string" && isShown ? [each.setBy] : [];
    }),
  );
}
