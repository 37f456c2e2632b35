/** No answer in one space shows a resource of another, whoever asked (section 5). */

import { type Entry, isAccepted, isRejected, responseJson } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult, type Violation } from "../../history/result.ts";
import { identityOf } from "../../spec/identity.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/undocumented.ts";
import { type HistoryRule, historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { suiteOf } from "../shared/rule.ts";
import { inSecondSpace, inUnknownSpace, listInBothSpaces } from "./probes.ts";

interface Shown {
  id: string;
  record: JsonObject;
  entry: Entry;
  pointer: string;
}

interface Other {
  requirement(operation: Operation): string;
  name: string;
  probe(operation: Operation): ReturnType<HistoryRule<RuleTarget>["probes"]>[number];
  isMeant(history: History, entry: Entry): boolean;
}

function inOther({ requirement, name, probe, isMeant }: Other) {
  return historyRule({
    targets: (spec) =>
      spec.operations
        .filter(({ kind, space, response }) => (kind === "list" || kind === "read") && space && response)
        .map((operation) => ({ operation, requirement: requirement(operation) })),
    title: ({ operation }) => `${operation.key} in ${name} shows nothing of the first`,
    probes: ({ operation }) => [probe(operation)],
    formerDetails: ({ operation: { list } }) => [
      "in the whole run",
      "every page",
      "the reverse",
      "cursor of the first space",
      "by cursor or filter",
      ...(list?.before ? [`${list.before.name} an item of the first space`] : []),
      ...(list?.filters ?? []).map((filter) => `filter ${filter.name}`),
    ],
    check: (history, { operation }) => shownInOneSpace(history, operation, isMeant),
  });
}

const inSecond = inOther({
  requirement: ({ kind }) => (kind === "list" ? "ISOLATION-LISTS" : "ISOLATION-READS"),
  name: "the second space",
  probe: inSecondSpace,
  isMeant: isSecond,
});

const inUnknown = inOther({
  requirement: () => "ISOLATION-UNKNOWN-SPACE",
  name: "a space that does not exist",
  probe: inUnknownSpace,
  isMeant: ({ head }, entry) => isUnknown(entry, head.spaces),
});

function isSecond({ head: { spaces } }: History, { space }: Entry): boolean {
  return space !== null && spaces.indexOf(space) > 0;
}

/**
 * Judges if each resource shows in one space only. A rejection in the other space shows nothing, as it
 * should.
 */
function shownInOneSpace(history: History, operation: Operation, isMeant: Other["isMeant"]): RuleResult {
  const { spaces } = history.head;
  const asked = history.entries.filter((entry) => entry.operation === operation);
  const own = asked.filter((entry) => isAccepted(entry) && spaces.includes(entry.space ?? ""));
  const others = asked.filter((entry) => isMeant(history, entry));
  const homes = firstShown(history, operation, own);
  const foreign = shownInOther(history, operation, new Set([...own, ...others.filter(isAccepted)]), homes);
  const fine = others.filter((entry) => isAccepted(entry) || isRejected(entry));
  const otherwise =
    isMeant === isSecond && spaces.length < 2
      ? notExercised("no-second-space", "give --second-space to test this")
      : notExercised("no-data", "nothing of the first space was asked for in another one");
  return judged(foreign, homes.size > 0 ? fine : [], otherwise);
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
  check: (history, { operation }) => shownInOneSpace(history, operation, isSecond),
});

function isUnknown({ space, operation }: Entry, spaces: readonly string[]): boolean {
  if (space === null || !operation?.space) return false;
  const text = space.trim().toLowerCase();
  const pattern = operation.space.schema.pattern;
  return (
    (pattern === undefined || new RegExp(pattern, "u").test(space)) &&
    spaces.every((known) => !text.includes(known.toLowerCase()) && !known.toLowerCase().includes(text))
  );
}

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

function shownInOther(
  history: History,
  operation: Operation,
  answers: ReadonlySet<Entry>,
  homes: ReadonlyMap<string, Shown>,
): Violation[] {
  return [...answers]
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

/**
 * The resources with an id that an answer shows. Items of undocumented lists may belong to no space, so only
 * those with the run tag count.
 */
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

/**
 * True if two answers show one resource: ids may be unique in a space only, so its fixed fields must be
 * equal, too.
 */
function isSame({ schemas }: Spec, { resource }: Operation, one: Shown, other: Shown): boolean {
  const fixed = (resource && schemas.flatten(resource)["x-fixed"]) ?? [];
  if (fixed.length < 2) return sameJson(one.record, other.record);
  return fixed.every((name) => name in one.record && sameJson(one.record[name], other.record[name]));
}

function inAnother(home: Shown, shown: Shown): Violation {
  return {
    certainty: "proven",
    difference: "other-space",
    expected: "nothing of another space",
    actual: `the resource ${shown.id} of another space`,
    shownBy: [{ entry: home.entry }, { entry: shown.entry, offending: shown.pointer }],
    // No request moves a resource to another space, so nobody else can explain it.
    holdsAmongOthers: true,
  };
}

export const isolationRules = suiteOf("isolation", inSecond, inUnknown, undocumentedLists);
