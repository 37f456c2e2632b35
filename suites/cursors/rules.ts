/** Rules: following `next` shows each item once and ends, at every page size (sections 2.2 and 4). */

import { type Faulty, faultyRequests } from "../../history/answers/rejections.ts";
import { type Entry, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { MIN_DIFFERENCES, type PagePair } from "../../history/lists/pairs.ts";
import {
  judged,
  notExercised,
  type RuleResult,
  type Violation,
  violationBy,
  wrongStatus,
} from "../../history/result.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import { readAgain } from "../reads/repeated-reads.ts";
import { pagesOf } from "../shared/compared-lists.ts";
import {
  comparedSizes,
  type FollowingFault,
  followableLists,
  followingFits,
  isUnfiltered,
  sizedFollowableLists,
} from "../shared/followed-lists.ts";
import { historyRule, type RuleTarget, rejectionRule, suiteOf } from "../shared/history-rule.ts";
import { leavesOutCreation } from "../shared/left-out-creations.ts";
import {
  cursorUses,
  hasSameItems,
  oftenRejectedAtOnce,
  type RejectedUse,
  rejectedAfterUpdates,
  showsOtherItems,
} from "./cursor-uses.ts";
import { earlyEnds, endsInDoubt, leftOutOverBorders, repeatedOverBorders } from "./page-borders.ts";
import { cursorsAgain, oldestCursor, probesToFollow, readInSizes } from "./probes.ts";
import { unissuedCursors } from "./unissued-cursors.ts";

function followedList(history: History, list: Operation, requirement: FollowingFault): RuleResult {
  return followingFits(comparedSizes(history, list), requirement, (pair) =>
    leavesOutCreation(history, list, pair),
  );
}

/** Returns the rule that neither borders of pages nor whole reads show this fault of following cursors. */
function followingRule(
  requirement: FollowingFault,
  title: string,
  overBorders: (history: History, list: Operation) => Violation[],
  targets = followableLists,
) {
  return historyRule({
    requirement,
    targets,
    title: ({ operation }) => `${operation.key} ${title}`,
    probes: probesToFollow,
    check(history, { operation }) {
      // A border needs three requests to show again, and a whole list many.
      const result = followedList(history, operation, requirement);
      const violations = overBorders(history, operation);
      return violations.length > 0 ? judged(violations, [], result) : result;
    },
  });
}

const accepted = historyRule({
  requirement: "CURSOR-ACCEPTED",
  targets: followableLists,
  title: ({ operation }) => `${operation.key} accepts its own next as a cursor`,
  probes: probesToFollow,
  check(history, { operation }) {
    const result = followedList(history, operation, "CURSOR-ACCEPTED");
    const often = oftenRejectedAtOnce(history, operation);
    if (often.length > 0) return judged(often.map(rejectedUse), [], result);
    if (result.outcome === "violated") return result;
    return judged(rejectedAfterUpdates(history, operation).map(rejectedUse), [], result);
  },
});

function rejectedUse({ page, rejected, isProof }: RejectedUse): Violation {
  const violation = wrongStatus("the list's own next to be accepted", rejected.entry, [page.entry]);
  return isProof ? { ...violation, certainty: "proven" } : violation;
}

const once = followingRule("CURSOR-ONCE", "shows each item once if next is followed", repeatedOverBorders);
const complete = followingRule(
  "CURSOR-COMPLETE",
  "shows the same items at every page size",
  leftOutOverBorders,
  sizedFollowableLists,
);

const ends = historyRule({
  requirement: "CURSOR-END",
  targets: followableLists,
  title: ({ operation }) =>
    `following next of ${operation.key} reaches the last page, and only there is next null`,
  probes: ({ operation }) => [readInSizes(operation)],
  check(history, { operation }) {
    const early = earlyEnds(history, operation);
    const result = followedList(history, operation, "CURSOR-END");
    if (early.length > 0 && result.outcome !== "violated") return judged(early, [], result);
    if (result.outcome !== "held") return result;
    const reads = history.lists.reads(operation).filter((read) => isUnfiltered(operation, read));
    if (reads.some(({ end }) => end === "last-page")) return result;
    const loop = reads.find(({ end }) => end === "loop");
    if (!loop) return notExercised("budget", "the list is too long to be read to its end");
    const actual = `a cursor again after ${loop.pages.length} pages`;
    const facts = { difference: "repeated", expected: "the list to end", actual } as const;
    return judged([violationBy("suspected", facts, ...pagesOf(loop))], [], result);
  },
  followUp(_, { operation }, history) {
    const needs = endsInDoubt(history, operation).map((again) => ({ again, way: "soon", times: 2 }) as const);
    return needs.length === 0 ? undefined : readAgain(operation, needs);
  },
});

const repeatable = historyRule({
  requirement: "CURSOR-REPEATABLE",
  targets: sizedFollowableLists,
  title: ({ operation }) => `a cursor of ${operation.key} shows the same page again`,
  probes: ({ operation }) => [cursorsAgain(operation), oldestCursor(operation)],
  check(history, { operation }) {
    const uses = cursorUses(history, operation);
    const wrong = uses.filter(showsOtherItems);
    const otherwise =
      uses.length > 0
        ? notExercised("drift", "the list changed each time it was read")
        : notExercised("no-data", "no page has a next");
    return judged(
      // One difference may be chance: a list may change and change back.
      wrong.length < MIN_DIFFERENCES ? [] : wrong.map(otherItems),
      uses.filter(hasSameItems).map(({ again }) => again.entry),
      otherwise,
    );
  },
});

/** Returns the violation that the same cursor gave another page or a rejection. */
function otherItems({ first, again }: PagePair): Violation {
  const actual = again.answer === "rejected" ? `status ${statusOf(again.entry)}` : "other items";
  const facts = { difference: "answers-differ", expected: "the same page again", actual } as const;
  return violationBy("suspected", facts, first.entry, again.entry);
}

interface CursorTarget extends RuleTarget {
  cursor: Parameter;
}

const unknown = rejectionRule({
  requirement: "CURSOR-UNKNOWN",
  formerSuite: "lists",
  targets: (spec) =>
    operationsOf(spec, "list").flatMap((operation) => {
      const { after, before } = operation.list ?? {};
      return [
        ...(after ? [{ operation, cursor: after }] : []),
        ...(before ? [{ operation, cursor: before, detail: before.name }] : []),
      ];
    }),
  title: ({ operation, cursor }) => `${operation.key} rejects values of ${cursor.name} that it never issued`,
  cause: "invalid-cursor",
  probes: ({ operation, cursor }) => [unissuedCursors(operation, cursor)],
  requests: withUnknown,
  describe({ request }, { cursor: { name } }) {
    const [, text] = request.query.find(([each]) => each === name) ?? [];
    return `${name}=${describeValue(text, 60)}, which it never issued,`;
  },
  formerDetails: ({ operation }) => [
    ...FORMER_DETAILS,
    ...(operation.list?.filters ?? []).map(({ name }) => `under ${name}`),
  ],
});

/** Returns the requests with an unknown cursor in this space: a cursor of another may be valid in all. */
function withUnknown(history: History, { operation, cursor }: CursorTarget): Faulty[] {
  const isMeant = ({ space, request }: Entry) =>
    (space ?? history.head.spaces[0]) === history.head.spaces[0] &&
    request.query.some(([name]) => name === cursor.name);
  return faultyRequests(history, operation, ["CURSOR-UNKNOWN"], isMeant);
}

const FORMER_DETAILS = [
  "garbage",
  "altered",
  "of its form",
  "of another list",
  "of no item",
  "of another space",
];

export const cursorRules = suiteOf("cursors", accepted, ends, once, complete, repeatable, unknown);
