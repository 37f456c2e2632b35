import { asQuery } from "../../../client/target.ts";
import {
  type Entry,
  inOrder,
  isAccepted,
  isWrite,
  objectSent,
  pathId,
  startsWithin,
} from "../../../history/entry.ts";
import type { History } from "../../../history/history.ts";
import { isLastPage } from "../../../history/lists/lists.ts";
import {
  idWithParents,
  mayShareParents,
  type ResourceKind,
  resourceKinds,
  shownBy,
  type View,
} from "../../../history/resource-kinds.ts";
import { asEvidence, isProven, judged, type Violation, violationIn } from "../../../history/result.ts";
import { sameFieldValue } from "../../../history/values/differences.ts";
import { groupedBy } from "../../../spec/grouped.ts";
import { appendPointer, fieldAt, type JsonObject, pointerTokens, valueAt } from "../../../spec/json.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { preferredFirst } from "../../../spec/ordered.ts";
import { readAgain } from "../../reads/repeated-reads.ts";
import { historyRule, type RuleTarget, suiteOf } from "../../shared/history-rule.ts";
import { lastLook, walkOf } from "../probes.ts";
import { type OwnRead, type OwnReads, ownReads, readsAround } from "./own-reads.ts";

interface FilterTarget extends RuleTarget {
  kind: ResourceKind;
  update: Operation;
  view: View;
}

/** Returns a target for each list that filters by a field which no update changes. */
function filteredLists(spec: Spec): FilterTarget[] {
  return resourceKinds(spec).flatMap((kind) =>
    [...kind.views.values()].flatMap((view) => {
      const [update] = kind.updates;
      const { operation, shows } = view;
      const changed = kind.updates.flatMap(({ body }) => spec.schemas.fieldNames(body));
      const hasFilters = (operation.list?.filters ?? []).some(({ filter }) => {
        const own = fieldOf(view, filter);
        return own !== undefined && !changed.includes(own);
      });
      // After updates, only the list of `sameRecord` is read.
      const isAsked = [...kind.views.values()].some(
        ({ operation: { sameRecord } }) => sameRecord?.list === operation.id,
      );
      return shows === "list" && hasFilters && isAsked && update
        ? [{ kind, update, view, operation, detail: `after ${update.key}` }]
        : [];
    }),
  );
}

const stillFound = historyRule({
  requirement: "FILTER-COMPLETE",
  targets: filteredLists,
  title: ({ operation, update }) =>
    `${operation.key} under a filter shows every match, also after ${update.key}`,
  probes: ({ update }) => [walkOf(update), lastLook(update)],
  writes: true,
  check(history, at) {
    const seen = seenUnderFilters(history, at);
    return judged(
      seen.filter(({ isFound }) => !isFound).map((missing) => missingIn(missing, seen)),
      seen.map(({ page }) => page),
      `nothing that ${at.update.key} changes was listed under a filter that it matches`,
    );
  },
  // A cancellation works only once, so only the list is read again.
  followUp(result, { operation, update }) {
    const violation = violationIn(result);
    if (!violation || isProven(violation)) return undefined;
    const reads = violation.shownBy.map(({ entry }) => entry).filter((entry) => !isWrite(entry));
    // The list comes first, because a resource must match the filter before and after it.
    const again = preferredFirst(reads, (entry) => entry.operation === operation);
    const needs = again.slice(0, 2).map((entry) => ({ again: entry, way: "soon" as const, times: 1 }));
    return { ...readAgain(operation, needs), id: `list again ${operation.id} after ${update.id}` };
  },
});

interface ResourceUnderFilter {
  id: string;
  page: Entry;
  /** The reads around the page, and an update of the resource. */
  evidence: Entry[];
  isFound: boolean;
}

/** Returns the updated resources with the filtered pages that must show or hide them. */
function seenUnderFilters(history: History, at: FilterTarget): ResourceUnderFilter[] {
  const { operation, kind } = at;
  const all = history.lists
    .pages(operation)
    .flatMap(({ entry, ids, items }) => items.map((item, index) => ({ entry, item, id: ids[index] })));
  const listed = groupedBy(all, ({ entry, id }) => `${entry.space} ${idWithParents(entry, id ?? "")}`);
  const pages = history.entries.filter(
    (entry) => entry.operation === operation && history.isOrdinary(entry) && isUnderFilter(operation, entry),
  );
  const owned = ownReads(history, kind);
  const seen = owned.flatMap((own) =>
    pages.flatMap((page) => resourceUnder(page, own, history, at, listed) ?? []),
  );
  if (seen.every(({ isFound }) => isFound)) return seen;
  const passing = passingFilters(history, at, owned, listed);
  return seen.filter(
    ({ isFound, page }) => isFound || !page.request.query.some(([name]) => passing.has(name)),
  );
}

/** Returns the resource on the page, or `undefined` unless reads before and after show that it matches. */
function resourceUnder(
  page: Entry,
  { id, space, reads, answers, changes }: OwnReads,
  history: History,
  { kind, view }: FilterTarget,
  listed: ReadonlyMap<string, Listed[]>,
): ResourceUnderFilter | undefined {
  const isHere = page.space === space && reads.every(({ entry }) => mayShareParents(kind, entry, page));
  const { consistencyTimeoutMs } = history.head;
  const isSettled = ({ entry }: OwnRead) => !startsWithin(page, entry, consistencyTimeoutMs);
  const beside = isHere ? readsAround(page, reads, answers.filter(isSettled)) : undefined;
  const own = listed.get(`${space} ${idWithParents(page, id)}`) ?? [];
  const isMatch = ({ fields }: OwnRead) =>
    matchesFilters(page, view, fields, (pointer) => lastingValue(own, page, pointer));
  if (!beside?.every(isMatch)) return undefined;
  const isLate = (change: Entry) =>
    change.begun < page.ended && startsWithin(page, change, consistencyTimeoutMs);
  // The list may still be old, so all reads must match the filter.
  if (changes.some(isLate) && !reads.every(isMatch)) return undefined;
  const isFound = shownBy(history.spec, kind, page).some((shown) => shown.id === id);
  const isEchoed = Object.entries(objectSent(beside[0].entry) ?? {}).every(
    ([name, value]) => !(name in beside[0].fields) || sameFieldValue(value, beside[0].fields[name]),
  );
  const isUnread = (change: Entry) =>
    !(change === beside[0].entry && isEchoed) &&
    change.begun < page.ended &&
    change.ended > beside[0].entry.begun &&
    // A PUT resets fields that it omits.
    page.request.query.some(([name]) => {
      const own = fieldOf(view, filterBy(page.operation, name));
      return own !== undefined && (change.operation?.method === "PUT" || sendsField(change, own));
    });
  if (!isFound && (changes.some(isUnread) || !isLastPage(page))) return undefined;
  const update = changes.findLast(({ ended }) => ended < page.begun) ?? changes[0];
  const evidence = [...(update ? [update] : []), ...beside.map(({ entry }) => entry)];
  return { id, page, evidence, isFound };
}

/** Returns the violation that filtered pages lack the resource. Proof needs two, as one may be late. */
function missingIn(
  { id, page, evidence }: ResourceUnderFilter,
  seen: readonly ResourceUnderFilter[],
): Violation {
  const later = seen.filter(
    (other) =>
      other.id === id && other.page.request.url === page.request.url && other.page.begun >= page.begun,
  );
  return {
    certainty: later.length > 1 && later.every(({ isFound }) => !isFound) ? "proven" : "suspected",
    difference: "missing",
    expected: `${id} under the filter that it matches`,
    actual: "a whole list without it",
    shownBy: asEvidence(inOrder([...evidence, page]), page, "/result"),
  };
}

function isUnderFilter({ list }: Operation, entry: Entry): boolean {
  const filters = (list?.filters ?? []).map(({ name }) => name);
  const known = [...filters, list?.limit?.name];
  const { query } = entry.request;
  return (
    isAccepted(entry) &&
    query.every(([name]) => known.includes(name)) &&
    query.some(([name]) => filters.includes(name)) &&
    new Set(query.map(([name]) => name)).size === query.length
  );
}

/** True if the fields match the filters of the page, as far as they are known. */
function matchesFilters(
  { request, operation }: Entry,
  view: View,
  fields: JsonObject,
  listed: (pointer: string) => string | undefined,
): boolean {
  return request.query.every(([name, value]) => {
    const filter = filterBy(operation, name);
    if (filter === undefined) return true;
    const own = fieldOf(view, filter);
    return (own === undefined ? listed(filter) : asQuery(valueUnder(view, fields, filter))) === value;
  });
}

/**
 * Returns the filters by fields that took a value for a moment, without an update. An item that shows the value
 * before and after a page may lack it in between.
 */
function passingFilters(
  history: History,
  { operation, kind, view }: FilterTarget,
  owned: readonly OwnReads[],
  listed: ReadonlyMap<string, Listed[]>,
): ReadonlySet<string> {
  const updates = kind.updates.flatMap((update) => history.updates(update).map(({ entry }) => entry));
  const passing = (operation.list?.filters ?? []).filter(({ filter = "" }) => {
    const own = fieldOf(view, filter) ?? "";
    const isSent = ({ entry: { space }, id }: Pick<Listed, "entry" | "id">) =>
      updates.some((update) => update.space === space && pathId(update) === id && sendsField(update, own));
    const inReads = owned.map(({ id, reads }) =>
      reads.map(({ entry, fields }) => ({ entry, id, value: asQuery(valueUnder(view, fields, filter)) })),
    );
    const inLists = [...listed.values()].map((items) =>
      items.map(({ entry, id, item }) => ({ entry, id, value: asQuery(valueAt(item, filter)) })),
    );
    return [...inReads, ...inLists]
      .flatMap((seen) => [...groupedBy(seen, ({ entry }) => entry.version ?? "").values()])
      .some((seen) => {
        const changes = seen.filter(({ value }, index) => index === 0 || value !== seen[index - 1]?.value);
        return new Set(changes.map(({ value }) => value)).size < changes.length && !seen.some(isSent);
      });
  });
  return new Set(passing.map(({ name }) => name));
}

function sendsField(update: Entry, name: string): boolean {
  return name in (objectSent(update) ?? {});
}

function filterBy(operation: Operation | null, parameter: string): string | undefined {
  return operation?.list?.filters.find(({ name }) => name === parameter)?.filter;
}

interface Listed {
  entry: Entry;
  id: string | undefined;
  item: JsonObject;
}

/** Returns a value that all lists show. Reads may spell it differently (oneTime for one_time). */
function lastingValue(listed: readonly Listed[], page: Entry, pointer: string): string | undefined {
  const [first, ...others] = listed.map(({ item }) => asQuery(valueAt(item, pointer)));
  const isBefore = listed.some(({ entry }) => entry.ended < page.begun);
  return isBefore && others.every((other) => other === first) ? first : undefined;
}

export const filteredRules = suiteOf("updates", stillFound);

/** Returns the field of the resource that the view shows under the filter's name. */
function fieldOf({ names }: View, filter = ""): string | undefined {
  return [...names].find(([, shown]) => shown === fieldAt(filter))?.[0];
}

/** Returns the value of the resource's fields that the filter compares, or undefined if the view shows none. */
function valueUnder(view: View, fields: JsonObject, filter: string): unknown {
  const own = fieldOf(view, filter);
  const [, ...within] = pointerTokens(filter);
  return own === undefined ? undefined : valueAt(fields, [own, ...within].reduce(appendPointer, ""));
}
