import { type Entry, isAccepted, isRejected, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage, ListRead } from "../../history/lists.ts";
import { ENOUGH, repeatedPages, type Settled } from "../../history/pairs.ts";
import { judged, notExercised, type RuleResult, type Violation } from "../../history/result.ts";
import { counted } from "../../spec/counted.ts";
import { sameJson } from "../../spec/json.ts";
import type { DifferenceKind } from "../../spec/model/difference.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { cursorsAgain, readInSizes } from "../cursors/probes.ts";
import { followable } from "../cursors/rules.ts";
import { firstPagesOfRound } from "../shared/first-pages.ts";
import {
  comparedSizes,
  faultOf,
  followingFits,
  isUnfiltered,
  lastPage,
  pagesOf,
} from "../shared/followed-lists.ts";
import { historyRule } from "../shared/history-rule.ts";
import { operationsOf, suiteOf } from "../shared/suite.ts";
import { beginnings, defaultPages } from "./default-pages.ts";
import { nextWithoutCursor, totalElsewhere } from "./observations.ts";
import { eachSize, withoutSize, withTotals } from "./probes.ts";
import { comparedTotals, type WrongTotal } from "./totals.ts";

function lists(spec: Spec): { operation: Operation }[] {
  return operationsOf(spec, "list").map((operation) => ({ operation }));
}

function withTotal(spec: Spec): { operation: Operation }[] {
  return lists(spec).filter(({ operation }) => operation.list?.total);
}

function suspected(
  expected: string,
  actual: string,
  shownBy: Violation["shownBy"],
  difference?: DifferenceKind,
): Violation {
  return { certainty: "suspected", difference, expected, actual, shownBy };
}

const limitAccepted = historyRule({
  requirement: "LIST-LIMIT-ACCEPTED",
  formerSuite: "lists",
  targets: (spec) =>
    lists(spec).flatMap(({ operation }) => {
      const { name, schema } = operation.list?.limit ?? {};
      const { minimum = 1, maximum } = schema ?? {};
      return maximum === undefined ? [] : [{ operation, detail: "any", name, minimum, maximum }];
    }),
  title: ({ operation, name, minimum, maximum }) =>
    `${operation.key} accepts every ${name} from ${minimum} to ${maximum}, and shows no more items`,
  probes: ({ operation }) => [eachSize(operation)],
  check(history, { operation, name }) {
    const first = firstPagesOfRound(history, operation);
    const isServed = ({ entry }: ListPage) =>
      first.some((other) => other.entry.version === entry.version && isAccepted(other.entry));
    const refused = first.filter((page) => page.size !== null && isRejected(page.entry) && isServed(page));
    return judged(
      refused.map(({ entry, size }) =>
        suspected(`${name}=${size} to be accepted`, `status ${statusOf(entry)}`, [
          { entry, offending: "status" },
        ]),
      ),
      first.flatMap(({ entry, size, answer }) => (size !== null && answer === "shown" ? [entry] : [])),
      notExercised("control-rejected", `${operation.key} was accepted with no ${name}`, entriesOf(first)),
    );
  },
});

function entriesOf(pages: ListPage[]): Entry[] {
  return pages.slice(0, 1).map(({ entry }) => entry);
}

const limitDefault = historyRule({
  requirement: "LIST-LIMIT-DEFAULT",
  formerSuite: "lists",
  targets: (spec) =>
    lists(spec).flatMap(({ operation }) => {
      const { name, schema } = operation.list?.limit ?? {};
      const defaultSize = schema?.default;
      return typeof defaultSize === "number"
        ? [{ operation, name, defaultSize, probe: withoutSize(spec, operation, defaultSize) }]
        : [];
    }),
  title: ({ operation, name, defaultSize }) =>
    `${operation.key} without ${name} shows the page of ${name}=${defaultSize}`,
  probes: ({ probe }) => [probe],
  check(history, { operation, name, defaultSize }) {
    const compared = defaultPages(history, operation, defaultSize).filter(({ pair }) =>
      isUnfiltered(operation, pair.read),
    );
    const violations = compared.filter(({ verdict }) => verdict === "differs");
    const isTelling = ({ pair }: Settled<ListRead>) => isLongerThan(operation, pair.before, defaultSize);
    const fitting = compared.filter((each) => each.verdict === "agrees" && isTelling(each));
    const begun = beginnings(history, operation, defaultSize).filter((read) => isUnfiltered(operation, read));
    return judged(
      [
        ...longerThanDefault(history, operation, defaultSize),
        ...violations.map(({ pair: { before, read } }) =>
          suspected(
            `the ${before.ids.length} items of ${name}=${defaultSize}`,
            read.ids.length === before.ids.length ? "other items" : counted(read.ids.length, "item"),
            pagesOf(before, read),
          ),
        ),
      ],
      [...fitting.map(({ pair }) => pair.read), ...begun].flatMap(lastPage),
      driftOr(compared, "no-data", `the list is no longer than ${defaultSize} items`),
    );
  },
});

function longerThanDefault(history: History, list: Operation, defaultSize: number): Violation[] {
  const { pages, isOfRound } = history.lists;
  return pages(list)
    .filter((page) => page.size === null && page.items.length > defaultSize && isOfRound(page))
    .map(({ entry, items }) => ({
      certainty: "proven",
      difference: "too-many",
      expected: `at most ${counted(defaultSize, "item")} without a page size`,
      actual: counted(items.length, "item"),
      shownBy: [{ entry, offending: "/result" }],
    }));
}

/**
 * True if the list is longer than a page of the default size. A shorter list looks the same with any default.
 */
function isLongerThan({ list }: Operation, { pages, ids }: ListRead, defaultSize: number): boolean {
  return list?.after ? (pages[0]?.next ?? null) !== null : ids.length >= defaultSize;
}

function driftOr(
  compared: readonly Settled<unknown>[],
  reason: "no-data" | "budget",
  message: string,
): RuleResult {
  const isMoving = compared.some(({ verdict }) => verdict === "moved" || verdict === "open");
  if (isMoving) return notExercised("drift", "the list changed each time it was read");
  return notExercised(reason, message);
}

const totalExact = historyRule({
  requirement: "LIST-TOTAL-EXACT",
  formerSuite: "lists",
  targets: withTotal,
  title: ({ operation }) => `total on the first page of ${operation.key} is the number of items on all pages`,
  probes: ({ operation }) => [withTotals(operation)],
  check(history, { operation }) {
    const compared = comparedTotals(history, operation);
    const whole = compared.filter(({ pair }) => pair.before.end === "last-page");
    return judged(
      wrongTotals(
        whole,
        "wrong-number",
        ({ reached }) => `total ${reached}, the number of items that next leads to`,
      ),
      whole.flatMap(({ verdict, pair }) => (verdict === "agrees" ? lastPage(pair.read) : [])),
      driftOr(whole, "budget", "the list is too long to be read to its end"),
    );
  },
});

const totalNotBelow = historyRule({
  requirement: "LIST-TOTAL",
  formerSuite: "lists",
  targets: (spec) => withTotal(spec).map((at) => ({ ...at, detail: "over all pages" })),
  title: ({ operation }) =>
    `total on the first page of ${operation.key} is not below the number of items on all pages`,
  probes: ({ operation }) => [withTotals(operation)],
  check(history, { operation }) {
    const compared = comparedTotals(history, operation, ({ total, reached }) => total < reached);
    return judged(
      wrongTotals(
        compared,
        "too-few",
        ({ reached }) => `a total of at least ${reached}, the number of items shown`,
      ),
      compared.flatMap(({ verdict, pair: { before, read } }) =>
        verdict === "agrees" && before.ids.length > 0 ? lastPage(read) : [],
      ),
      driftOr(compared, "no-data", "the list is empty"),
    );
  },
});

function wrongTotals(
  compared: readonly Settled<WrongTotal>[],
  kind: DifferenceKind,
  expected: (wrong: WrongTotal) => string,
): Violation[] {
  return compared.flatMap(({ verdict, difference, pair }) =>
    verdict === "differs" && difference
      ? [suspected(expected(difference), `total ${difference.total}`, pagesOf(pair.read), kind)]
      : [],
  );
}

const order = historyRule({
  requirement: "LIST-ORDER",
  formerSuite: "cursors",
  targets: followable,
  title: ({ operation }) => `${operation.key} has the same order at every page size`,
  probes: ({ operation }) => [readInSizes(operation), cursorsAgain(operation)],
  check(history, { operation }) {
    const result = followingFits(comparedSizes(history, operation), "LIST-ORDER");
    if (result.outcome === "violated") return result;
    const shuffled = shuffledPages(history, operation);
    if (shuffled.length < ENOUGH) return result;
    return judged(shuffled, [], result);
  },
});

function shuffledPages({ lists: { pages, isOfRound }, entries }: History, list: Operation): Violation[] {
  const writes = entries.filter((entry) => entry.request.method !== "GET" && isAccepted(entry));
  const own = pages(list).filter((page) => isOfRound(page) && isUnfiltered(list, page));
  return repeatedPages(own, () => false).flatMap(({ first, again }) => {
    const isWritten = writes.some(
      ({ begun, ended }) => begun < again.entry.ended && ended > first.entry.begun,
    );
    if (isWritten || sameJson(first.ids, again.ids) || !sameJson(content(first), content(again))) return [];
    const at = first.ids.findIndex((id, index) => again.ids[index] !== id);
    return [
      suspected(`${first.ids[at]} as item ${at + 1} of the page again`, `${again.ids[at]}`, [
        { entry: first.entry },
        { entry: again.entry },
      ]),
    ];
  });
}

function content({ items }: ListPage): string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}

const fullPages = historyRule({
  requirement: "LIST-FULL-PAGES",
  formerSuite: "cursors",
  targets: followable,
  title: ({ operation }) => `each page of ${operation.key} before the last one is full`,
  probes: ({ operation }) => [readInSizes(operation)],
  check(history, { operation }) {
    const reads = history.lists.reads(operation).filter((read) => isUnfiltered(operation, read));
    const followed = reads.filter((read) => faultOf(read) === null).flatMap(({ pages }) => pages);
    const leading = followed.filter(({ next, size }) => next !== null && size !== null);
    const short = leading.filter(({ ids, size }) => ids.length < (size ?? 0));
    return judged(
      short.map(({ entry, ids, size }) =>
        suspected(
          `${counted(size ?? 0, "item")}, because there is a next`,
          counted(ids.length, "item"),
          [{ entry }],
          "too-few",
        ),
      ),
      leading.map(({ entry }) => entry),
      notExercised("no-data", "no page has a next"),
    );
  },
});

export const paginationRules = suiteOf(
  "pagination",
  limitAccepted,
  limitDefault,
  totalExact,
  totalNotBelow,
  order,
  fullPages,
  totalElsewhere,
  nextWithoutCursor,
);
