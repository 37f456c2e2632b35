/** Isolation (section 5) over a whole run: no answer in one space shows a resource of another, whoever asked. */

import { type Entry, isAccepted, isRejected, responseJson } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult, type Violation } from "../../history/result.ts";
import { identityOf } from "../../spec/identity.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/undocumented.ts";
import { suiteOf } from "../../trials/rule.ts";
import { historyRule, type RuleTarget } from "../history-rule.ts";
import { listInBothSpaces } from "./probes.ts";

/** A resource as one answer shows it. */
interface Shown {
  id: string;
  record: JsonObject;
  entry: Entry;
  pointer: string;
}

function shownIn(spec: Spec, where: "second" | "unknown") {
  return (
    spec.operations
      .filter(({ kind }) => kind === "list" || kind === "read")
      // The parents of a nested resource are not in the other space.
      .filter(({ space, response, outer }) => space && response && outer.length === 0)
      .map((operation) => ({
        operation,
        requirement: requirementOf(operation, where),
        detail: "in the whole run",
      }))
  );
}

function requirementOf({ kind }: Operation, where: "second" | "unknown"): string {
  if (where === "unknown") return "ISOLATION-UNKNOWN-SPACE";
  return kind === "list" ? "ISOLATION-LISTS" : "ISOLATION-READS";
}

const betweenSpaces = historyRule({
  targets: (spec) => shownIn(spec, "second"),
  title: ({ operation }) => `${operation.key} shows each resource in one space only`,
  probes: () => [],
  check: (history, { operation }) => showsInOneSpace(history, operation),
});

function showsInOneSpace(history: History, operation: Operation): RuleResult {
  const { spaces } = history.head;
  if (spaces.length < 2) return notExercised("no-second-space", "give --second-space to test this");
  const answers = answersOf(history, operation).filter(({ space }) => spaces.includes(space ?? ""));
  const homes = firstShown(history, operation, answers);
  const foreign = shownInOther(history, operation, answers, homes);
  const both = spaces.map((space) => answers.filter((entry) => entry.space === space));
  return judged(
    foreign,
    both.every((some) => some.length > 0) && homes.size > 0 ? answers : [],
    notExercised("no-data", "no answers of both spaces could be compared"),
  );
}

interface ListTarget extends RuleTarget {
  create: Operation;
}

const undocumentedLists = historyRule<ListTarget>({
  requirement: "ISOLATION-LISTS",
  formerSuite: "named-only",
  targets: (spec) =>
    spec.operations.flatMap((operation) => {
      const create = spec.operations.find(({ kind, path }) => kind === "create" && path === operation.path);
      return isUndocumented(operation) && operation.method === "GET" && create?.space
        ? [{ operation, create }]
        : [];
    }),
  title: ({ operation, create }) =>
    `${operation.key} in the second space shows nothing that ${create.key} made in the first`,
  probes: ({ operation, create }) => [listInBothSpaces(operation, create)],
  writes: true,
  check: (history, { operation }) => showsInOneSpace(history, operation),
});

const inNoSpace = historyRule({
  targets: (spec) => shownIn(spec, "unknown"),
  title: ({ operation }) =>
    `${operation.key} in a space that does not exist shows no resource of another one`,
  probes: () => [],
  check(history, { operation }) {
    const { spaces } = history.head;
    const asked = history.entries.filter(
      (entry) => entry.operation === operation && isUnknown(entry, spaces),
    );
    const own = answersOf(history, operation).filter(({ space }) => spaces.includes(space ?? ""));
    const homes = firstShown(history, operation, own);
    const foreign = shownInOther(history, operation, asked.filter(isAccepted), homes);
    const answered = asked.filter((entry) => isAccepted(entry) || isRejected(entry));
    return judged(
      foreign,
      homes.size > 0 ? answered : [],
      notExercised("no-data", "nothing was asked in a space that does not exist"),
    );
  },
});

/** Well-formed, and no other spelling of a space that the user named. */
function isUnknown({ space, operation }: Entry, spaces: readonly string[]): boolean {
  if (space === null || !operation?.space) return false;
  const text = space.trim().toLowerCase();
  const pattern = operation.space.schema.pattern;
  return (
    (pattern === undefined || new RegExp(pattern, "u").test(space)) &&
    spaces.every((known) => !text.includes(known.toLowerCase()) && !known.toLowerCase().includes(text))
  );
}

function answersOf(history: History, operation: Operation): Entry[] {
  return history.entries.filter((entry) => entry.operation === operation && isAccepted(entry));
}

/** By id, the first answer that shows it; a creation counts before all others. */
function firstShown(history: History, operation: Operation, answers: Entry[]): Map<string, Shown> {
  const creates = history.entries.filter(
    (entry) =>
      entry.operation?.kind === "create" &&
      isOneKind(history.spec, entry.operation, operation) &&
      history.head.spaces.includes(entry.space ?? "") &&
      isAccepted(entry),
  );
  const first = new Map<string, Shown>();
  for (const entry of [...creates, ...answers])
    for (const shown of recordsOf(history, operation, entry))
      if (!first.has(shown.id)) first.set(shown.id, shown);
  return first;
}

/** A violation for each resource that an answer shows in another space than the first answer that showed it. */
function shownInOther(
  history: History,
  operation: Operation,
  answers: readonly Entry[],
  homes: ReadonlyMap<string, Shown>,
): Violation[] {
  return answers
    .flatMap((entry) => recordsOf(history, operation, entry))
    .flatMap((shown) => {
      const home = homes.get(shown.id);
      if (!home || home.entry.space === shown.entry.space) return [];
      return isSame(history.spec, operation, home, shown) ? [inAnother(home, shown)] : [];
    });
}

function isOneKind({ schemas }: Spec, one: Operation, other: Operation): boolean {
  const [name, named] = [one, other].map(({ resource }) => resource && schemas.componentName(resource));
  return name !== undefined && name === named;
}

/** The resources that an answer shows, each with an id. An undocumented list may show what belongs to no space. */
function recordsOf({ spec, head }: History, operation: Operation, entry: Entry): Shown[] {
  const json = responseJson(entry);
  const result = isObject(json) ? json.result : undefined;
  const identity = operation.list?.identity ?? identityOf(spec, operation);
  const all = Array.isArray(result) ? result : [result];
  const isOwn = (record: JsonObject) =>
    !isUndocumented(operation) || (head.runTag !== null && JSON.stringify(record).includes(head.runTag));
  return all.flatMap((record, index) => {
    const id = isObject(record) ? record[identity] : undefined;
    if (!isObject(record) || (typeof id !== "string" && typeof id !== "number") || !isOwn(record)) return [];
    const pointer = Array.isArray(result) ? `/result/${index}` : "/result";
    return [{ id: String(id), record, entry, pointer }];
  });
}

/** Ids may be unique in a space only: it is one resource if what never changes is the same, too. */
function isSame({ schemas }: Spec, { resource }: Operation, one: Shown, other: Shown): boolean {
  const fixed = (resource && schemas.flatten(resource)["x-fixed"]) ?? [];
  if (fixed.length < 2) return sameJson(one.record, other.record);
  return fixed.every((name) => name in one.record && sameJson(one.record[name], other.record[name]));
}

function inAnother(home: Shown, shown: Shown): Violation {
  return {
    certainty: "proven",
    expected: "nothing of another space",
    actual: `the resource ${shown.id} of another space`,
    shownBy: [{ entry: home.entry }, { entry: shown.entry, offending: shown.pointer }],
  };
}

export const isolationRules = suiteOf("isolation", betweenSpaces, undocumentedLists, inNoSpace);
