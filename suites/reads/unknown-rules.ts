import { type Faulty, faultyRequests } from "../../history/answers/rejections.ts";
import { pathId, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, type Violation } from "../../history/result.ts";
import { identityOf, idText } from "../../spec/identity.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById, operationsOf } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import type { RuleTarget } from "../shared/history-rule.ts";
import { noteRule } from "../shared/note-rule.ts";
import { rejectionRule } from "../shared/rejection-rule.ts";
import { isUnderAnother } from "./parent-rules.ts";
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
  const named = operationsOf(spec, "read").filter(({ pathParameter }) => pathParameter);
  return named.map((operation) => ({ operation }));
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
      return [{ certainty: "suspected", expected, actual, shownBy: [{ entry, offending: "status" }] }];
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
    const sent = history.answers.to(operation).filter(({ entry }) => isInOtherCasing(history, entry));
    const list = operationById(history.spec, operation.sameRecord?.list ?? "");
    return sent.map(({ entry, status }) => {
      const isNamed = (field: string) =>
        [...itemsBy(history, list, field).keys()].some((value) => isSameFolded(value, pathId(entry)));
      return { field: operation.sameRecord?.by.find(isNamed), answer: { status }, shownBy: entry };
    });
  },
  unseen: "no id or code was sent in other casing",
});

function isInOtherCasing(history: History, entry: Faulty["entry"]): boolean {
  const found = history.answers.classification(entry);
  return found.kind === "doubtful" && found.doubts.every(({ behaviour }) => behaviour === "idsInOtherCasing");
}

function isSameFolded(one: string, other = ""): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export const unknownRules = [unknown, padded, casing];
