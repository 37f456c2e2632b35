import { addTo, groupedBy } from "../../spec/grouped.ts";
import { identityOf, idText } from "../../spec/identity.ts";
import { canonicalJson, type JsonObject } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import {
  type Entry,
  type Head,
  type HistoryFacts,
  idempotencyKeyIn,
  isOrdinary,
  isRejected,
  objectSent,
  overlaps,
  resourceIn,
} from "../entry.ts";
import { idWithParents } from "../resource-kinds.ts";

export interface SentCreate {
  entry: Entry;
  key: string | undefined;
  body: string | undefined;
  sent: JsonObject;
}

export interface Use extends SentCreate {
  made: JsonObject;
  id: string;
  /** The id with those of the parents, because another parent may have the same id. */
  place: string;
}

export interface Creates {
  sent: SentCreate[];
  accepted: Use[];
  rejected: SentCreate[];
}

/** Returns the requests to a create, and the resources that it made. */
export function createsOf(spec: Spec, create: Operation, head: Head, entries: readonly Entry[]): Creates {
  const sent = entries.filter((entry) => entry.operation === create && isOrdinary(entry, head)).map(sentBy);
  const identity = identityOf(spec, create);
  const accepted = sent.flatMap((call): Use[] => {
    const made = resourceIn(call.entry);
    const id = idText(made?.[identity]);
    return made && id !== undefined ? [{ ...call, made, id, place: idWithParents(call.entry, id) }] : [];
  });
  return { sent, accepted, rejected: sent.filter(({ entry }) => isRejected(entry)) };
}

/** True if an earlier create with this key made the same resource. */
export function isReplay(use: Use, all: readonly Use[]): boolean {
  return all.some(
    (other) =>
      other.key !== undefined &&
      other.key === use.key &&
      other.place === use.place &&
      other.entry.space === use.entry.space &&
      other.entry.index < use.entry.index,
  );
}

/** Returns the uses that made a new resource, and repeated no key. */
export function withoutReplays(uses: readonly Use[]): Use[] {
  return uses.filter((use) => !isReplay(use, uses));
}

/** Returns the first use of each id: later ones may show the resource after an action. */
export function firstOfEachId(uses: readonly Use[]): Use[] {
  return uses.filter((use, index) => uses.findIndex(({ id }) => id === use.id) === index);
}

function sentBy(entry: Entry): SentCreate {
  const sent = objectSent(entry);
  const body = sent && canonicalJson(sent);
  return { entry, key: idempotencyKeyIn(entry), body, sent: sent ?? {} };
}

/** Groups creates by space and the text from `shared`. Undefined leaves a create out. */
export function usesBy<Sent extends SentCreate>(
  calls: readonly Sent[],
  shared: (call: Sent) => string | undefined,
): Sent[][] {
  const sharing = calls.filter((call) => shared(call) !== undefined);
  return [...groupedBy(sharing, (call) => `${call.entry.space} ${shared(call)}`).values()];
}

/** Returns the key and the path: a service may remember keys for each parent or resource of an action. */
export function keyInPath({ key, entry }: SentCreate): string | undefined {
  return key && `${JSON.stringify(entry.path)} ${key}`;
}

/** Returns equal texts for requests with one key, path and body. Undefined without a key. */
export function keyAndBody(call: SentCreate): string | undefined {
  return call.body && keyInPath(call) && `${keyInPath(call)} ${call.body}`;
}

/** Returns the pairs of calls that were under way at the same time. */
export function overlapping<Sent extends SentCreate>(calls: readonly Sent[]): [Sent, Sent][] {
  return calls.flatMap((call, index) =>
    calls
      .slice(0, index)
      .filter(({ entry }) => overlaps(entry, call.entry))
      .map((before): [Sent, Sent] => [before, call]),
  );
}

/** True if the call began after the answer to the other, in its space and version. */
export function isLater({ entry }: SentCreate, { entry: earlier }: SentCreate): boolean {
  const isAlike = entry.space === earlier.space && entry.version === earlier.version;
  return isAlike && entry.begun > earlier.ended;
}

/** Returns the creates by the id that they made. Resources of several kinds or parents may have one id. */
export const createsById = memoized(({ spec, head, context }: HistoryFacts): ReadonlyMap<string, Entry[]> => {
  const found = new Map<string, Entry[]>();
  for (const create of operationsOf(spec, "create"))
    for (const { id, entry } of createsOf(spec, create, head, context).accepted) addTo(found, id, entry);
  return found;
});
