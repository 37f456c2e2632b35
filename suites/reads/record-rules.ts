/** Rules: reads find what lists show, and show the same record (sections 4.4 to 4.13). */

import { isReference } from "../../client/relations.ts";
import { mustBeAccepted, validRequests } from "../../history/answers/acceptances.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { isOfNewResource } from "../../history/answers/outliers.ts";
import { type Entry, hasExcusedStatus, isAccepted, isRejected, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { mayBeUnwritten } from "../../history/journal/unwritten-parts.ts";
import { isUndecided } from "../../history/lists/pairs.ts";
import { differsFromList, requirementsOf } from "../../history/lists/same-record.ts";
import { judged, notExercised, type Violation, violationBy } from "../../history/result.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, type RuleTarget, targetsAt } from "../shared/history-rule.ts";
import { mayChangeOtherFields, recordsAfterChanges } from "./changed-records.ts";
import {
  listAfterRejected,
  readAfterTimeout,
  readEachWay,
  readRecords,
  readReferences,
  recordAfterWrites,
} from "./probes.ts";
import {
  comparedRecords,
  isOfRecord,
  listedBy,
  type RecordRead,
  referencesShown,
  referringTargets,
} from "./records.ts";
import { readsOfTheseIds } from "./unknown-ids.ts";

interface RecordTarget extends RecordRead, RuleTarget {
  operation: RecordRead["operation"];
  requirement: string;
}

/** Returns a target for each field and requirement by which a read finds a record of a list. */
function recordTargets(spec: Spec): RecordTarget[] {
  return spec.operations.filter(isOfRecord).flatMap((operation) =>
    operation.sameRecord.by.flatMap((field) =>
      requirementsOf(operation.sameRecord).map((requirement) => ({
        operation,
        field,
        requirement,
        detail: `by ${field}`,
      })),
    ),
  );
}

function fieldsOf({ sameRecord: { fields } }: RecordTarget["operation"], requirement: string): string {
  const compared = Object.entries(fields).flatMap(([name, field]) =>
    typeof field === "object" && field.requirement === requirement ? [name] : [],
  );
  return compared.join(" and ");
}

const listed = historyRule({
  requirement: "READ-ACCEPTED",
  targets: (spec) => [
    ...new Map(recordTargets(spec).map((at) => [`${at.operation.key} ${at.field}`, at])).values(),
  ],
  title: ({ operation, field }) => `${operation.key} finds a listed record by its ${field}`,
  probes: ({ operation }, spec) => [
    readEachWay(operation),
    ...readsOfTheseIds(spec, operation),
    readRecords(operation),
  ],
  check(history, at) {
    const { operation, field } = at;
    const reads = lastReads(history, at);
    // A listed record may be removed, so a later list must still show it.
    const judgeable = reads.filter(
      (read) => !isRejected(read.entry) || (listAfter(read) && !isOfNewResource(history, read.entry)),
    );
    const what = `a read by the ${field} that the list shows`;
    const result = mustBeAccepted(history, operation, judgeable, what);
    if (result.outcome !== "violated") return result;
    const violations = result.violations.map(({ shownBy, ...violation }): Violation => {
      const withLists = shownBy.flatMap((shown) => {
        const read = reads.find(({ entry }) => entry === shown.entry);
        const list = read && listAfter(read);
        return list ? [shown, { entry: list }] : [shown];
      });
      return { ...violation, shownBy: withLists };
    });
    return judged(violations, [], result);
  },
  followUp(_, at, history) {
    const reads = lastReads(history, at);
    const early = reads.find(({ entry }) => isRejected(entry) && isOfNewResource(history, entry));
    if (early) return readAfterTimeout(at.operation, early.entry);
    const gone = reads.find(
      ({ entry, listed }) => isRejected(entry) && listed.every((list) => list.begun < entry.ended),
    );
    const list = gone?.listed.at(-1);
    return list && listAfterRejected(at, list);
  },
  formerDetails: () => [", what the list shows"],
});

interface ListedRead extends Answer {
  listed: Entry[];
}

function listAfter({ entry, listed }: ListedRead): Entry | undefined {
  return listed.find((list) => list.begun > entry.ended);
}

const lastReads = memoized((history: History, at: RecordTarget): ListedRead[] => {
  const items = listedBy(history, at);
  const listedIn = (entry: Entry) => (items.get(pathId(entry) ?? "") ?? []).map((look) => look.entry);
  const sent = validRequests(history, at.operation, (entry) => items.has(pathId(entry) ?? ""));
  const last = new Map(sent.map((answer) => [`${answer.entry.request.url} ${answer.entry.version}`, answer]));
  return [...last.values()].map((answer) => ({ ...answer, listed: listedIn(answer.entry) }));
});

const sameRecord = historyRule({
  targets: recordTargets,
  title: ({ operation, field, requirement }) =>
    requirement === operation.sameRecord.requirement
      ? `${operation.key} by ${field} shows the same record as the list`
      : `${operation.key} by ${field} shows the same ${fieldsOf(operation, requirement)} as the list`,
  probes: ({ operation, field }, spec) => [
    readRecords(operation),
    ...(field === operation.sameRecord.by[0] && isReference(spec, operation)
      ? [recordAfterWrites(operation)]
      : []),
    ...(mayChangeOtherFields(spec, operation) ? [recordsAfterChanges(operation)] : []),
  ],
  check(history, at) {
    const compared = comparedRecords(history, at, at.requirement);
    const open = compared.find(isUndecided);
    return judged(
      compared
        .filter(({ verdict }) => verdict === "differs" || verdict === "another")
        .map(({ verdict, differences, read, listed }) => ({
          ...differsFromList(listed.entry, read, differences),
          certainty: verdict === "another" ? "proven" : "suspected",
        })),
      compared.filter(({ verdict }) => verdict === "agrees").map(({ read }) => read),
      open
        ? notExercised("drift", "the list changed each time it was read", [open.read])
        : notExercised("no-data", "no record that the list shows was read"),
    );
  },
});

const references = historyRule({
  targets: referringTargets,
  title: ({ operation }) => `the references that ${operation.key} shows exist`,
  probes: (at) => [readReferences(at)],
  check(history, at) {
    const shown = referencesShown(history, at);
    return judged(
      shown
        .filter(({ exists }) => exists === false)
        .map(({ value, shownBy, reads }) => {
          const expected = `${describeValue(value, 60)} to be the ${at.fields.join(" or ")} of a record that exists`;
          const actual = "no list shows it, and no read finds it";
          return violationBy("suspected", { difference: "missing", expected, actual }, shownBy, ...reads);
        }),
      shown.filter(({ exists }) => exists).map(({ shownBy }) => shownBy),
      "no reference is shown, or no record is known to which one could point",
    );
  },
});

const readsKnown = historyRule({
  requirement: "READ-ACCEPTED",
  targets: (spec) => targetsAt(operationsOf(spec, "read").filter((operation) => !isOfRecord(operation))),
  title: ({ operation }) => `${operation.key} reads a resource`,
  probes: ({ operation }) => [readEachWay(operation)],
  check(history, { operation }) {
    const sent = validRequests(history, operation);
    const due = sent.filter(({ entry }) => !isRejected(entry) || !isExcused(history, sent, entry));
    const [other] = sent;
    if (other && due.length === 0)
      return notExercised("no-data", "nothing was read that had to be there", [other.entry]);
    return mustBeAccepted(history, operation, due, "a valid read");
  },
  followUp(result, { operation }, history) {
    const violations = result.outcome === "violated" ? result.violations : [];
    const rejected = violations.flatMap(({ shownBy: [first] }) => first?.entry ?? []);
    const early = rejected.find((entry) => isOfNewResource(history, entry));
    return early && readAfterTimeout(operation, early);
  },
});

/** True if a replica may not know the resource yet, or if the part is made by its first update. */
function isExcused(history: History, reads: readonly Answer[], entry: Entry): boolean {
  if (hasExcusedStatus(entry) && mayBeUnwritten(history, entry)) return true;
  const { request, version, space, ended } = entry;
  const isLater = ({ entry: other }: Answer) =>
    other.request.url === request.url &&
    other.version === version &&
    other.space === space &&
    other.begun > ended;
  return isOfNewResource(history, entry) && reads.some((read) => isLater(read) && isAccepted(read.entry));
}

export const recordRules = [readsKnown, listed, sameRecord, references];
