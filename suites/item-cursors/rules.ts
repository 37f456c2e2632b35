/** Rules: pages after and before an item, and the precedence of cursors (section 4.16). */

import { namesNewItem } from "../../history/answers/outliers.ts";
import { type Entry, isAccepted, isRejected, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import type { ListComparison, ListPair } from "../../history/lists/pairs.ts";
import {
  type Described,
  judged,
  notExercised,
  type RuleResult,
  violationBy,
  wrongStatus,
} from "../../history/result.ts";
import { fixedFields } from "../../spec/identity.ts";
import { fieldAt } from "../../spec/json.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { wholeSize } from "../../spec/page-sizes.ts";
import { agreeingPages, driftUnlessDecided, lastPage, violationsOf } from "../shared/compared-lists.ts";
import { isUnfiltered } from "../shared/followed-lists.ts";
import { historyRule, noteRule, suiteOf } from "../shared/history-rule.ts";
import { updatesOf } from "../shared/update-fields.ts";
import { walkOf } from "../updates/probes.ts";
import { readerOf } from "../updates/read-back.ts";
import {
  comparedBeside,
  isAt,
  itemOf,
  POSITIONS,
  type Position,
  type Side,
  unlikeAfterAlone,
  WRONG_BESIDE,
} from "./beside.ts";
import { beforeLast, besideItem, bothCursors, isBoth } from "./probes.ts";

function itemCursor({ list }: Operation, side: Side): Parameter | undefined {
  const cursor = list?.[side];
  return cursor?.cursor === "item" ? cursor : undefined;
}

function besideItems(spec: Spec, side: Side) {
  return operationsOf(spec, "list").flatMap((operation) => {
    const cursor = itemCursor(operation, side);
    if (!cursor) return [];
    return POSITIONS.map((position) => ({ operation, cursor, position, detail: position.name }));
  });
}

/** Returns the rule that the page on this side of an item shows the right items. */
function besideRule(side: Side, requirement: string, items: string) {
  const isOnSide = ({ cursor, before: item }: ListPage) =>
    side === "after" ? cursor !== null && item === null : cursor === null && item !== null;
  return historyRule({
    requirement,
    targets: (spec) => besideItems(spec, side),
    title: ({ operation, cursor, position }) =>
      `${operation.key} with ${cursor.name} shows ${items} that item (position: ${position.name})`,
    probes: ({ operation, position }) => [besideItem(operation, side, position)],
    check(history, { operation, position }) {
      const compared = comparedBeside(history, operation, isOnSide, WRONG_BESIDE[side], isAt(position));
      return showsItsItem(history, operation, position, isOnSide) ?? verdictOn(compared);
    },
  });
}

const after = besideRule("after", "ITEM-CURSOR-AFTER", "the items after");
const before = besideRule("before", "ITEM-CURSOR-BEFORE", "only items before");

/**
 * Returns the violation that pages show the item of their cursor, or `undefined`. A page never shows its
 * cursor's item. Only the first position reports it.
 */
function showsItsItem(
  history: History,
  operation: Operation,
  position: Position,
  isWanted: (page: ListPage) => boolean,
): RuleResult | undefined {
  if (position !== POSITIONS[0]) return undefined;
  const { lists } = history;
  const [first, ...others] = lists
    .pagesWithCursor(operation)
    .filter((page) => lists.isOfRound(page) && isWanted(page) && page.ids.includes(itemOf(page)))
    .map((page) => {
      const facts = { expected: `only other items than ${itemOf(page)}`, actual: page.ids.join(", ") };
      return violationBy("proven", facts, { entry: page.entry, offending: "/result" });
    });
  return first && { outcome: "violated", violations: [first, ...others] };
}

/** Judges the comparisons of pages with the whole list. */
function verdictOn(compared: readonly ListComparison<Described>[]): RuleResult {
  return judged(
    violationsOf(compared, (wrong, { before: whole, read }) => {
      const page = whole.pages.findLast(({ ids }) => ids.includes(itemOf(read.pages[0])));
      return violationBy("suspected", wrong, ...(page ? [page.entry] : []), ...lastPage(read));
    }),
    agreeingPages(compared),
    driftUnlessDecided(
      compared,
      notExercised("no-data", "no page before or after an item at this position was read"),
    ),
  );
}

/** A later `before` exposes pages between both cursors, an earlier one precedence of `before`. */
const OFFSETS = [
  { detail: "later before", offset: 2 },
  { detail: "earlier before", offset: -1 },
] as const;

const precedence = historyRule({
  requirement: "ITEM-CURSOR-PRECEDENCE",
  targets: (spec) =>
    operationsOf(spec, "list").flatMap((operation) => {
      const one = itemCursor(operation, "after");
      const { before: other, limit } = operation.list ?? {};
      if (!one || !other || !limit) return [];
      return OFFSETS.map((at) => ({ operation, after: one, before: other, ...at }));
    }),
  title: ({ operation, detail, ...at }) =>
    `${operation.key} with ${at.after.name} and ${at.before.name} (${detail}) shows the page of ${at.after.name} alone`,
  probes: ({ operation, offset, ...at }) => [bothCursors(operation, at.after, at.before, offset)],
  check(history, { operation, offset }) {
    const isMeant = ({ before: whole, read }: ListPair) => {
      const { cursor, before: item } = read.pages[0] ?? {};
      return Math.sign(whole.ids.indexOf(item ?? "") - whole.ids.indexOf(cursor ?? "")) === Math.sign(offset);
    };
    return verdictOn(
      comparedBeside(history, operation, isBoth, unlikeAfterAlone(history, operation), isMeant),
    );
  },
});

const beforePage = noteRule({
  requirement: "BEFORE-PAGE",
  notes: "beforePage",
  targets: (spec) =>
    operationsOf(spec, "list").flatMap((operation) => {
      const cursor = itemCursor(operation, "before");
      return cursor ? [{ operation, cursor }] : [];
    }),
  title: ({ operation, cursor }) => `which of the preceding items ${operation.key} shows with ${cursor.name}`,
  probes: ({ operation }) => [beforeLast(operation)],
  seen(history, { operation }) {
    const { lists } = history;
    const wholes = lists
      .reads(operation)
      .filter((read) => read.size === wholeSize(operation) && isUnfiltered(operation, read));
    const pages = lists
      .pagesWithCursor(operation)
      .filter((page) => page.cursor === null && lists.isOfRound(page));
    for (const { before: item, ids, entry } of pages) {
      const all = wholes.findLast(({ pages: [first] }) => (first?.entry.ended ?? 0) < entry.begun)?.ids ?? [];
      const index = all.indexOf(item ?? "");
      if (ids.length === 0 || index <= ids.length) continue;
      const first = all.indexOf(ids[0] ?? "");
      const later = first === index - ids.length ? "nearest" : "other";
      const word = first === 0 ? "first" : later;
      return [{ answer: { word }, shownBy: entry }];
    }
    return [];
  },
  unseen: "the list is too short",
});

/**
 * Nothing deletes resources, so an updated item must still serve as a cursor. But a list may lack it under a filter
 * whose field can change.
 */
export const acceptedAfterUpdates = historyRule({
  requirement: "ITEM-CURSOR-AFTER",
  targets: (spec) =>
    updatesOf(spec).flatMap(({ operation: update }) => {
      const operation = readerOf(spec, update);
      const cursor = operation?.list?.after;
      return operation && cursor?.cursor === "item"
        ? [{ operation, cursor, update, detail: `after ${update.key}` }]
        : [];
    }),
  title: ({ operation, cursor, update }) =>
    `${operation.key} still accepts an item as ${cursor.name} after ${update.key}`,
  probes: ({ update }) => [walkOf(update)],
  writes: true,
  check(history, { operation, cursor, update }) {
    const fixed = fixedFields(history.spec, operation);
    const changeable = (operation.list?.filters ?? []).filter(
      ({ filter = "" }) => !fixed.includes(fieldAt(filter)),
    );
    const mayLackItem = ({ request }: Entry) =>
      request.query.some(([name]) => changeable.some((filter) => filter.name === name));
    const updates = history.updates(update).filter(({ accepted }) => accepted);
    const uses = history
      .answersOfRound(operation)
      .filter(({ isValid, entry }) => isValid && !mayLackItem(entry))
      .flatMap(({ entry }) => {
        const id = entry.request.query.find(([name]) => name === cursor.name)?.[1];
        const isBefore = (other: Entry) => pathId(other) === id && other.ended < entry.begun;
        const last = updates.findLast((seen) => isBefore(seen.entry))?.entry;
        return last ? [{ entry, last }] : [];
      });
    // A list may learn late of a new item.
    const rejected = uses.filter(
      ({ entry }) => isRejected(entry) && !namesNewItem(history, operation, entry),
    );
    const accepted = uses.filter(({ entry }) => isAccepted(entry));
    return judged(
      rejected.map(({ entry, last }) => ({
        ...wrongStatus(`${cursor.name} with the id of the updated item to be accepted`, entry, [last]),
        needsOlderResource: true,
      })),
      accepted.map(({ entry }) => entry),
      `no updated item was sent as ${cursor.name}`,
    );
  },
});

export const itemCursorRules = suiteOf(
  "item-cursors",
  after,
  before,
  precedence,
  beforePage,
  acceptedAfterUpdates,
);
