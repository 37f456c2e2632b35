/** Rules: a filtered list shows all matching items and no others (sections 4.3, 4.8 and 4.10). */

import type { History } from "../../history/history.ts";
import type { ListComparison } from "../../history/lists/pairs.ts";
import { judged, notExercised, type RuleResult } from "../../history/result.ts";
import { counted } from "../../spec/counted.ts";
import { documentedDefault } from "../../spec/page-sizes.ts";
import { readInSizes } from "../cursors/probes.ts";
import { defaultPages } from "../pagination/compared-pages.ts";
import { agreeingPages, driftUnlessDecided, pagesOf, violationsOf } from "../shared/compared-lists.ts";
import { comparedSizes, isFaulty, notFollowed, pagesAreFull } from "../shared/followed-lists.ts";
import { historyRule, suiteOf } from "../shared/history-rule.ts";
import { pagesAfterUpdates } from "../updates/lists/pages-after-updates.ts";
import {
  comparedFilters,
  entriesOf,
  type FilterFault,
  type FilterFinding,
  filterValuesOf,
  isUnder,
  mismatches,
  pagesOfKnown,
  showingFields,
} from "./compared.ts";
import { type FilterSet, filterSets, followedSets, matches, queryText } from "./matching.ts";
import { underFilters, underFilterWithoutSize } from "./probes.ts";
import { exact, knownValues, requiredSound, valuesAccepted } from "./value-rules.ts";

const sound = historyRule({
  requirement: "FILTER-SOUND",
  targets: filterSets,
  title: ({ operation, detail }) => `${operation.key} filtered by ${detail} shows only items that match`,
  probes: (at) => [underFilters(at)],
  check(history, at) {
    const pages = pagesOfKnown(history, at, "first");
    return judged(
      mismatches(pages, at.set),
      entriesOf(showingFields(pages, at.set)),
      `no item was found under ${at.detail}`,
    );
  },
});

const complete = historyRule({
  requirement: "FILTER-COMPLETE",
  targets: filterSets,
  title: ({ operation, detail }) => `${operation.key} filtered by ${detail} shows every item that matches`,
  probes: (at) => [underFilters(at)],
  check(history, at) {
    const compared = comparedFilters(history, at);
    const found = compared.filter(
      ({ pair: { before, read } }) =>
        read.items.length > 0 && before.items.some((item) => matches(item, at.set, filterValuesOf(read))),
    );
    return verdictOn(compared, found, "FILTER-COMPLETE", `no item has values for ${at.detail}`);
  },
});

const showsAll = historyRule({
  requirement: "LIST-SHOWS-ALL",
  targets: filterSets,
  title: ({ operation, detail }) =>
    `items of ${operation.key} filtered by ${detail} also appear in the unfiltered list`,
  probes: (at) => [underFilters(at)],
  check(history, at) {
    const compared = comparedFilters(history, at);
    const found = compared.filter(({ pair }) => pair.read.items.length > 0);
    return verdictOn(compared, found, "LIST-SHOWS-ALL", `no item was found under ${at.detail}`);
  },
});

/** Judges the comparisons for one fault. Comparisons that show other faults prove nothing. */
function verdictOn(
  compared: readonly ListComparison<FilterFinding>[],
  telling: readonly ListComparison<FilterFinding>[],
  fault: FilterFault,
  otherwise: string,
): RuleResult {
  const ofFault = compared.filter(({ difference }) => difference?.fault === fault);
  return judged(
    violationsOf(ofFault, ({ expected, actual, difference }, { before, read }) => {
      return { certainty: "suspected", difference, expected, actual, shownBy: pagesOf(before, read) };
    }),
    agreeingPages(telling),
    driftUnlessDecided(compared, notExercised("no-data", otherwise)),
  );
}

const paged = historyRule({
  requirement: "CURSOR-FILTERED",
  targets: followedSets,
  title: ({ operation, detail }) =>
    `following next of ${operation.key} filtered by ${detail} shows each match once, and no other item`,
  probes: (at, spec) => [
    underFilters(at),
    readInSizes(at.operation),
    ...pagesAfterUpdates(spec, at.operation),
  ],
  check(history, at) {
    const pages = pagesOfKnown(history, at, "following");
    const shown = unlessBlocked(history, at, judged(mismatches(pages, at.set), [], NOTHING));
    return shown.outcome === "violated" ? shown : followedUnder(history, at, "CURSOR-FILTERED");
  },
});

const NOTHING = notExercised("no-data", "no page was asked for");

/** Drops violations that also occur without a filter, except in confirmations, where that may be new. */
function unlessBlocked(history: History, { operation }: FilterSet, result: RuleResult): RuleResult {
  const isConfirming = (history.entries[0]?.round ?? 1) > 1;
  if (result.outcome !== "violated" || isConfirming) return result;
  const fault = comparedSizes(history, operation).find(isFaulty)?.difference;
  return fault ? notFollowed(fault) : result;
}

function followedUnder(history: History, at: FilterSet, fault: FilterFault): RuleResult {
  const compared = comparedFilters(history, at);
  const followed = compared.filter(({ pair }) => pair.read.pages.length > 1);
  const result = verdictOn(compared, followed, fault, `nothing under ${at.detail} fills two pages`);
  return unlessBlocked(history, at, result);
}

const accepted = historyRule({
  requirement: "CURSOR-ACCEPTED",
  targets: followedSets,
  title: ({ operation, detail }) => `${operation.key} filtered by ${detail} accepts its own next as a cursor`,
  probes: (at) => [underFilters(at), readInSizes(at.operation)],
  check: (history, at) => followedUnder(history, at, "CURSOR-ACCEPTED"),
});

const ends = historyRule({
  requirement: "CURSOR-END",
  targets: followedSets,
  title: ({ operation, detail }) =>
    `following next of ${operation.key} filtered by ${detail} reaches the last page`,
  probes: (at) => [underFilters(at), readInSizes(at.operation)],
  check(history, at) {
    const compared = comparedFilters(history, at);
    // With few matches, the first page of a long list is the last.
    const ended = compared.filter(({ pair }) => pair.read.end === "last-page" && pair.read.items.length > 0);
    const result = verdictOn(compared, ended, "CURSOR-END", `nothing is found under ${at.detail}`);
    return unlessBlocked(history, at, result);
  },
});

const fullPages = historyRule({
  requirement: "LIST-FULL-PAGES",
  targets: (spec) => followedSets(spec).filter(({ operation: { list } }) => list?.limit),
  title: ({ operation, detail }) =>
    `each page of ${operation.key} filtered by ${detail} before the last one is full`,
  probes: (at) => [underFilters(at), readInSizes(at.operation)],
  check(history, at) {
    const reads = history.lists.reads(at.operation).filter((read) => isUnder(at, read));
    const nothing = notExercised("no-data", `nothing under ${at.detail} fills two pages`);
    return unlessBlocked(history, at, pagesAreFull(reads, nothing));
  },
});

const defaultSize = historyRule({
  requirement: "LIST-LIMIT-DEFAULT",
  targets: (spec) =>
    followedSets(spec).flatMap((at) => {
      const defaultSize = documentedDefault(at.operation);
      return defaultSize !== undefined && at.set.length === 1 ? [{ ...at, defaultSize }] : [];
    }),
  title: ({ operation, detail, defaultSize }) =>
    `${operation.key} filtered by ${detail} without limit shows the page of limit=${defaultSize}`,
  sampledGroup: ({ operation }) => operation.key,
  probes: (at) => [underFilterWithoutSize(at, at.defaultSize)],
  check(history, at) {
    const compared = defaultPages(history, at.operation, at.defaultSize).filter(({ pair }) =>
      isUnder(at, pair.read),
    );
    return judged(
      violationsOf(compared, (_, { before, read }) => ({
        certainty: "suspected",
        expected: `the ${before.ids.length} items of limit=${at.defaultSize} under ${queryText(filterValuesOf(read))}`,
        actual: counted(read.ids.length, "item"),
        shownBy: pagesOf(before, read),
      })),
      agreeingPages(compared.filter(({ pair }) => pair.read.ids.length > 0)),
      `nothing is found under ${at.detail}`,
    );
  },
});

export const filterRules = suiteOf(
  "filters",
  sound,
  complete,
  valuesAccepted,
  showsAll,
  paged,
  accepted,
  ends,
  fullPages,
  defaultSize,
  requiredSound,
  exact,
  knownValues,
);
