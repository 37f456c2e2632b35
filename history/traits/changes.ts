import { counted } from "../../spec/counted.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { identityOf } from "../../spec/identity.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import {
  type Entry,
  isAccepted,
  isBetween,
  isRejected,
  isWrite,
  pathId,
  resultIn,
  shownId,
} from "../entry.ts";
import type { History } from "../history.ts";
import { sameFieldValue } from "../values/differences.ts";
import type { FoundTrait } from "./trait.ts";

interface EqualReads {
  operation: Operation;
  first: Entry;
  second: Entry;
}

interface Change extends Pick<EqualReads, "first" | "second"> {
  trait: "volatile-field" | "moving-list";
  subject: string;
}

/** Finds fields and lists that changed between equal reads without a write. */
export function changesWithoutWrites(history: History): FoundTrait[] {
  const { spec } = history;
  const written = writtenIds(history);
  const pairs = equalReads(history);
  const lists = pairs.some(({ operation }) => operation.list) ? writtenLists(history, written) : [];
  const changes = pairs.flatMap((pair) => {
    const before = itemsOf(spec, pair.operation, pair.first);
    const after = itemsOf(spec, pair.operation, pair.second);
    if (!before || !after) return [];
    const moves = lists.includes(pair.operation) ? [] : movesOf(pair, before, after);
    return [...moves, ...volatileFields(spec, pair, withoutWritten(before, written), after)];
  });
  return [...groupedBy(changes, ({ trait, subject }) => `${trait} ${subject}`).values()].flatMap(
    traitOfChanges,
  );
}

function traitOfChanges(members: readonly Change[]): FoundTrait[] {
  const [change] = members;
  if (!change) return [];
  const { trait, subject, first, second } = change;
  const what = trait === "volatile-field" ? "changes" : "shows other items or another order";
  const statement = `${subject} ${what} without a write: it differed in ${counted(members.length, "pair")} of equal reads.`;
  return [{ trait, subject, statement, shownBy: [first, second] }];
}

/** Returns pairs of equal reads with no write between them. */
function equalReads({ context }: History): EqualReads[] {
  const writes = context.filter((entry) => isWrite(entry) && !isRejected(entry));
  const latest = new Map<string, Entry>();
  return context.flatMap((second) => {
    const { operation, request, version, space, credential } = second;
    if (!operation || isWrite(second) || !isAccepted(second)) return [];
    const place = JSON.stringify([request.url, version, space, credential]);
    const first = latest.get(place);
    latest.set(place, second);
    if (!first || first.ended > second.begun || isSameAnswer(first, second)) return [];
    const isWritten = writes.some((write) => isBetween(write, first, second));
    return isWritten ? [] : [{ operation, first, second }];
  });
}

function isSameAnswer({ response: one }: Entry, { response: other }: Entry): boolean {
  return "body" in one && "body" in other && one.body.text === other.body.text;
}

/** Returns ids of written resources, of which a late read may show an older state. */
function writtenIds({ spec, context }: History): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const entry of context) {
    const { operation } = entry;
    if (!operation || !isWrite(entry) || isRejected(entry)) continue;
    const own = operation.kind === "create" ? shownId(spec, entry) : pathId(entry);
    if (own !== undefined) ids.add(String(own));
  }
  return ids;
}

/** Returns lists of written resources: a write may move any item to another page, even late. */
function writtenLists({ spec, context }: History, written: ReadonlySet<string>): Operation[] {
  return spec.operations.filter((operation) => {
    const shown = operation.list ? context.filter((entry) => entry.operation === operation) : [];
    return shown.some((entry) =>
      [...(itemsOf(spec, operation, entry)?.keys() ?? [])].some((id) => written.has(id)),
    );
  });
}

function itemsOf(spec: Spec, operation: Operation, entry: Entry): Map<string, JsonObject> | undefined {
  const result = resultIn(entry);
  const shown = Array.isArray(result) ? result : [result];
  if (!shown.every(isObject)) return undefined;
  const identity = operation.list?.identity ?? identityOf(spec, operation);
  const items = new Map(shown.map((item) => [String(item[identity]), item]));
  return items.size === shown.length ? items : undefined;
}

type Items = ReadonlyMap<string, JsonObject>;

function withoutWritten(items: Items, written: ReadonlySet<string>): Items {
  return new Map([...items].filter(([id]) => !written.has(id)));
}

function movesOf({ operation, first, second }: EqualReads, before: Items, after: Items): Change[] {
  const isSame = sameJson([...before.keys()], [...after.keys()]);
  return isSame ? [] : [{ trait: "moving-list", subject: operation.key, first, second }];
}

function volatileFields(
  { schemas }: Spec,
  { operation, first, second }: EqualReads,
  before: Items,
  after: Items,
): Change[] {
  const differ = schemas.fieldNames(operation.resource).filter((name) =>
    [...before].some(([id, item]) => {
      const again = after.get(id);
      return again && !sameFieldValue(item[name], again[name]);
    }),
  );
  return differ.map((name) => ({
    trait: "volatile-field",
    subject: `${name} in ${operation.key}`,
    first,
    second,
  }));
}
