/** Rules: a list accepts the values of its items as filters, and compares them exactly. */

import { isAccepted } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { type ListPage, showsList } from "../../history/lists/lists.ts";
import { judged, type RuleResult, wrongStatus } from "../../history/result.ts";
import type { Parameter, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { typesOf } from "../../spec/schema.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";
import { historyRule } from "../shared/history-rule.ts";
import {
  entriesOf,
  filterValuesOf,
  isKnown,
  isUnder,
  mismatches,
  pagesOfKnown,
  showingFields,
  shownValues,
} from "./compared.ts";
import { type FilterSet, filterSets, isNumeric, namesOf, queryText } from "./matching.ts";
import { nearMisses, requiredValues, underFilters } from "./probes.ts";

export const valuesAccepted = historyRule({
  requirement: "PARAMETER-ACCEPTED",
  targets: (spec) =>
    filterSets(spec).filter(({ set: [first, ...others] }) => first?.schema.enum || others.length > 0),
  title: ({ operation, detail }) => `${operation.key} accepts the ${detail} of its items`,
  probes: (at) => [underFilters(at)],
  check: knownAccepted,
});

export const knownValues = historyRule({
  requirement: "PARAMETER-ACCEPTED",
  targets: (spec) =>
    filterSets(spec).flatMap((at) => {
      const [filter, ...others] = at.set;
      if (!filter || filter.schema.enum || others.length > 0) return [];
      return [{ ...at, detail: `${filter.name} of an item` }];
    }),
  title: ({ operation, set }) => `${operation.key} accepts the ${set[0]?.name} of its items`,
  probes: (at) => [underFilters(at)],
  check: knownAccepted,
});

/** Judges whether the list was served under each value that the service itself shows. */
function knownAccepted(history: History, at: FilterSet): RuleResult {
  const pages = pagesOfKnown(history, at, "first");
  // A faulty item may show a value that the filter does not allow.
  const isAllowed = ({ entry }: ListPage) => history.answers.classification(entry).faults.length === 0;
  const isServed = ({ entry: { version } }: ListPage) =>
    history.lists
      .pages(at.operation)
      .some(
        ({ entry, filters }) =>
          isUnfiltered(at.operation, { filters }) && entry.version === version && isAccepted(entry),
      );
  const rejected = pages.filter((page) => page.answer === "rejected" && isAllowed(page) && isServed(page));
  return judged(
    rejected.map((page) => wrongStatus(`${queryText(filterValuesOf(page))} to be accepted`, page.entry)),
    entriesOf(pages.filter(showsList)),
    `no item has values for ${namesOf(at)}`,
  );
}

function filtersOf(spec: Spec, isWanted: (filter: Parameter) => boolean) {
  return operationsOf(spec, "list").flatMap((operation) =>
    (operation.list?.filters ?? [])
      .filter(isWanted)
      .map((filter) => ({ operation, filter, detail: filter.name })),
  );
}

/** Formats whose values have one spelling, apart from the letter case. */
const WITH_ONE_SPELLING = [undefined, "email", "hostname", "ipv4", "uuid"];

function hasNearValues(filter: Parameter): boolean {
  const { schema, required } = filter;
  const isText = typesOf(schema).every((type) => type === "string" || type === "null");
  const isComparable = isNumeric(filter) || (isText && WITH_ONE_SPELLING.includes(schema.format));
  return !required && !schema.enum && isComparable;
}

export const exact = historyRule({
  requirement: "FILTER-SOUND",
  targets: (spec) =>
    filtersOf(spec, hasNearValues).map((at) => ({ ...at, detail: `${at.filter.name} near misses` })),
  title: ({ operation, filter }) => `${operation.key} compares ${filter.name} exactly`,
  probes: ({ operation, filter }) => [nearMisses(operation, filter)],
  check(history, { operation, filter }) {
    const at = { operation, set: [filter], detail: filter.name };
    const near = history.lists
      .pagesOfRound(operation)
      .filter((page) => isUnder(at, page) && page.cursor === null && !isKnown(history, at, page));
    return judged(
      mismatches(near, at.set),
      entriesOf(near.filter(({ answer }) => answer !== "unreadable")),
      `no item has a value for ${filter.name}`,
    );
  },
});

/** A required filter leaves no unfiltered read for comparison. */
export const requiredSound = historyRule({
  requirement: "FILTER-SOUND",
  targets: (spec) => filtersOf(spec, ({ required }) => required),
  title: ({ operation, filter }) => `every item of ${operation.key} has the requested ${filter.name}`,
  probes: ({ operation, filter }) => [requiredValues(operation, filter)],
  check(history, { operation, filter }) {
    const shown = shownValues(history, operation, filter);
    // Items that show the value only in other casing may or may not match.
    const isOtherCasing = (value: string) =>
      !shown.includes(value) && shown.some((each) => each.toLowerCase() === value.toLowerCase());
    const pages = history.lists.pagesOfRound(operation).filter((page) => {
      const value = filterValuesOf(page)[filter.name];
      return value !== undefined && !isOtherCasing(value);
    });
    return judged(
      mismatches(pages, [filter]),
      entriesOf(showingFields(pages, [filter])),
      `no value of ${filter.name} has items`,
    );
  },
});
