import {
  type Entry,
  isAccepted,
  isOrdinary,
  isWrite,
  otherHeaders,
  responseJson,
  resultIn,
  shownId,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { skippedOver, without } from "../../history/lists/left-out.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import { addTo } from "../../spec/grouped.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isChange } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import {
  recordFindings,
  type VersionFinding,
  type VersionRequirement,
  valueFindings,
  writeFindings,
} from "./findings.ts";

export interface VersionPair {
  operation: Operation;
  older: string;
  newer: string;
}

interface Difference {
  requirement: VersionRequirement;
  expected: string;
  actual: string;
  shownBy: [older: Entry, newer: Entry];
  offending: string;
  /** An `open` difference may be chance and needs more pairs. */
  verdict: "differs" | "open";
}

interface ComparedAnswer {
  place: string;
  entry: Entry;
  read?: ListRead;
}

/** Creates are not repeated, so one pair of them is enough. */
const ENOUGH_PAIRS = 6;

/** Compares answers under two versions between which nothing was written. */
export const comparedVersions = memoized(
  compareVersions,
  ({ operation, older, newer }) => `${operation.id} ${older} ${newer}`,
);

/** Returns the lasting differences between answers under two versions, and entries that show others to agree. */
function compareVersions(history: History, at: VersionPair) {
  const findings = new Map<string, { finding: VersionFinding; pair: [Entry, Entry] }[]>();
  const evidence = new Set<Entry>();
  for (const [older, newer] of pairsOf(history, at))
    for (const finding of findingsBetween(history, at.operation, older, newer)) {
      const { requirement, subject } = finding;
      const key = `${older.place} ${requirement} ${subject}`;
      // Both lists may be empty, so equal pagination proves nothing.
      if (finding.difference === null && subject !== PAGINATION) evidence.add(newer.entry);
      addTo(findings, key, { finding, pair: [older.entry, newer.entry] });
    }
  const isCreate = at.operation.kind === "create";
  const differences = [...findings.values()].flatMap((group) => lastingIn(group, isCreate));
  return { differences, evidence: [...evidence] };
}

/** Returns the last difference if all comparisons of the group show it: a single one may be new data. */
function lastingIn(
  group: { finding: VersionFinding; pair: [Entry, Entry] }[],
  isCreate: boolean,
): Difference[] {
  const last = group.at(-1);
  const difference = last?.finding.difference;
  if (!last || !difference) return [];
  const isSame = ({ finding }: (typeof group)[number]) =>
    finding.difference?.expected === difference.expected || (isCreate && finding.difference !== null);
  if (!group.every(isSame)) return [];
  const verdict = isCreate || group.length >= ENOUGH_PAIRS ? "differs" : "open";
  const { requirement, subject } = last.finding;
  const offending = subject === PAGINATION ? "/pagination" : "/result";
  return [{ ...difference, requirement, shownBy: last.pair, offending, verdict }];
}

/** Returns neighbouring answers of the same place under both versions with no write between them. */
function pairsOf(history: History, at: VersionPair): [ComparedAnswer, ComparedAnswer][] {
  const last = new Map<string, ComparedAnswer>();
  return answersUnder(history, at).flatMap((answer): [ComparedAnswer, ComparedAnswer][] => {
    const before = last.get(answer.place);
    last.set(answer.place, answer);
    if (before === undefined || before.entry.version === answer.entry.version) return [];
    return [answer.entry.version === at.newer ? [before, answer] : [answer, before]];
  });
}

/** Returns the accepted answers under both versions in the order of their requests. */
function answersUnder(history: History, { operation, older, newer }: VersionPair): ComparedAnswer[] {
  const writesBefore = writesBeforeOf(history);
  const isMeant = ({ version }: Entry) => version === older || version === newer;
  if (operation.list)
    return history.lists.reads(operation).flatMap((read): ComparedAnswer[] => {
      const { entry } = read.pages[0] ?? {};
      if (!entry || !isMeant(entry)) return [];
      const place = JSON.stringify([writesBefore.get(entry), callerAndPath(entry), read.filters, read.size]);
      return [{ place, entry, read }];
    });
  const isRead = operation.method === "GET";
  return (
    history.entries
      .filter((entry) => entry.operation === operation && isMeant(entry))
      .filter(
        (entry) =>
          isAccepted(entry) &&
          isOrdinary(entry, history.head) &&
          !history.answers.wasSentAgain(entry) &&
          history.answers.classification(entry).faults.length === 0,
      )
      // A replayed create may show the resource as it was changed later.
      .filter((entry) => {
        const id = String(shownId(history.spec, entry));
        const isOfIt = ({ begun, path }: Entry) => begun < entry.ended && Object.values(path).includes(id);
        return operation.kind !== "create" || !changesIn(history).some(isOfIt);
      })
      .map((entry) => {
        const { url } = entry.request;
        return {
          entry,
          place: JSON.stringify([isRead ? writesBefore.get(entry) : null, url, callerAndPath(entry)]),
        };
      })
  );
}

function callerAndPath(entry: Entry): unknown {
  const { space, credential, path } = entry;
  return [space, credential.token, path, otherHeaders(entry)];
}

const changesIn = memoized(({ spec, entries }: History): Entry[] =>
  entries.filter(({ operation }) => operation && isChange(spec, operation)),
);

/** Reads after equally many writes can be compared. */
const writesBeforeOf = memoized(({ entries }: History): ReadonlyMap<Entry, number> => {
  let writes = 0;
  return new Map(entries.map((entry) => [entry, isWrite(entry) ? ++writes : writes]));
});

/** Returns the differences between two answers of different versions. */
function findingsBetween(
  history: History,
  operation: Operation,
  older: ComparedAnswer,
  newer: ComparedAnswer,
): Iterable<VersionFinding> {
  if (older.read && newer.read) return listFindings(history.spec, operation, older.read, newer.read);
  const [before, after] = [older, newer].map(({ entry }) => resultIn(entry));
  const isEmpty = Object.keys(Object(before)).length === 0 || typeof before !== "object";
  if (operation.kind === "named") return isEmpty ? [] : valueFindings(before, after, "/result");
  if (!isObject(before) || !isObject(after)) return [];
  return operation.method === "GET"
    ? recordFindings(history.spec.schemas, operation.resource ?? {}, before, after, older.entry.request.url)
    : writeFindings(history, operation, older.entry, newer.entry);
}

const PAGINATION = "pagination";

/** Returns the differences between two list reads under different versions. */
function* listFindings(
  spec: Spec,
  operation: Operation,
  older: ListRead,
  newer: ListRead,
): Generator<VersionFinding> {
  const found = (subject: string, difference: VersionFinding["difference"]): VersionFinding => ({
    requirement: "VERSION-MEMBERS",
    subject,
    difference,
  });
  for (const id of missingIn(older, newer))
    yield found(id, { expected: `the item ${id}`, actual: "left out" });
  for (const id of missingIn(newer, older)) yield found(id, { expected: `no item ${id}`, actual: "listed" });
  const [before, after] = [paginationOf(older), paginationOf(newer)];
  const isSame = sameJson(before, after);
  yield found(
    PAGINATION,
    isSame ? null : { expected: `pagination ${describeValue(before)}`, actual: describeValue(after) },
  );
  const items = new Map(newer.ids.map((id, index) => [id, newer.items[index]]));
  for (const [index, id] of older.ids.entries()) {
    const [one, other] = [older.items[index], items.get(id)];
    if (!one || !other) continue;
    yield found(id, null);
    yield* recordFindings(spec.schemas, operation.resource ?? {}, one, other, id);
  }
}

/** Returns the ids that the other read lacks. One that was not read to its end must show later ids. */
function missingIn({ ids }: ListRead, other: ListRead): string[] {
  return other.end === "last-page" ? without(ids, other.ids) : skippedOver(ids, other.ids);
}

/** Returns the pagination of the first page. Cursors may differ, so only their presence is compared. */
function paginationOf({ pages: [first] }: ListRead): JsonObject {
  const json = first && responseJson(first.entry);
  const { count, total } = isObject(json) && isObject(json.pagination) ? json.pagination : {};
  return { count, total, next: first?.next !== null };
}
