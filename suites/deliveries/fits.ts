import { header } from "../../history/entry.ts";
import type { Received, Subscription } from "../../history/subscriptions.ts";

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
