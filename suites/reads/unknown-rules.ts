import { type Faulty, faultyRequests, mustBeRejected } from "../../history/answers/rejections.ts";
import { type Entry, isAccepted, objectSent, pathId, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { judged, type Violation, violationBy } from "../../history/result.ts";
import { fixedFields, identityOf, idText } from "../../spec/identity.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { createAt, operationById, operationsOf } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, noteRule, type RuleTarget, rejectionRule, targetsAt } from "../shared/history-rule.ts";
import { fromSecondSpace, listOfAnother, underOtherParents } from "./probes.ts";
import { nameInRead } from "./records.ts";
import {
  blanksBehind,
  idOfAnotherKind,
  idsOfOtherList,
  inOtherCasing,
  listsOfSameShape,
  readsOfOtherKinds,
  unknownIdDetails,
  unknownIds,
} from "./unknown-ids.ts";

function namedReads(spec: Spec): RuleTarget[] {
  return targetsAt(operationsOf(spec, "read").filter(({ pathParameter }) => pathParameter));
}

function otherLists(spec: Spec, operation: Operation) {
  return listsOfSameShape(spec, operation).flatMap(({ own, other }) =>
    (operation.sameRecord?.by ?? []).map((field) => ({ own, other, field })),
  );
}

const unknown = rejectionRule({
  requirement: "READ-UNKNOWN",
  cause: "unknown-id",
  targets: namedReads,
  title: ({ operation }) => `${operation.key} rejects ids and codes that name nothing`,
  probes: ({ operation }, spec) => [
    unknownIds(operation),
    ...otherLists(spec, operation).map(({ own, other, field }) =>
      idsOfOtherList(operation, own, other, field),
    ),
    ...(readsOfOtherKinds(spec, operation).length > 0 ? [idOfAnotherKind(operation)] : []),
  ],
  requests: (history, at) => unknownReads(history, at, "READ-UNKNOWN"),
  describe: describeRead,
  tried: () => "unknown id",
  check: (history, at, rejected) =>
    rejected.outcome === "violated" ? rejected : judged(mixedUp(history, at), [], rejected),
  formerDetails: ({ operation }, spec) => [
    ...unknownIdDetails(operation, (sort) => sort !== "blanks"),
    ...otherLists(spec, operation).map(({ other, field }) => `${field} of ${other.key}`),
    "of another kind",
  ],
});

const padded = rejectionRule({
  requirement: "READ-UNKNOWN-BLANKS",
  cause: "unknown-id",
  targets: namedReads,
  title: ({ operation }) => `${operation.key} rejects a known id or code with a blank at its end`,
  sampledGroup: () => "blanks",
  probes: ({ operation }) => [blanksBehind(operation)],
  requests: (history, at) => unknownReads(history, at, "READ-UNKNOWN-BLANKS"),
  describe: describeRead,
  tried: () => "unknown id: space behind",
  formerDetails: ({ operation }) => unknownIdDetails(operation, (sort) => sort === "blanks"),
});

function unknownReads(history: History, { operation }: RuleTarget, requirement: string): Faulty[] {
  const isMeant = (entry: Faulty["entry"]) => !isUnderAnother(history, entry);
  return faultyRequests(history, operation, [requirement], isMeant).map((each) => ({
    ...each,
    isProof: each.isProof || showsAnother(history, operation, each.entry),
  }));
}

/** True if the answer shows a record that has neither the id nor the code of the path. */
function showsAnother({ spec }: History, operation: Operation, entry: Faulty["entry"]): boolean {
  const { sameRecord } = operation;
  const named = sameRecord?.by.map((field) => nameInRead(sameRecord, field)) ?? [identityOf(spec, operation)];
  const shown = resourceIn(entry);
  const values = named.map((name) => name && idText(shown?.[name]));
  return values.every((value) => value !== undefined && value !== pathId(entry));
}

function describeRead(entry: Faulty["entry"]): string {
  return `a read of the unknown id ${describeValue(pathId(entry), 60)}`;
}

/** Returns the violations that a read shows the record of another list. */
function mixedUp(history: History, { operation }: RuleTarget): Violation[] {
  return otherLists(history.spec, operation).flatMap(({ own, other, field }) => {
    const known = itemsBy(history, own, field);
    const strange = itemsBy(history, other, field);
    return history.answers.to(operation).flatMap(({ entry }): Violation[] => {
      const path = pathId(entry) ?? "";
      const [shown, item] = [resourceIn(entry), strange.get(path)];
      const isMeant = shown && item && known.size > 0 && !known.has(path);
      const documented = (value: unknown) => history.spec.schemas.documented(operation.resource ?? {}, value);
      if (!isMeant || !sameJson(documented(shown), documented(item))) return [];
      const expected = `a read of ${describeValue(path, 60)}, which ${other.key} shows, to be rejected (4xx)`;
      const actual = "the record of the other list";
      return [violationBy("suspected", { expected, actual }, { entry, offending: "status" })];
    });
  });
}

function itemsBy({ answers }: History, list: Operation, field: string): Map<string, JsonObject> {
  const items = answers.to(list).flatMap(({ page }) => page?.items ?? []);
  return new Map(items.map((item) => [String(item[field]), item]));
}

const casing = noteRule({
  requirement: "READ-SPELLING",
  notes: "idsInOtherCasing",
  targets: (spec) => namedReads(spec).filter(({ operation }) => operation.sameRecord),
  title: ({ operation }) => `how ${operation.key} treats a known id or code in other casing`,
  sampledGroup: () => "casing",
  probes: ({ operation }) => [inOtherCasing(operation)],
  seen(history, { operation }) {
    const sent = history.answers.to(operation).filter(({ entry }) => {
      const { kind, doubts } = history.answers.classification(entry);
      return kind === "doubtful" && doubts.every(({ behaviour }) => behaviour === "idsInOtherCasing");
    });
    const list = operationById(history.spec, operation.sameRecord?.list ?? "");
    return sent.map(({ entry, status }) => {
      const id = (pathId(entry) ?? "").toLowerCase();
      const isNamed = (field: string) =>
        [...itemsBy(history, list, field).keys()].some((value) => value.toLowerCase() === id);
      return { field: operation.sameRecord?.by.find(isNamed), answer: { status }, shownBy: entry };
    });
  },
  unseen: "no id or code was sent in other casing",
});

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
function isUnderAnother(history: History, { operation, path, space }: Entry): boolean {
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
    targetsAt(
      nestedOperations(spec).filter(({ kind, space }) => kind === "create" && space),
      "under a parent of another space",
    ),
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
    const { runTag } = history.head;
    const isTagged = (value: unknown) =>
      typeof value === "string" && runTag !== null && value.includes(runTag);
    const fixed = fixedFields(history.spec, operation);
    const violations = others.flatMap(({ made: entry, page }): Violation[] => {
      const shown = resourceIn(entry) ?? {};
      const own = shown[id];
      // Ids may repeat under other parents.
      const showsCreated = (item: JsonObject) =>
        Object.entries(objectSent(entry) ?? {}).some(
          ([name, value]) => isTagged(value) && item[name] === value,
        ) ||
        (!isMadeThere(own, page) &&
          fixed.length > 1 &&
          fixed.every((name) => name in shown && sameJson(shown[name], item[name])));
      if (!page.items.some((item) => item[id] === own && showsCreated(item))) return [];
      const expected = `nothing that was made under ${JSON.stringify(entry.path)}`;
      const actual = `its ${id} ${JSON.stringify(own)}`;
      return [violationBy("suspected", { expected, actual }, entry, page.entry)];
    });
    const seen = new Set(others.map(({ page }) => page.entry));
    return judged(violations, [...seen], "no list of another parent was read");
  },
});

export const parentRules = [otherParent, otherSpace, ownItems];

export const unknownRules = [unknown, padded, casing];
