/** After any updates, filtered lists still show a resource that matches. */

import { type Entry, isAccepted } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { isLastPage } from "../../history/lists.ts";
import {
  pathId,
  type ResourceKind,
  resourceKinds,
  shownBy,
  type View,
} from "../../history/resource-kinds.ts";
import { judged, notExercised } from "../../history/result.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { suiteOf } from "../shared/suite.ts";
import { walkOf } from "./probes.ts";

interface FilterTarget extends RuleTarget {
  kind: ResourceKind;
  update: Operation;
  view: View;
}

function filteredLists(spec: Spec): FilterTarget[] {
  return resourceKinds(spec).flatMap((kind) =>
    [...kind.views.values()].flatMap((view) => {
      const [update] = kind.updates;
      const { operation, shows } = view;
      const hasFilters = (operation.list?.filters ?? []).some(({ filter }) =>
        isOfLastingField(spec, kind, view, filter),
      );
      // The walks ask for the list that shows the same record as the single read.
      const isAsked = [...kind.views.values()].some(
        ({ operation: { sameRecord } }) => sameRecord?.list === operation.id,
      );
      return shows === "list" && hasFilters && isAsked && update
        ? [{ kind, update, view, operation, detail: `after ${update.key}` }]
        : [];
    }),
  );
}

/** True if no update changes the field of a filter. Then a resource matches the filter throughout. */
function isOfLastingField(spec: Spec, { updates }: ResourceKind, { names }: View, filter?: string): boolean {
  const [own] = [...names].find(([, shown]) => `/${shown}` === filter) ?? [];
  const changed = updates.flatMap(({ body }) => spec.schemas.fields(body).map(([name]) => name));
  return own !== undefined && !changed.includes(own);
}

const stillFound = historyRule<FilterTarget>({
  requirement: "FILTER-COMPLETE",
  targets: filteredLists,
  title: ({ operation, update }) =>
    `${operation.key} under a filter shows every match, also after ${update.key}`,
  probes: ({ update }) => [walkOf(update)],
  writes: true,
  check(history, { operation, update, kind, view }) {
    const pages = history.entries.filter(
      (entry) =>
        entry.operation === operation && history.isOrdinary(entry) && isUnderFilter(operation, entry),
    );
    const seen = ownReads(history, kind).flatMap(({ id, space, reads }) =>
      pages
        .filter((page) => page.space === space && reads.every(({ fields }) => matches(page, view, fields)))
        .filter((page) => isBetween(page, reads))
        .map((page) => ({
          page,
          read: reads[0]?.entry,
          isFound: shownBy(history.spec, kind, page).some((shown) => shown.id === id),
          id,
        }))
        .filter(({ isFound, page }) => isFound || isLastPage(page)),
    );
    return judged(
      seen
        .filter(({ isFound }) => !isFound)
        .map(({ page, read, id }) => ({
          certainty: "suspected",
          difference: "missing",
          expected: `${id} under the filter that it matches`,
          actual: "a whole list without it",
          shownBy: [...(read ? [{ entry: read }] : []), { entry: page, offending: "/result" }],
        })),
      seen.map(({ page }) => page),
      notExercised("no-data", `nothing that ${update.key} changes was listed under a filter that it matches`),
    );
  },
});

interface OwnReads {
  id: string;
  space: string | null;
  reads: { entry: Entry; fields: JsonObject }[];
}

function ownReads(history: History, kind: ResourceKind): OwnReads[] {
  const found = new Map<string, OwnReads>();
  const changed = new Set(
    kind.updates.flatMap((update) => history.updates(update).map(({ entry }) => pathId(entry))),
  );
  for (const entry of history.entries) {
    if (!history.isOrdinary(entry)) continue;
    for (const { id, view, fields } of shownBy(history.spec, kind, entry)) {
      if (view.shows !== "read" || !changed.has(id)) continue;
      const place = `${entry.space} ${id}`;
      const own = found.get(place) ?? { id, space: entry.space, reads: [] };
      own.reads.push({ entry, fields });
      found.set(place, own);
    }
  }
  return [...found.values()];
}

function isBetween(page: Entry, reads: OwnReads["reads"]): boolean {
  return (
    reads.some(({ entry }) => entry.ended < page.begun) && reads.some(({ entry }) => entry.begun > page.ended)
  );
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

function matches({ request, operation }: Entry, { names }: View, fields: JsonObject): boolean {
  return request.query.every(([name, value]) => {
    const filter = operation?.list?.filters.find((each) => each.name === name)?.filter;
    if (filter === undefined) return true;
    const [own] = [...names].find(([, shown]) => `/${shown}` === filter) ?? [];
    return own !== undefined && asText(fields[own]) === value;
  });
}

function asText(value: unknown): string | undefined {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

export const filteredRules = suiteOf("updates", stillFound);
