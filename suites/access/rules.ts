/** Rules: a request without the user's token is rejected, also at undocumented operations (section 5). */

import { credentialFaults, MISSING, UNKNOWN } from "../../generators/credentials.ts";
import { mustBeAccepted, validRequests } from "../../history/answers/acceptances.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { type Faulty, faultyRequests, mustBeRejected } from "../../history/answers/rejections.ts";
import { ABOUT_ACCESS, type Entry, header, isAccepted, responseJson, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { notExercised } from "../../history/result.ts";
import { isObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/operations.ts";
import { otherPaths } from "../../spec/path-readings.ts";
import {
  historyRule,
  noteRule,
  observedRejections,
  type RuleTarget,
  type Seen,
  suiteOf,
  targetsAt,
} from "../shared/history-rule.ts";
import { faultyTokenOnOtherPath, lowerCaseScheme, requestsWithoutToken, wrongCredentials } from "./probes.ts";

function documentedTargets(spec: Spec): RuleTarget[] {
  return withToken(spec).filter(({ operation }) => !isUndocumented(operation));
}

function sampleGroupOf({ operation }: RuleTarget): string {
  if (isUndocumented(operation)) return `${operation.method} of what is only ${operation.kind}`;
  return `${operation.kind}${operation.space ? " in a space" : ""}`;
}

/** Returns the rule that requests with a credential fault of this requirement are rejected. */
function rejectedTokenRule(
  requirement: string,
  title: string,
  isSampled: (operation: Operation) => boolean = () => false,
) {
  const describeFault = ({ credential }: Entry) =>
    credential.kind === "empty-header" ? "with an empty Authorization" : title;
  return historyRule({
    requirement,
    cause: "unauthenticated",
    targets: withToken,
    title: ({ operation }) => `${operation.key} ${title} is rejected`,
    sampledGroup: (at) => (isSampled(at.operation) ? sampleGroupOf(at) : undefined),
    probes: ({ operation }) => [wrongCredentials(operation, requirement)],
    check(history, { operation }) {
      const requests = requestsWith(history, operation, requirement);
      const telling = requests.filter(
        ({ entry }) => !isUndocumented(operation) || statusOf(entry) !== NOT_IMPLEMENTED,
      );
      const [other] = requests;
      if (other && telling.length === 0)
        return notExercised("not-shown", "the service says that the operation is not implemented", [
          other.entry,
        ]);
      return mustBeRejected(telling, (entry) => `${operation.key} ${describeFault(entry)}`);
    },
    observe: (history, { operation }) =>
      observedRejections(requestsWith(history, operation, requirement), describeFault),
    formerDetails: () => credentialFaults(requirement).flatMap(({ detail }) => detail ?? []),
  });
}

const NOT_IMPLEMENTED = 501;

function requestsWith(history: History, operation: Operation, requirement: string): Faulty[] {
  return faultyRequests(history, operation, [requirement]).map(({ entry, twin, isProof }) => ({
    entry,
    twin: twin ?? proofOfAccess(history, operation, entry),
    isProof: isProof && !isUndocumented(operation),
  }));
}

/**
 * Returns a request with the right token that shows that the token matters: an accepted one or, for other
 * errors of an undocumented GET, one answered otherwise.
 */
function proofOfAccess(history: History, operation: Operation, entry: Entry): Entry | undefined {
  const isUnknown = isUndocumented(operation);
  const status = statusOf(entry) ?? 0;
  const own = history.context.filter((other) => other.operation !== null && history.isOrdinary(other));
  if (status < 400 || ABOUT_ACCESS.has(status))
    return own.find((other) => (isUnknown || other.operation === operation) && isAccepted(other));
  if (!isUnknown || operation.method !== "GET") return undefined;
  return own.find((other) => other.operation === operation && statusOf(other) !== status);
}

const rejectedTokens = [
  rejectedTokenRule("AUTH-MISSING", MISSING.title),
  rejectedTokenRule("AUTH-UNKNOWN-TOKEN", UNKNOWN.title),
  rejectedTokenRule("AUTH-EMPTY-TOKEN", "with a scheme and no token", isUndocumented),
  rejectedTokenRule("AUTH-ALTERED-TOKEN", "with an altered token"),
  rejectedTokenRule("AUTH-OTHER-SCHEME", "with the token under another scheme", isUndocumented),
  rejectedTokenRule("AUTH-BARE-TOKEN", "with the token and no scheme", () => true),
];

const onOtherPaths = historyRule({
  cause: "unauthenticated",
  targets: (spec) =>
    documentedTargets(spec).flatMap(({ operation }) =>
      otherPaths(spec, operation).flatMap((other) =>
        [MISSING, UNKNOWN].map((fault) => ({
          operation,
          requirement: fault.requirement,
          other,
          fault,
          detail: `on ${other}`,
        })),
      ),
    ),
  title: ({ operation, other, fault }) =>
    `${operation.key} ${fault.title} is rejected at the other path ${other}, too, if that path answers`,
  sampledGroup: (at) => `${sampleGroupOf(at)} on the other path`,
  probes: ({ operation, other, fault }) => [faultyTokenOnOtherPath(operation, other, fault)],
  check(history, { operation, other, fault }) {
    const kind = fault === MISSING ? "none" : "unknown";
    const sent = requestsOn(history, operation, other).filter(({ credential }) => credential.kind === kind);
    const twin = acceptedOn(history, operation);
    if (!twin) return notExercised("not-shown", "the path that is not under test does not answer");
    const requests = sent.map((entry) => ({ entry, twin, isProof: false }));
    return mustBeRejected(requests, () => `${operation.key} on ${other} ${fault.title}`);
  },
});

/** Finds requests by their path, because entries of undocumented paths have no operation. */
function requestsOn({ entries }: History, { method, path }: Operation, other: string): Entry[] {
  const forms = [path, other].map((form) => new RegExp(`${form.replace(/\{\w+\}/g, "[^/]+")}$`));
  return entries.filter(
    ({ operation, request }) =>
      operation === null &&
      request.method === method &&
      forms.some((form) => form.test(request.url.split("?")[0] ?? "")),
  );
}

/** Returns a read that another path accepted, for a write of any list. A page for browsers is no answer. */
function acceptedOn(history: History, operation: Operation): Entry | undefined {
  const isRead = operation.method === "GET";
  const reads = history.spec.operations.filter((each) =>
    isRead ? each === operation : each.kind === "list",
  );
  return reads
    .flatMap((read) => otherPaths(history.spec, read).flatMap((other) => requestsOn(history, read, other)))
    .find((entry) => {
      const json = isAccepted(entry) ? responseJson(entry) : undefined;
      return entry.credential.kind === "token" && isObject(json) && Object.hasOwn(json, "result");
    });
}

const schemeCase = historyRule({
  requirement: "AUTH-SCHEME-CASE",
  targets: documentedTargets,
  title: ({ operation }) => `${operation.key} accepts the scheme name in lower case`,
  sampledGroup: (at) => (at.operation.method === "GET" ? sampleGroupOf(at) : "write"),
  probes: ({ operation }) => [lowerCaseScheme(operation)],
  check(history, { operation }) {
    const plain = validRequests(history, operation, isAccepted).map(({ entry }) => entry.version);
    const spelled = history
      .answersOfRound(operation)
      .filter(({ entry }) => isInLowerCase(history, entry))
      .filter(({ entry }) => isAccepted(entry) || plain.includes(entry.version));
    return mustBeAccepted(history, operation, spelled, `"bearer" in lower case`);
  },
});

function isInLowerCase({ answers }: History, entry: Entry): boolean {
  const found = answers.classification(entry);
  const features = found.kind === "valid" ? found.features.map(({ what }) => what) : [];
  return features.includes("scheme-case") && (isAccepted(entry) || !features.includes("charset"));
}

function observationRule<P extends "rejection" | "challenge" | "errorBody">(
  requirement: string,
  notes: P,
  what: string,
  seenIn: (answer: Answer) => Omit<Seen<P>, "shownBy">,
) {
  return noteRule({
    requirement,
    notes,
    targets: withToken,
    title: ({ operation }) => `${what} with which ${operation.key} rejects a call without Authorization`,
    probes: ({ operation }) => [requestsWithoutToken(operation)],
    seen: (history, { operation }) =>
      history
        .answersOfRound(operation)
        .filter(({ entry }) => entry.credential.kind === "none")
        .slice(0, 1)
        .map((answer) => ({ ...seenIn(answer), shownBy: answer.entry })),
    unseen: "no request without Authorization was answered",
  });
}

const observations = [
  observationRule("REJECTION-STATUS", "rejection", "the status", ({ status }) => ({
    tried: MISSING.title,
    answer: { status },
  })),
  observationRule("REJECTION-CHALLENGE", "challenge", "the WWW-Authenticate header", ({ status, entry }) => ({
    answer: { status, scheme: headerOf(entry, "www-authenticate")?.split(" ")[0] ?? "none" },
  })),
  observationRule("SILENCE-ERROR-BODY", "errorBody", "the body", ({ entry, json }) => ({
    answer: { word: bodyForm(entry, json) },
  })),
];

function bodyForm(entry: Entry, json: unknown): string {
  const { response } = entry;
  if (!("body" in response) || response.body.text === "") return "empty";
  const type = headerOf(entry, "content-type")?.split(";")[0] ?? "no content type";
  return `${type}${isObject(json) ? ` {${Object.keys(json).sort().join(", ")}}` : ""}`;
}

function headerOf({ response }: Entry, name: string): string | undefined {
  return "headers" in response ? header(response.headers, name) : undefined;
}

/** Returns the operations that need a token. */
function withToken({ operations }: Spec): RuleTarget[] {
  return targetsAt(operations.filter(({ open }) => !open));
}

export const accessRules = suiteOf("access", ...rejectedTokens, onOtherPaths, schemeCase, ...observations);
