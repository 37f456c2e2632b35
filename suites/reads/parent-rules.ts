import { faultyRequests, mustBeRejected } from "../../history/answers/rejections.ts";
import { type Entry, isAccepted, objectSent, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { judged, type Violation } from "../../history/result.ts";
import { fixedFields, identityOf } from "../../spec/identity.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { createAt } from "../../spec/operations.ts";
import { historyRule } from "../shared/history-rule.ts";
import { fromSecondSpace, listOfAnother, underOtherParents } from "./parents.ts";

const KINDS: readonly Operation["kind"][] = ["list", "read", "create", "update"];

function nestedOperations({ operations }: Spec): Operation[] {
  return operations.filter(({ kind, outer }) => KINDS.includes(kind) && outer.length > 0);
}

const otherParent = historyRule({
  cause: "unknown-id",
  targets: (spec) =>
    nestedOperations(spec).map((operation) => ({
      operation,
      detail: "under another parent",
      requirement: operation.kind === "update" ? "UPDATE-UNKNOWN" : "READ-UNKNOWN",
    })),
  title: ({ operation }) =>
    `${operation.key} rejects a path whose parents do not exist, or have no such resource`,
  probes: ({ operation }) => [underOtherParents(operation)],
  check(history, { operation, requirement }) {
    const sent = faultyRequests(history, operation, [requirement], (entry) => isUnderAnother(history, entry));
    // An unknown parent may have an empty list.
    const empty = sent.filter(({ entry }) => history.answers.answerIn(entry)?.page?.length === 0);
    const others = sent.filter((each) => !empty.includes(each));
    const result = mustBeRejected(others, (entry) => `${operation.key} with ${JSON.stringify(entry.path)}`);
    if (others.length > 0) return result;
    return judged(
      [],
      empty.map(({ entry }) => entry),
      result,
    );
  },
});

/** True if the path names other parents than all accepted requests in this space. */
export function isUnderAnother(history: History, { operation, path, space }: Entry): boolean {
  if (!operation || operation.outer.length === 0) return false;
  const known = parentsOf(history, operation).filter((entry) => entry.space === space);
  return known.length > 0 && known.every((entry) => hasOtherParents(operation, entry, path));
}

const parentsOf = memoized(({ answers }: History, operation: Operation): Entry[] =>
  answers
    .to(operation)
    .map(({ entry }) => entry)
    .filter((entry) => isAccepted(entry) && answers.isValid(entry)),
);

function hasOtherParents({ outer }: Operation, { path }: Entry, other: Entry["path"]): boolean {
  return outer.some(({ name }) => path[name] !== other[name]);
}

const otherSpace = historyRule({
  requirement: "ISOLATION-WRITES",
  cause: "unknown-id",
  targets: (spec) =>
    nestedOperations(spec)
      .filter(({ kind, space }) => kind === "create" && space)
      .map((operation) => ({ operation, detail: "under a parent of another space" })),
  title: ({ operation }) => `${operation.key} in the second space makes nothing under a parent of the first`,
  probes: ({ operation }) => [fromSecondSpace(operation)],
  check(history, { operation }) {
    const [, second] = history.head.spaces;
    const isMeant = ({ space }: Entry) => second !== undefined && space === second;
    return mustBeRejected(
      faultyRequests(history, operation, ["READ-UNKNOWN"], isMeant),
      () => `${operation.key} under a parent of another space`,
    );
  },
});

const ownItems = historyRule({
  requirement: "FILTER-SOUND",
  targets: (spec) =>
    nestedOperations(spec).flatMap((operation) => {
      const create = createAt(spec, operation);
      if (operation.kind !== "list" || !create) return [];
      return [{ operation, create, detail: `of one ${operation.outer.at(-1)?.name}` }];
    }),
  title: ({ operation }) => `${operation.key} shows only what belongs to the resource that its path names`,
  probes: ({ operation, create }) => [listOfAnother(operation, create)],
  writes: true,
  check(history, { operation, create }) {
    const id = identityOf(history.spec, create);
    const made = history.answers.to(create).filter(({ entry }) => isAccepted(entry));
    const pages = history.lists.pagesOfRound(operation).filter(({ answer }) => answer === "shown");
    const others = made.flatMap(({ entry }) =>
      pages
        .filter(({ entry: page }) => page.space === entry.space && page.begun > entry.ended)
        .filter((page) => hasOtherParents(operation, entry, page.entry.path))
        .map((page) => ({ made: entry, page })),
    );
    // Resources of two parents may have the same id, and be made in the same second.
    const isMadeThere = (own: unknown, { entry: page }: ListPage) =>
      made.some(
        ({ entry }) => resourceIn(entry)?.[id] === own && !hasOtherParents(operation, entry, page.path),
      );
    const violations = others.flatMap(({ made: entry, page }): Violation[] => {
      const own = resourceIn(entry)?.[id];
      const showsCreated = (item: JsonObject) =>
        showsSentText(history, entry, item) ||
        (!isMadeThere(own, page) && showsFixedFields(history, operation, entry, item));
      if (!page.items.some((item) => item[id] === own && showsCreated(item))) return [];
      const expected = `nothing that was made under ${JSON.stringify(entry.path)}`;
      const actual = `its ${id} ${JSON.stringify(own)}`;
      return [{ certainty: "suspected", expected, actual, shownBy: [{ entry }, { entry: page.entry }] }];
    });
    const seen = new Set(others.map(({ page }) => page.entry));
    return judged(violations, [...seen], "no list of another parent was read");
  },
});

/** True if the item shows a tagged text of the create. Ids may repeat under other parents. */
function showsSentText({ head: { runTag } }: History, made: Entry, item: JsonObject): boolean {
  const sent = Object.entries(objectSent(made) ?? {});
  return sent.some(([name, value]) => isTagged(value, runTag) && item[name] === value);
}

function showsFixedFields({ spec }: History, list: Operation, made: Entry, item: JsonObject): boolean {
  const shown = resourceIn(made) ?? {};
  const fixed = fixedFields(spec, list);
  return fixed.length > 1 && fixed.every((name) => name in shown && sameJson(shown[name], item[name]));
}

function isTagged(value: unknown, runTag: string | null): boolean {
  return typeof value === "string" && runTag !== null && value.includes(runTag);
}

export const parentRules = [otherParent, otherSpace, ownItems];
