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

/** True for deliveries of events. A test of the URL names no event and shows nothing of the run. */
export function isEvent({ named, causedBy }: Received): boolean {
  return named.length > 0 || causedBy !== undefined;
}

export function isActive({ active }: Subscription): boolean {
  return active !== false;
}

/** Returns the first custom header that the delivery lacks or has with another value. */
export function wrongHeader(
  { delivery }: Received,
  { headers: expected = {} }: Subscription,
): { name: string; isAbsent: boolean } | undefined {
  const found = Object.entries(expected).find(([name, value]) => header(delivery.headers, name) !== value);
  if (!found) return undefined;
  return { name: found[0], isAbsent: header(delivery.headers, found[0]) === undefined };
}

/** True if the delivery came to none of the addresses that may apply. */
export function isMisdirected({ possible, delivery }: Received): boolean {
  return !possible.some(({ mailbox = delivery.mailbox }) => mailbox === delivery.mailbox);
}

/** True if no settings that may apply ask for the event. */
export function isUnasked({ possible, named }: Received): boolean {
  const isAsked = ({ events }: Subscription) =>
    events === undefined || named.some((name) => events.includes(name));
  return named.length > 0 && !possible.some(isAsked);
}

/** True if no settings that may apply explain the delivery. */
export function isMisfit(received: Received): boolean {
  const { possible } = received;
  const isWithoutHeaders = possible.every((each) => wrongHeader(received, each) !== undefined);
  const isInactive = !possible.some(isActive);
  return (
    isEvent(received) && (isInactive || isWithoutHeaders || isMisdirected(received) || isUnasked(received))
  );
}

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
