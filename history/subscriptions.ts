import { fixtureValues } from "../spec/fixture-values.ts";
import { idText } from "../spec/identity.ts";
import { isObject, type JsonObject, sameJson, valueAt } from "../spec/json.ts";
import { memoized } from "../spec/memoized.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import {
  type Delivery,
  type Entry,
  endOf,
  isAccepted,
  isRateLimited,
  isRejected,
  objectSent,
  overlaps,
  pathId,
  shownId,
} from "./entry.ts";
import type { History } from "./history.ts";
import { idWithParents, placeOf, resourceKinds } from "./resource-kinds.ts";
import { mailboxIn } from "./values/mailboxes.ts";
import { tagsIn, textsIn } from "./values/tags.ts";

export type Properties = NonNullable<Schema["x-deliveries"]>;

export interface Subscribing {
  operation: Operation;
  properties: Properties;
}

export interface Subscription {
  setBy: Entry;
  mailbox: string | null | undefined;
  active: boolean | undefined;
  events: string[] | undefined;
  headers: Record<string, string> | undefined;
}

export interface Webhook {
  id: string;
  /** The id with those of the parents, because another parent may have the same id. */
  place: string;
  subscriptions: Subscription[];
}

export interface Received {
  delivery: Delivery;
  webhook: Webhook;
  /** Several settings may have applied, because an event may be late. */
  possible: Subscription[];
  named: string[];
  causedBy: Entry | undefined;
}

/** Returns the run's webhooks with their settings after every write, undefined if unknown. */
export function webhooksOf(history: History, at: Subscribing): Webhook[] {
  const { operation } = at;
  const webhooks = new Map<string, Webhook>();
  for (const entry of history.entries) {
    const id = webhookSetBy(entry, history.spec, operation);
    const place = id === undefined ? undefined : placeIn(entry, history.spec, operation, id);
    if (id === undefined || place === undefined) continue;
    const known = webhooks.get(place);
    const space = known?.subscriptions[0]?.setBy.space;
    // A create with a known id is a replay. Another space has other webhooks.
    if (known && (entry.operation === operation || space !== entry.space)) continue;
    const webhook = known ?? { id, place, subscriptions: [] };
    webhooks.set(place, webhook);
    const before = entry.operation?.method === "PUT" ? undefined : webhook.subscriptions.at(-1);
    const after = subscriptionAfter(entry, before, at, history);
    webhook.subscriptions.push(knownSettings(after, webhook.subscriptions));
  }
  return [...webhooks.values()];
}

function webhookSetBy(entry: Entry, spec: Spec, create: Operation): string | undefined {
  const { operation } = entry;
  if (operation === create) {
    return idText(shownId(spec, entry));
  }
  const isUpdate = operation?.kind === "update" && operation.pathParameter?.madeBy === create.id;
  return isUpdate && !isRejected(entry) && !isRateLimited(entry) ? pathId(entry) : undefined;
}

function placeIn(entry: Entry, spec: Spec, create: Operation, id: string): string | undefined {
  const kind = resourceKinds(spec).find((each) => each.create === create);
  return kind ? placeOf(kind, entry, id) : idWithParents(entry, id);
}

/** Returns the settings of the webhook after this write. An update keeps the settings that it does not send. */
function subscriptionAfter(
  setBy: Entry,
  before: Subscription | undefined,
  { operation, properties }: Subscribing,
  { spec, head }: History,
): Subscription {
  const sent = objectSent(setBy);
  const setting = <T>(place: string | undefined, kept: T, read: (value: unknown) => T): T => {
    const value = sent && place !== undefined ? valueAt(sent, `/${place}`) : undefined;
    const isKept = before !== undefined && sent !== undefined && place !== undefined && value === undefined;
    return isKept ? kept : read(isAccepted(setBy) ? value : undefined);
  };
  const { url, active, events, headers } = properties;
  const documented = spec.schemas.field(operation.body, active ?? "").default;
  const byDefault = setBy.operation === operation ? documented : undefined;
  return {
    setBy,
    mailbox: setting(url, before?.mailbox, (address) =>
      address === undefined ? undefined : (mailboxIn(head.runTag, address) ?? null),
    ),
    active: setting(active, before?.active, (value) => {
      const isActive = value ?? byDefault;
      return typeof isActive === "boolean" ? isActive : undefined;
    }),
    events: setting(events, before?.events, (value) => (Array.isArray(value) ? textsIn(value) : undefined)),
    headers: setting(headers, before?.headers, pairsOf),
  };
}

/** Returns the settings without those in doubt: any of overlapping writes may come last. */
function knownSettings(after: Subscription, earlier: readonly Subscription[]): Subscription {
  const rivals = earlier.filter(({ setBy }) => overlaps(setBy, after.setBy));
  const unlessInDoubt = <Name extends Exclude<keyof Subscription, "setBy">>(name: Name) =>
    rivals.every((rival) => sameJson(rival[name], after[name])) ? after[name] : undefined;
  return {
    setBy: after.setBy,
    mailbox: unlessInDoubt("mailbox"),
    active: unlessInDoubt("active"),
    events: unlessInDoubt("events"),
    headers: unlessInDoubt("headers"),
  };
}

function pairsOf(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === "string";
  return Object.fromEntries(Object.entries(value).filter(isText));
}

/** Returns the deliveries to webhooks of this kind. Replaced settings may still apply for `lateMs`. */
export function receivedBy(
  history: History,
  at: Subscribing,
  lateMs = history.head.consistencyTimeoutMs,
): readonly Received[] {
  return receivedIn(history, { ...at, lateMs });
}

const receivedIn = memoized(deliveriesTo, ({ operation, lateMs }) => `${operation.id} ${lateMs}`);

function deliveriesTo(history: History, { lateMs, ...at }: Subscribing & { lateMs: number }): Received[] {
  const webhooks = webhooksOf(history, at);
  const known = knownEvents(history, at, webhooks);
  return history.deliveries.flatMap((delivery): Received[] => {
    const begun = (each: Subscription) => each.setBy.begun < delivery.at;
    const webhook = webhooks.find(({ subscriptions }) =>
      subscriptions.some((subscription) => begun(subscription) && subscription.mailbox === delivery.mailbox),
    );
    if (!webhook) return [];
    const causedBy = causeOf(history, at, webhook, delivery);
    const { subscriptions } = webhook;
    const isOver = (next: Subscription | undefined) =>
      next !== undefined &&
      causedBy !== undefined &&
      causedBy.begun > next.setBy.ended &&
      causedBy.startedAt - endOf(next.setBy) >= lateMs;
    const possible = subscriptions.filter((each, index) => begun(each) && !isOver(subscriptions[index + 1]));
    return [{ delivery, webhook, possible, named: eventsIn(delivery, known), causedBy }];
  });
}

/** Returns the last write whose tag the delivery holds, or `undefined`. Tags of the webhook itself don't count. */
function causeOf(
  history: History,
  { operation }: Subscribing,
  { id, subscriptions }: Webhook,
  { body, at }: Delivery,
): Entry | undefined {
  const own = new Set(subscriptions.map(({ setBy }) => setBy));
  const isOfKind = (entry: Entry) => entry.operation?.pathParameter?.madeBy === operation.id;
  const isOwn = (entry: Entry) =>
    own.has(entry) || entry.operation === operation || (isOfKind(entry) && pathId(entry) === id);
  const firsts = [...new Set(tagsIn(history.head, body.text))].flatMap((tag) => {
    const senders = history.senders(tag).filter(({ begun }) => begun < at);
    return senders.some(isOwn) ? [] : senders.slice(0, 1);
  });
  return firsts.sort((one, other) => one.begun - other.begun).at(-1);
}

function knownEvents(
  { spec, head }: History,
  { operation, properties: { events } }: Subscribing,
  webhooks: readonly Webhook[],
): string[] {
  const fixture = spec.schemas.field(operation.body, events ?? "")["x-values-from"]?.fixture;
  const given = fixtureValues(head.fixtures[fixture ?? ""]);
  const sent = webhooks.flatMap(({ subscriptions }) =>
    subscriptions.flatMap((subscription) => subscription.events ?? []),
  );
  return [...new Set([...given, ...sent])].filter((name) => name !== "");
}

function eventsIn({ headers, body }: Delivery, known: string[]): string[] {
  const texts = new Set([...headers.map(([, value]) => value), ...textsIn(body.json())]);
  return known.filter((name) => texts.has(name));
}

/** Returns the form of a delivery, such as `JSON {event, id}`. */
export function formOf({ body }: Delivery): string {
  const value = body.json();
  if (isObject(value))
    return `JSON {${Object.keys(value as JsonObject)
      .sort()
      .join(", ")}}`;
  return value === undefined ? "no JSON" : "JSON, no object";
}
