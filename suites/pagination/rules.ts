/** Rules for page sizes, totals and order (sections 2.2, 4 and 8). */

import { isAccepted, isBetween, isRejected, isWrite } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { type ListPage, type ListRead, showsList } from "../../history/lists/lists.ts";
import { MIN_DIFFERENCES, repeatedPages } from "../../history/lists/pairs.ts";
import { judged, notExercised, type Violation, violationBy, wrongStatus } from "../../history/result.ts";
import { counted } from "../../spec/counted.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { documentedDefault } from "../../spec/page-sizes.ts";
import { cursorsAgain, readInSizes } from "../cursors/probes.ts";
import {
  agreeingPages,
  driftUnlessDecided,
  lastPage,
  pagesOf,
  violationsOf,
} from "../shared/compared-lists.ts";
import {
  comparedSizes,
  firstPagesOfRound,
  followingFits,
  isUnfiltered,
  pagesAreFull,
  sizedFollowableLists,
} from "../shared/followed-lists.ts";
import { historyRule, noteRule, type RuleTarget, suiteOf, targetsAt } from "../shared/history-rule.ts";
import {
  beginningsOfLonger,
  comparedTotals,
  defaultPages,
  totalOf,
  wrongFilteredTotals,
} from "./compared-pages.ts";
import { eachSize, plainRead, withoutSize, withTotals } from "./probes.ts";
import { swappedItems } from "./swapped-items.ts";

/** Returns a target for each wanted list. */
function listTargets(spec: Spec, isWanted: (operation: Operation) => unknown = () => true): RuleTarget[] {
  return targetsAt(operationsOf(spec, "list").filter(isWanted));
}

const limitAccepted = historyRule({
  requirement: "LIST-LIMIT-ACCEPTED",
  formerSuite: "lists",
  targets: (spec) =>
    listTargets(spec).flatMap(({ operation }) => {
      const { name, schema } = operation.list?.limit ?? {};
      const { minimum = 1, maximum } = schema ?? {};
      return maximum === undefined ? [] : [{ operation, detail: "any", name, minimum, maximum }];
    }),
  title: ({ operation, name, minimum, maximum }) =>
    `${operation.key} accepts every ${name} from ${minimum} to ${maximum}`,
  probes: ({ operation }) => [eachSize(operation)],
  check(history, { operation, name }) {
    const pages = firstPagesOfRound(history, operation);
    // A version that rejects everything says nothing about sizes.
    const versions = pages.flatMap(({ entry }) => (isAccepted(entry) ? [entry.version] : []));
    const sized = pages.filter(({ size, entry }) => size !== null && versions.includes(entry.version));
    return judged(
      sized
        .filter(({ entry }) => isRejected(entry) && history.answers.isValid(entry))
        .map(({ entry, size }) => wrongStatus(`${name}=${size} to be accepted`, entry)),
      sized.filter(showsList).map(({ entry }) => entry),
      notExercised(
        "control-rejected",
        `${operation.key} was accepted neither with ${name} nor without`,
        pages.slice(0, 1).map(({ entry }) => entry),
      ),
    );
  },
});

const limitDefault = historyRule({
  requirement: "LIST-LIMIT-DEFAULT",
  formerSuite: "lists",
  targets: (spec) =>
    listTargets(spec).flatMap(({ operation }) => {
      const defaultSize = documentedDefault(operation);
      return defaultSize === undefined ? [] : [{ operation, name: operation.list?.limit?.name, defaultSize }];
    }),
  title: ({ operation, name, defaultSize }) =>
    `${operation.key} without ${name} shows the page of ${name}=${defaultSize}`,
  probes: ({ operation, defaultSize }, spec) => [withoutSize(spec, operation, defaultSize)],
  check(history, { operation, name, defaultSize }) {
    const compared = defaultPages(history, operation, defaultSize).filter(({ pair }) =>
      isUnfiltered(operation, pair.read),
    );
    const begun = beginningsOfLonger(history, operation, defaultSize).filter((read) =>
      isUnfiltered(operation, read),
    );
    // One page would hide a larger default.
    const isLonger = ({ pages, ids }: ListRead) =>
      operation.list?.after ? (pages[0]?.next ?? null) !== null : ids.length >= defaultSize;
    return judged(
      [
        ...longerThanDefault(history, operation, defaultSize),
        ...violationsOf(compared, (_, { before, read }) => ({
          certainty: "suspected",
          expected: `the ${before.ids.length} items of ${name}=${defaultSize}`,
          actual: read.ids.length === before.ids.length ? "other items" : counted(read.ids.length, "item"),
          shownBy: pagesOf(before, read),
        })),
      ],
      [...agreeingPages(compared.filter(({ pair }) => isLonger(pair.before))), ...begun.flatMap(lastPage)],
      driftUnlessDecided(
        compared,
        notExercised("no-data", `the list is no longer than ${defaultSize} items`),
      ),
    );
  },
});

/** Returns the violations that a page without a size has more items than the default. */
function longerThanDefault(history: History, list: Operation, defaultSize: number): Violation[] {
  return history.lists
    .pagesOfRound(list)
    .filter(({ size, items }) => size === null && items.length > defaultSize)
    .map(({ entry, items }) => {
      const expected = `at most ${counted(defaultSize, "item")} without a page size`;
      const facts = { difference: "too-many", expected, actual: counted(items.length, "item") } as const;
      return violationBy("proven", facts, { entry, offending: "/result" });
    });
}

const totalExact = historyRule({
  requirement: "LIST-TOTAL-EXACT",
  formerSuite: "lists",
  targets: (spec) => listTargets(spec, ({ list }) => list?.total),
  title: ({ operation }) => `total on the first page of ${operation.key} is the number of items on all pages`,
  probes: ({ operation }) => [withTotals(operation)],
  check(history, { operation }) {
    const compared = comparedTotals(history, operation);
    const whole = compared.filter(({ pair }) => pair.before.end === "last-page");
    const wrong = (read: ListRead, reached: number, least = "") => {
      const expected = `total ${least}${reached}, the number of items that next leads to`;
      const facts = { difference: "wrong-number", expected, actual: `total ${totalOf(read)}` } as const;
      return violationBy("suspected", facts, ...pagesOf(read));
    };
    const filtered = wrongFilteredTotals(history, operation);
    return judged(
      [
        ...violationsOf(compared, ({ reached, isComplete }, { read }) =>
          wrong(read, reached, isComplete ? "" : "at least "),
        ),
        ...filtered.map((read) => wrong(read, read.ids.length)),
      ],
      agreeingPages(whole),
      driftUnlessDecided(whole, notExercised("budget", "the list is too long to be read to its end")),
    );
  },
});

const order = historyRule({
  requirement: "LIST-ORDER",
  formerSuite: "cursors",
  targets: sizedFollowableLists,
  title: ({ operation }) => `${operation.key} has the same order at every page size`,
  probes: ({ operation }) => [readInSizes(operation), cursorsAgain(operation)],
  check(history, { operation }) {
    const result = followingFits(comparedSizes(history, operation), "LIST-ORDER");
    if (result.outcome === "violated") return result;
    const swapped = swappedItems(history, operation);
    if (swapped.length > 0) return judged(swapped, [], result);
    const repeated = orderChanges(history, operation);
    const shuffled = repeated.filter((violation) => violation !== undefined);
    // Items may move sometimes, so most pages must differ.
    const isShuffled = shuffled.length >= MIN_DIFFERENCES && shuffled.length > repeated.length / 2;
    return judged(isShuffled ? shuffled : [], [], result);
  },
});

/** Undefined stands for a repeated page in the same order. */
function orderChanges({ lists, entries }: History, list: Operation): (Violation | undefined)[] {
  const writes = entries.filter((entry) => isWrite(entry) && isAccepted(entry));
  const own = lists.pagesOfRound(list).filter((page) => isUnfiltered(list, page));
  return repeatedPages(own, () => false).flatMap(({ first, again }) => {
    const isWritten = writes.some((write) => isBetween(write, first.entry, again.entry));
    const [before, after] = [first, again].map(({ items }) =>
      items.map((item) => JSON.stringify(item)).sort(),
    );
    if (isWritten || !sameJson(before, after)) return [];
    if (sameJson(first.ids, again.ids)) return [undefined];
    const at = first.ids.findIndex((id, index) => again.ids[index] !== id);
    const expected = `${first.ids[at]} as item ${at + 1} of the page again`;
    const facts = { expected, actual: `${again.ids[at]}` };
    return [violationBy("suspected", facts, first.entry, again.entry)];
  });
}

const fullPages = historyRule({
  requirement: "LIST-FULL-PAGES",
  formerSuite: "cursors",
  targets: sizedFollowableLists,
  title: ({ operation }) => `each page of ${operation.key} before the last one is full`,
  probes: ({ operation }) => [readInSizes(operation)],
  check(history, { operation }) {
    const reads = history.lists.reads(operation).filter((read) => isUnfiltered(operation, read));
    return pagesAreFull(reads, notExercised("no-data", "no page has a next"));
  },
});

const totalElsewhere = noteRule({
  requirement: "TOTAL-ELSEWHERE",
  formerSuite: "lists",
  notes: "totalElsewhere",
  targets: (spec) => listTargets(spec, ({ list }) => !list?.total),
  title: ({ operation }) => `whether ${operation.key} shows a total, which is not documented for it`,
  probes: ({ operation }) => [plainRead(operation)],
  seen: (history, { operation }) =>
    firstPageShown(history, operation).map(({ entry, total }) => ({
      answer: { word: total === undefined ? "absent" : "present" },
      shownBy: entry,
    })),
  unseen: noListShown,
});

const nextWithoutCursor = noteRule({
  requirement: "NEXT-WITHOUT-CURSOR",
  formerSuite: "lists",
  notes: "nextWithoutCursor",
  targets: (spec) => listTargets(spec, ({ list }) => !list?.after),
  title: ({ operation }) => `whether ${operation.key} shows a next, although it has no cursor parameter`,
  probes: ({ operation }) => [plainRead(operation)],
  seen: (history, { operation }) =>
    firstPageShown(history, operation).map(({ entry, next }) => ({
      answer: { word: next === null ? "none" : "cursor" },
      shownBy: entry,
    })),
  unseen: noListShown,
});

function firstPageShown(history: History, list: Operation): ListPage[] {
  return firstPagesOfRound(history, list).filter(showsList).slice(0, 1);
}

function noListShown(_: History, { operation }: RuleTarget) {
  return notExercised("control-rejected", `${operation.key} showed no list`);
}

export const paginationRules = suiteOf(
  "pagination",
  limitAccepted,
  limitDefault,
  totalExact,
  order,
  fullPages,
  totalElsewhere,
  nextWithoutCursor,
);
