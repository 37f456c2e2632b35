import { identityOf } from "../spec/identity.ts";
import { isObject, type JsonObject, valueAt } from "../spec/json.ts";
import type { Operation, Schema } from "../spec/model/spec.ts";
import {
  type Delivery,
  type Entry,
  endOf,
  isAccepted,
  isRejected,
  requestJson,
  resourceIn,
  statusOf,
} from "./entry.ts";
import type { History } from "./history.ts";
import { mailboxIn } from "./mailboxes.ts";
import { memoized } from "./memoized.ts";
import { pathId } from "./resource-kinds.ts";
import { tagsIn, textsIn } from "./tags.ts";

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
  subscriptions: Subscription[];
}

export interface Received {
  delivery: Delivery;
  webhook: Webhook;
  /** An event may be delivered late, so several settings may have applied. */
  possible: Subscription[];
  named: string[];
  causedBy: Entry | undefined;
}

export function webhooksOf(
  { spec, head, entries }: History,
  { operation, properties }: Subscribing,
): Webhook[] {
  const identity = identityOf(spec, operation);
  const webhooks = new Map<string, Webhook>();
  const add = (id: string, setBy: Entry, before?: Subscription) => {
    const webhook = webhooks.get(id) ?? { id, subscriptions: [] };
    webhooks.set(id, webhook);
    webhook.subscriptions.push(subscription(setBy, before));
  };
  const subscription = (setBy: Entry, before?: Subscription): Subscription => {
    const sent = requestJson(setBy);
    const isSure = isAccepted(setBy) && isObject(sent);
    const at = (place: string | undefined) => (isSure && place ? valueAt(sent, `/${place}`) : undefined);
    const isKept = (place: string | undefined) =>
      place !== undefined &&
      isObject(sent) &&
      before !== undefined &&
      valueAt(sent, `/${place}`) === undefined;
    const { url, active, events, headers } = properties;
    const switched = at(active) ?? (setBy.operation === operation ? byDefault : undefined);
    return {
      setBy,
      mailbox: isKept(url) ? before?.mailbox : mailboxOf(at(url)),
      active: isKept(active) ? before?.active : typeof switched === "boolean" ? switched : undefined,
      events: isKept(events) ? before?.events : textsOf(at(events)),
      headers: isKept(headers) ? before?.headers : pairsOf(at(headers)),
    };
  };
  const schema = spec.schemas.at(operation.body ?? {}, `/${properties.active}`);
  const byDefault = schema && spec.schemas.flatten(schema).default;
  const mailboxOf = (address: unknown) =>
    address === undefined ? undefined : (mailboxIn(head.runTag, address) ?? null);
  const isUpdate = (other: Operation | null) =>
    other?.kind === "update" && other.pathParameter?.madeBy === operation.id;
  for (const entry of entries) {
    const made = entry.operation === operation ? resourceIn(entry)?.[identity] : undefined;
    const changed = isUpdate(entry.operation) && !isRejected(entry) && statusOf(entry) !== 429;
    const id = made === undefined ? (changed ? pathId(entry) : undefined) : String(made);
    const before = id === undefined ? undefined : webhooks.get(id)?.subscriptions;
    // A create with the id of a known webhook is a replay. In another space, the id names another webhook.
    const isOther = before && (made !== undefined || before[0]?.setBy.space !== entry.space);
    if (id !== undefined && !isOther)
      add(id, entry, entry.operation?.method === "PUT" ? undefined : before?.at(-1));
  }
  return [...webhooks.values()];
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? textsIn(value) : undefined;
}

function pairsOf(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === "string";
  return Object.fromEntries(Object.entries(value).filter(isText));
}

export function receivedBy(
  history: History,
  at: Subscribing,
  lateMs = history.head.consistencyTimeoutMs,
): readonly Received[] {
  return receivedIn(history, { ...at, lateMs });
}

interface Receiving extends Subscribing {
  lateMs: number;
}

const receivedIn = memoized(deliveriesTo, ({ operation, lateMs }: Receiving) => `${operation.id} ${lateMs}`);

function deliveriesTo(history: History, { lateMs, ...at }: Receiving): Received[] {
  const webhooks = webhooksOf(history, at);
  const known = knownEvents(history, at, webhooks);
  return history.deliveries.flatMap((delivery): Received[] => {
    const begun = (each: Subscription) => each.setBy.begun < delivery.at;
    const webhook = webhooks.find(({ subscriptions }) =>
      subscriptions.some((each) => begun(each) && each.mailbox === delivery.mailbox),
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

function causeOf(
  history: History,
  { operation }: Subscribing,
  { id, subscriptions }: Webhook,
  { body, at }: Delivery,
): Entry | undefined {
  const own = new Set(subscriptions.map(({ setBy }) => setBy));
  const isOwn = (entry: Entry) => own.has(entry) || entry.operation === operation || pathId(entry) === id;
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
  const schema = events === undefined ? undefined : spec.schemas.at(operation.body ?? {}, `/${events}`);
  const fixture = schema && spec.schemas.flatten(schema)["x-values-from"]?.fixture;
  const given = (head.fixtures[fixture ?? ""] ?? "").split(",").map((name) => name.trim());
  const sent = webhooks.flatMap(({ subscriptions }) => subscriptions.flatMap((each) => each.events ?? []));
  return [...new Set([...given, ...sent])].filter((name) => name !== "");
}

function eventsIn({ headers, body }: Delivery, known: string[]): string[] {
  const texts = new Set([...headers.map(([, value]) => value), ...textsIn(body.json())]);
  return known.filter((name) => texts.has(name));
}

/** Deliveries of one kind have the same top-level names. */
export function formOf({ body }: Delivery): string {
  const value = body.json();
  if (isObject(value))
    return `JSON {${Object.keys(value as JsonObject)
      .sort()
      .join(", ")}}`;
  return value === undefined ? "no JSON" : "JSON, no object";
}
