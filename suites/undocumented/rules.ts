/** Rules for operations that the specification only names (section 4.17). */

import type { Answer } from "../../history/answers/answers.ts";
import { type Entry, isAccepted, isBetween, isRejected, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult, type Violation, violationBy } from "../../history/result.ts";
import { isObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { judgeRule } from "../responses/judging.ts";
import {
  historyRule,
  noteRule,
  type RuleTarget,
  statusesSeen,
  suiteOf,
  targetsAt,
} from "../shared/history-rule.ts";
import { differenceOf, forSuccesses, SUCCESSES } from "./answers.ts";
import { MOST_REPEATS, plainRequests, wrongTokensBetweenReads } from "./probes.ts";

function undocumentedTargets(spec: Spec): RuleTarget[] {
  return targetsAt(operationsOf(spec, "named"));
}

function nothingShown(history: History, operation: Operation): RuleResult {
  const [answer] = history.ownAnswers(operation);
  if (!answer) return notExercised("not-shown", "no request was sent to the operation");
  const message = isAccepted(answer.entry)
    ? "it shows neither a list nor a single result"
    : `answered ${answer.status}; no request to it is known to be valid`;
  return notExercised("not-shown", message, [answer.entry]);
}

const exists = noteRule({
  requirement: "NAMED-EXISTS",
  notes: "namedOperations",
  targets: undocumentedTargets,
  title: ({ operation }) => `whether ${operation.key} exists, and its answer`,
  probes: ({ operation }) => [plainRequests(operation)],
  seen: (history, { operation }) => statusesSeen(history.ownAnswers(operation).slice(0, 1)),
  unseen: (history, { operation }) => nothingShown(history, operation),
});

const successes = Object.entries(SUCCESSES).map(([requirement, { is, check }]) =>
  historyRule({
    requirement,
    targets: undocumentedTargets,
    title: ({ operation }) => `a success of ${operation.key} ${is}`,
    probes: ({ operation }) => [plainRequests(operation)],
    check(history, { operation }) {
      const result = judgeRule(history, operation, forSuccesses(history.spec, check));
      return result.outcome === "not-exercised" ? nothingShown(history, operation) : result;
    },
  }),
);

const stable = historyRule({
  requirement: "NAMED-STABLE",
  targets: (spec) => undocumentedTargets(spec).filter(({ operation }) => operation.method === "GET"),
  title: ({ operation }) => `${operation.key} answers the same when called twice`,
  probes: ({ operation }) => [plainRequests(operation)],
  check(history, { operation }) {
    const pairs = pairsOf(history.ownAnswers(operation)).filter(
      ({ before: { json } }) => isObject(json) && (isObject(json.result) || Array.isArray(json.result)),
    );
    const changes = pairs.flatMap((pair) => changeIn(history.spec, pair) ?? []);
    const same = pairs.filter((pair) => !changeIn(history.spec, pair)).map(({ after }) => after.entry);
    // If reads under this version were also equal, other clients may explain the differences.
    const isVaried = ({ shownBy }: Violation) =>
      same.some(({ version }) => version === shownBy[0]?.entry.version);
    const lasting = changes.filter((change) => !isVaried(change));
    return judged(lasting.length >= MOST_REPEATS ? lasting : [], same, nothingShown(history, operation));
  },
});

interface Pair {
  before: Answer;
  after: Answer;
}

function pairsOf(answers: readonly Answer[]): Pair[] {
  return answers.flatMap((after, index) => {
    const isEqual = ({ entry: { version, request } }: Answer) =>
      version === after.entry.version && request.url === after.entry.request.url;
    const before = answers.slice(0, index).findLast(isEqual);
    return before ? [{ before, after }] : [];
  });
}

function changeIn(spec: Spec, { before, after }: Pair): Violation | undefined {
  const difference =
    before.status === after.status
      ? differenceOf(spec, before.json, after.json)
      : { expected: `status ${before.status} again`, actual: `status ${after.status}` };
  return difference && violationBy("suspected", difference, before.entry, after.entry);
}

/** Pairs writes with the read above (`/x/{id}/y`, `/x/{id}`), which probably shows them. */
function writesBeneathReads(spec: Spec) {
  const all = operationsOf(spec, "named");
  const reads = all.filter(({ method, pathParameter }) => method === "GET" && pathParameter);
  return all.flatMap((operation) => {
    const read = reads.find(({ path }) => operation.path.startsWith(`${path}/`));
    return operation.method !== "GET" && read ? [{ operation, read }] : [];
  });
}

const CHANGED = {
  difference: "changed",
  expected: "the record as it was before the rejected calls",
  actual: "another",
} as const;

const noEffect = historyRule({
  requirement: "AUTH-NO-EFFECT",
  targets: writesBeneathReads,
  title: ({ operation, read }) =>
    `${operation.key} without authentication changes nothing that ${read.key} shows`,
  probes: ({ operation, read }) => [wrongTokensBetweenReads(operation, read)],
  check(history, { operation, read }) {
    const writes = history.entries.filter((entry) => entry.operation === operation);
    const reads = history.ownAnswers(read).filter(({ entry }) => resourceIn(entry));
    const pairs = pairsOf(reads).map(({ before: { entry: before }, after: { entry: after } }) => {
      const between = writes.filter((write) => isBetween(write, before, after));
      return { before, between, after, isSame: sameJson(resourceIn(before), resourceIn(after)) };
    });
    const isUnauthenticated = (entry: Entry) => entry.credential.kind !== "token" && isRejected(entry);
    const acrossCalls = pairs.filter(({ between }) => between.length > 0 && between.every(isUnauthenticated));
    const changed = acrossCalls.filter(({ isSame }) => !isSame);
    const quiet = pairs.filter(({ between }) => between.length === 0);
    // A record may change by itself, without writes.
    if (changed.length > 0 && (quiet.length === 0 || quiet.some(({ isSame }) => !isSame)))
      return notExercised("drift", "the read record changes by itself");
    return judged(
      changed.map(({ before, between, after }) =>
        violationBy("suspected", CHANGED, before, ...between, after),
      ),
      acrossCalls.map(({ after }) => after),
      reads.length > 0 && writes.length > 0
        ? notExercised("control-rejected", `${operation.key} does not reject such calls`)
        : notExercised("not-shown", "no answer shows what it may change"),
    );
  },
});

export const undocumentedRules = suiteOf("named-only", exists, ...successes, stable, noEffect);
