/** Rules: a missing, invalid or unknown space is rejected (sections 5 and 8). */

import { spaceFaultsOf } from "../../generators/wrong-spaces.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { isServed } from "../../history/answers/served.ts";
import { type Entry, header, isRejected } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult, wrongStatus } from "../../history/result.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, noteRule, rejectionRule, suiteOf, targetsAt } from "../shared/history-rule.ts";
import { longUnknownSpaces, unknownSpaces, withoutSpace, wrongSpaces } from "./probes.ts";

type InSpace = Operation & { space: Parameter };

function operationsInSpace({ operations }: Spec): InSpace[] {
  return operations.filter(
    (operation): operation is InSpace => operation.space !== undefined && operation.response !== undefined,
  );
}

function rejectedSpaceRule(requirement: string, cause: "missing-space" | "invalid-space", thing: string) {
  return rejectionRule({
    requirement,
    cause,
    targets: (spec) =>
      operationsInSpace(spec).flatMap((operation) => {
        const faults = spaceFaultsOf(operation.space).filter((fault) => fault.requirement === requirement);
        return faults.length > 0 ? [{ operation, faults }] : [];
      }),
    title: ({ operation }) => `${operation.key} ${thing} is rejected`,
    probes: ({ operation }) => [wrongSpaces(operation)],
    requests: (history, { operation }) => sentWith(history, operation, requirement),
    describe(entry, { operation: { key, space } }, { head }) {
      const fault = spaceFaultsOf(space).find(
        ({ value }) => value(head.spaces[0] ?? "", space) === entry.space,
      );
      return `${key} ${fault?.title ?? `with the space ${describeValue(entry.space)}`}`;
    },
    formerDetails: ({ faults }) => [
      ...faults.map(({ detail }) => detail),
      ...(faults.some(({ number }) => number) ? ["prefix"] : []),
    ],
  });
}

/**
 * Returns the requests with the space fault of this requirement. A long space id that also breaks the pattern
 * counts for SPACE-LENGTH alone.
 */
function sentWith(history: History, operation: InSpace, requirement: string) {
  const [own] = history.head.spaces;
  const limit = operation.space.schema.maxLength ?? Number.POSITIVE_INFINITY;
  const isForLimit = requirement === "SPACE-LENGTH";
  const requirements = isForLimit ? [requirement, "SPACE-PATTERN"] : [requirement];
  return faultyRequests(
    history,
    operation,
    requirements,
    (entry) => entry.space !== own && lengthOf(entry) > limit === isForLimit,
  );
}

const missing = rejectedSpaceRule("SPACE-MISSING", "missing-space", "without a space");
const malformed = rejectedSpaceRule("SPACE-PATTERN", "invalid-space", "with a malformed space id");
const tooLong = rejectedSpaceRule("SPACE-LENGTH", "invalid-space", "with a space id over the limit");

const unknown = rejectionRule({
  requirement: "SPACE-UNKNOWN",
  formerSuite: "isolation",
  cause: "unknown-space",
  targets: (spec) => targetsAt(operationsInSpace(spec)),
  title: ({ operation }) => `${operation.key} rejects a well-formed space id that names no space`,
  probes: ({ operation }) => [unknownSpaces(operation)],
  requests: (history, { operation }) => faultyRequests(history, operation, ["SPACE-UNKNOWN"]),
  describe: (_, { operation }) => `${operation.key} in a space that does not exist`,
  tried: () => "unknown space",
});

function shortestLimit(spec: Spec): number {
  const limits = operationsInSpace(spec).map(
    ({ space }) => space.schema.maxLength ?? Number.POSITIVE_INFINITY,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...limits);
}

const longUnknown = noteRule({
  requirement: "SPACE-LONG-UNKNOWN",
  notes: "longUnknownSpace",
  targets: (spec) =>
    targetsAt(
      operationsInSpace(spec).filter(
        ({ method, space }) => method === "GET" && (space.schema.maxLength ?? 0) > shortestLimit(spec),
      ),
    ),
  title: ({ operation }) => `whether ${operation.key} treats a long unknown space id like a short one`,
  sampledGroup: () => "a read in a space",
  probes: ({ operation }) => [longUnknownSpaces(operation)],
  seen(history, { operation }) {
    const isInUnknownSpace = (entry: Entry) =>
      entry.space &&
      !history.head.spaces.includes(entry.space) &&
      history.answers
        .classification(entry)
        .faults.every(({ requirement }) => requirement === "SPACE-UNKNOWN");
    const answers = history.answers.to(operation).filter(({ entry }) => isInUnknownSpace(entry));
    const limit = shortestLimit(history.spec);
    const long = answers.find(({ entry }) => lengthOf(entry) > limit);
    const short = answers.find(
      ({ entry }) => lengthOf(entry) <= limit && entry.version === long?.entry.version,
    );
    if (!long || !short) return [];
    const tried = `${lengthOf(long.entry)} characters`;
    return [{ tried, answer: { statuses: [long.status, short.status] }, shownBy: long.entry }];
  },
  unseen: "no two requests named such spaces",
});

function lengthOf({ space }: Entry): number {
  return space?.length ?? 0;
}

const reference = historyRule({
  requirement: "REFERENCE-WITHOUT-SPACE",
  targets: (spec) =>
    targetsAt(
      spec.operations.filter(
        ({ space, response, method }) =>
          !space && response && method === "GET" && operationsInSpace(spec).length > 0,
      ),
    ),
  title: ({ operation }) => `${operation.key} answers without a space header`,
  probes: ({ operation }) => [withoutSpace(operation)],
  check(history, { operation }) {
    const name = operationsInSpace(history.spec)[0]?.space.name ?? "";
    const answers = history.answersOfRound(operation).filter(({ entry }) => history.isOrdinary(entry));
    const isSpaced = ({ entry }: Answer) => header(entry.request.headers, name) !== undefined;
    const bare = answers.filter((answer) => !isSpaced(answer));
    const spaced = answers.filter(isSpaced);
    return judged(
      bare
        .filter(({ entry }) => isRejected(entry) && spaced.some(isServedLike(entry)))
        .map(({ entry }) => wrongStatus(`${operation.key} without a space header to be accepted`, entry)),
      bare.filter(isServed).map(({ entry }) => entry),
      whyUnserved(spaced),
    );
  },
});

function isServedLike({ request, version }: Entry) {
  return (other: Answer) =>
    isServed(other) && other.entry.request.url === request.url && other.entry.version === version;
}

function whyUnserved([spaced]: Answer[]): RuleResult {
  if (!spaced) return notExercised("no-data", "no answer without a space header shows anything");
  const message = `it is answered ${spaced.status} with a space header too`;
  return notExercised("control-rejected", message, [spaced.entry]);
}

export const spaceRules = suiteOf("access", missing, malformed, tooLong, unknown, longUnknown, reference);
