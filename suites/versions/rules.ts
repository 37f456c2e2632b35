/** Rules: each version is accepted, and a newer one shows all that an older one does (section 9). */

import { validRequests } from "../../history/answers/acceptances.ts";
import { isExplainedByState } from "../../history/answers/actions-done.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { isOfNewResource } from "../../history/answers/outliers.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { isServed } from "../../history/answers/served.ts";
import {
  type Entry,
  isAccepted,
  isBetween,
  isOrdinary,
  isRejected,
  isWrite,
  responseJson,
  statusOf,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, type RuleResult, violationBy, wrongStatus } from "../../history/result.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { isObject, jsonType } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isUndocumented, operationsOf } from "../../spec/operations.ts";
import { pathPrefixes } from "../../spec/path-readings.ts";
import { allowedVersions } from "../../spec/versions.ts";
import {
  historyRule,
  noteRule,
  type RuleTarget,
  rejectionRule,
  statusesSeen,
  suiteOf,
  targetsAt,
} from "../shared/history-rule.ts";
import { comparedVersions } from "./compared.ts";
import {
  onOtherPath,
  requestsUnderEachVersion,
  underEmptyVersion,
  underTwoVersions,
  underUnknownVersions,
} from "./probes.ts";

function documentedOperations({ operations }: Spec): Operation[] {
  return operations.filter((operation) => !isUndocumented(operation));
}

const accepted = historyRule({
  requirement: "VERSION-ACCEPTED",
  targets: (spec) => targetsAt(documentedOperations(spec)),
  title: ({ operation }) => `${operation.key} is accepted under each version`,
  probes: ({ operation }) => [requestsUnderEachVersion(operation)],
  check(history, { operation }) {
    const sent = validRequests(history, operation);
    const groups = [...groupedBy(sent, ({ entry }) => entry.version).values()];
    const isExplained = isExplainedByState(history, operation);
    // A quota may end all creates.
    const created = operation.kind === "create" ? sent.filter((answer) => isAccepted(answer.entry)) : [];
    const isOver = (entry: Entry) =>
      created.length > 0 && created.every((answer) => answer.entry.ended <= entry.begun);
    const isEarly = (entry: Entry) => operation.kind === "read" && isOfNewResource(history, entry);
    const rejected = groups
      .map((answers) =>
        answers.filter(({ entry }) => ![isExplained, isOver, isEarly].some((isExcuse) => isExcuse(entry))),
      )
      .filter((answers) => answers.length > 0 && answers.every(({ entry }) => isRejected(entry)));
    // Another rule reports a rejection under every version.
    if (rejected.length > 0 && rejected.length === groups.length && isJudgedByOthers(operation))
      return notExercised(
        "control-rejected",
        "it is rejected under every version alike",
        sent.slice(0, 1).map(({ entry }) => entry),
      );
    const served = groups.flatMap((answers) => answers.find(isServed)?.entry ?? []);
    const violations = rejected.flatMap(([answer]) => {
      const version = answer?.entry.version;
      const what = version === null ? "a call without a version" : `version ${version}`;
      return answer ? [wrongStatus(`${what} to be accepted`, answer.entry)] : [];
    });
    return judged(violations, served.length === groups.length ? served : [], whyUnserved(groups));
  },
});

/** Returns why no accepted answer shows that the version is served. */
function whyUnserved(groups: readonly Answer[][]): RuleResult {
  const [answer] = groups.find((answers) => !answers.some(isServed)) ?? [];
  if (!answer) return notExercised("no-data", "no valid request was sent");
  const { entry, status } = answer;
  if (status >= 500) return notExercised("server-error", `it was answered ${status}`, [entry]);
  if (isRejected(entry))
    return notExercised("declined", "an action is accepted once, or a quota is exhausted", [entry]);
  const version = entry.version ?? "none";
  return notExercised(
    "no-data",
    `it was accepted under version ${version}, but the answer shows no resource`,
    [entry],
  );
}

/** True if another rule judges rejections under every version: not for lists without sizes and parameters. */
function isJudgedByOthers({ kind, parameters }: Operation): boolean {
  return (
    kind !== "list" ||
    parameters.some(
      (parameter) => parameter.in === "query" && (parameter.required || parameter.role === "page-size"),
    )
  );
}

const unknown = rejectionRule({
  requirement: "VERSION-UNKNOWN",
  targets: (spec) => targetsAt(documentedOperations(spec).filter(({ version }) => version?.schema.enum)),
  title: ({ operation }) => `${operation.key} rejects a version that is not allowed`,
  cause: "unknown-version",
  probes: ({ operation }) => [underUnknownVersions(operation)],
  requests: (history, { operation }) =>
    faultyRequests(history, operation, ["VERSION-UNKNOWN"], ({ version }) => version !== null),
  describe: ({ version }) => `version ${version}`,
  tried: () => "unknown version",
});

const KEPT_REQUIREMENTS = [
  { requirement: "VERSION-FIELDS", what: "fields", isOfLists: false },
  { requirement: "VERSION-VALUES", what: "values", isOfLists: false },
  { requirement: "VERSION-MEMBERS", what: "items", isOfLists: true },
] as const;

/** Returns the operations with each pair of neighbouring versions to compare. */
function comparedOperations(spec: Spec) {
  const isComparable = ({ kind, method, since }: Operation) =>
    kind === "named" ? method === "GET" && since === undefined : kind !== "other";
  return spec.operations.filter(isComparable).flatMap((operation) => {
    const versions = allowedVersions(spec, operation);
    return versions.slice(1).flatMap((newer, index) => {
      const older = versions[index] ?? newer;
      const detail = `${older} to ${newer}`;
      return KEPT_REQUIREMENTS.filter(({ isOfLists }) => !isOfLists || operation.kind === "list").map(
        ({ requirement, what }) => ({ operation, older, newer, requirement, what, detail }),
      );
    });
  });
}

const kept = historyRule({
  targets: comparedOperations,
  title: ({ operation, older, newer, what }) =>
    `${operation.key} shows the same ${what} under ${newer} as under ${older}`,
  probes: ({ operation, older, newer }) => [underTwoVersions({ operation, older, newer })],
  check(history, at) {
    const { differences, evidence } = comparedVersions(history, at);
    const own = differences.filter(({ requirement }) => requirement === at.requirement);
    const doubtful = new Set(own.map(({ shownBy: [, after] }) => after));
    const reason = own.length > 0 ? "drift" : "no-data";
    return judged(
      own
        .filter(({ verdict }) => verdict === "differs")
        .map(({ expected: was, actual, shownBy: [before, after], offending }) => {
          const expected = `under ${at.newer}, as under ${at.older}: ${was}`;
          const facts = { difference: "other-version", expected, actual } as const;
          return violationBy("suspected", facts, before, { entry: after, offending });
        }),
      evidence.filter((entry) => !doubtful.has(entry)),
      notExercised(reason, "nothing was shown twice under each version without a change"),
    );
  },
});

/** Creates would leave resources behind, so they are left out. */
const spelling = noteRule({
  requirement: "VERSION-SPELLING",
  notes: "emptyVersion",
  targets: (spec) =>
    spec.operations
      .filter(({ kind, version }) => version && (kind === "list" || kind === "read" || kind === "update"))
      .map((operation) => ({ operation })),
  title: ({ operation }) => `how ${operation.key} treats an empty version`,
  sampledGroup: ({ operation }) => operation.kind,
  probes: ({ operation }) => [underEmptyVersion(operation)],
  seen(history, { operation }) {
    const sent = history.answers.to(operation);
    return statusesSeen(sent.filter(({ entry }) => entry.version === "" && isOrdinary(entry, history.head)));
  },
  unseen: "no request had an empty version",
});

const absent = noteRule({
  requirement: "VERSION-DEFAULT",
  notes: "defaultVersion",
  targets: (spec) =>
    operationsOf(spec, "list", "read")
      .filter(({ version }) => version && !version.required)
      .map((operation) => ({ operation, versions: allowedVersions(spec, operation) }))
      .filter(({ versions }) => versions.length > 1),
  title: ({ operation }) => `the version that ${operation.key} uses without the header`,
  probes: ({ operation }) => [requestsUnderEachVersion(operation)],
  seen(history, { operation, versions }) {
    const writes = history.entries.filter((entry) => isWrite(entry) && isAccepted(entry));
    const sent = validRequests(history, operation).map(({ entry }) => entry);
    const under = (version: string, absent: Entry) =>
      sent.find(
        (other) =>
          other.version === version &&
          other.request.url === absent.request.url &&
          !writes.some((write) =>
            other.begun < absent.begun ? isBetween(write, other, absent) : isBetween(write, absent, other),
          ),
      );
    const absent = sent.find(
      (entry) => entry.version === null && versions.every((version) => under(version, entry)),
    );
    if (!absent) return [];
    const shape = (entry?: Entry) => JSON.stringify(shapeOf(entry && responseJson(entry)));
    const names = versions.filter((version) => shape(under(version, absent)) === shape(absent));
    return [{ answer: { names, all: names.length === versions.length }, shownBy: absent }];
  },
  unseen: "no request was sent under each version",
});

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (!isObject(value)) return jsonType(value);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, shapeOf(value[name])]));
}

interface OtherPath extends RuleTarget {
  other: string;
}

const paths = noteRule({
  requirement: "PATHS-OTHER",
  notes: "paths",
  targets: otherForms,
  title: ({ operation, other }) => `whether ${operation.key} also answers on ${other}`,
  probes: ({ operation, other }) => [onOtherPath(operation, other)],
  seen: (history, at) =>
    history.entries
      .filter((entry) => isOnOther(history, entry, at))
      .map((entry) => ({ tried: at.other, answer: { status: statusOf(entry) ?? 0 }, shownBy: entry })),
  unseen: "no request was sent to it",
});

/** Returns the paths of the API's other spellings that the run does not use. */
function otherForms(spec: Spec): OtherPath[] {
  return operationsOf(spec, "list", "read").flatMap((operation) =>
    pathPrefixes(spec).map((prefix) => {
      const { path } = operation;
      const other = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : `${prefix}${path}`;
      return { operation, other, detail: other };
    }),
  );
}

function isOnOther({ head }: History, entry: Entry, { operation, other }: OtherPath): boolean {
  const { method, url } = entry.request;
  const isAnswered = entry.operation === null && method === "GET" && statusOf(entry) !== undefined;
  const path = operation.path.length < other.length ? operation.path : other;
  const parts = path.split("/").slice(1);
  const ending = new URL(url, "http://localhost").pathname.split("/").slice(-parts.length);
  const isPath = parts.every((part, index) => part.startsWith("{") || part === ending[index]);
  return isAnswered && isOrdinary(entry, head) && isPath;
}

export const versionRules = suiteOf("versions", accepted, unknown, kept, spelling, absent, paths);
