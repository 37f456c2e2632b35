/** Rules: a body with one fault is rejected, a valid one in another form accepted (sections 4 and 8). */

import {
  featuredRequests,
  mustBeAccepted,
  openRequests,
  underAcceptedVersions,
} from "../../history/answers/acceptances.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { type Entry, header, isAccepted, requestJson } from "../../history/entry.ts";
import { sideOf } from "../../history/request-faults/sent-request.ts";
import { isObject, valueAt } from "../../spec/json.ts";
import { isOpen } from "../../spec/levels.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, suiteOf } from "../shared/history-rule.ts";
import { noted, noteRule, statusesSeen } from "../shared/note-rule.ts";
import { rejectionRule } from "../shared/rejection-rule.ts";
import { nullIsAbsent, nullRejected } from "./null-rules.ts";
import { openRules } from "./open-values.ts";
import { brokenFields, charset, emptyUpdate, noContentType, wholeBodies } from "./probes.ts";
import {
  type FieldTarget,
  fieldTargets,
  isBroken,
  isOptionalNull,
  requiresAny,
  wholeTargets,
} from "./targets.ts";

const wholeRejected = rejectionRule({
  targets: wholeTargets,
  title: ({ operation, fault }) => `${operation.key} rejects ${fault.title}`,
  cause: ({ fault }) => fault.cause,
  probes: (at) => [wholeBodies(at)],
  requests: (history, { operation, requirement }) => faultyRequests(history, operation, [requirement]),
  describe: ({ request: { body, headers } }) =>
    `the body ${describeValue(body?.text ?? "", 60)} as ${header(headers, "content-type")}`,
  tried: ({ fault }) => fault.title,
  formerDetails: ({ fault }) => Object.keys(fault.texts),
});

const fieldRejected = rejectionRule({
  targets: (spec) => fieldTargets(spec).filter((at) => !isOptionalNull(at)),
  title: ({ operation, constraint, name }) => {
    if (constraint === "required") return `${operation.key} rejects a body without ${name}`;
    if (constraint === "null") return `${operation.key} rejects a body with null for ${name}`;
    return `${operation.key} rejects a body with an invalid ${name} (${constraint})`;
  },
  cause: "invalid-body",
  notes: "brokenField",
  probes: (at) => [brokenFields(at)],
  requests: (history, at) =>
    faultyRequests(history, at.operation, [at.requirement], (entry) => isBroken(history, entry, at)),
  describe: (entry, at) => `a body with ${describeField(at, entry)}`,
  tried: ({ name, constraint }) => `${name} ${constraint}`,
  check(history, at, rejected) {
    const { operation, requirement, name: field } = at;
    if (!isOpen(history.spec, requirement)) return rejected;
    const open = openRequests(history, operation, (entry) => isBroken(history, entry, at));
    const seen = open.map(({ entry, status }) => ({
      field,
      tried: describeField(at, entry),
      answer: { status },
      shownBy: entry,
    }));
    return noted(at, requirement, "brokenField", seen);
  },
});

function describeField({ name, pointer }: FieldTarget, entry: Entry): string {
  const sent = requestJson(entry);
  return `${name} ${describeValue(isObject(sent) ? valueAt(sent, pointer) : sent, 60)}`;
}

const missingContentType = noteRule({
  requirement: "CREATE-NO-CONTENT-TYPE",
  notes: "missingContentType",
  targets: (spec) => operationsWithBody(spec, "create").map((operation) => ({ operation })),
  title: ({ operation }) => `how ${operation.key} treats a body without a content type`,
  probes: ({ operation }) => [noContentType(operation)],
  seen(history, { operation }) {
    const isMeant = ({ request }: Entry) => !header(request.headers, "content-type");
    return statusesSeen(openRequests(history, operation, isMeant));
  },
});

const withCharset = historyRule({
  targets: (spec) =>
    operationsWithBody(spec, "create", "update").map((operation) => ({
      operation,
      requirement: `${sideOf(operation)}-CHARSET`,
    })),
  title: ({ operation }) => `${operation.key} accepts application/json with a charset`,
  // Accepted creates leave resources behind, so one operation is enough.
  sampledGroup: ({ operation }) => (operation.kind === "create" ? "a create" : operation.key),
  probes: ({ operation }) => [charset(operation)],
  check(history, { operation, requirement }) {
    // A `bearer` in lower case may explain a rejection, but not an acceptance.
    const sent = featuredRequests(history, operation, requirement, (features, entry) =>
      features.every(({ what }) => what !== "scheme-case" || isAccepted(entry)),
    );
    const answers = underAcceptedVersions(history, operation, sent);
    return mustBeAccepted(history, operation, answers, "a content type with a charset");
  },
});

function emptyTargets(spec: Spec) {
  return operationsWithBody(spec, "update").flatMap((operation) => {
    const { "x-requirements": own, minProperties = 0 } = spec.schemas.flatten(operation.body);
    return requiresAny(spec, operation) || minProperties > 0
      ? []
      : [{ operation, requirement: own?.empty ?? "UPDATE-EMPTY" }];
  });
}

const emptyAccepted = historyRule({
  targets: emptyTargets,
  title: ({ operation }) => `${operation.key} accepts an update without any field`,
  probes: ({ operation }) => [emptyUpdate(operation)],
  check(history, { operation, requirement }) {
    const sent = featuredRequests(history, operation, requirement, (_, entry) => history.isOfOwn(entry));
    const answers = underAcceptedVersions(history, operation, sent);
    return mustBeAccepted(history, operation, answers, "an update without any field");
  },
});

export const bodyRules = suiteOf(
  "bodies",
  fieldRejected,
  nullIsAbsent,
  nullRejected,
  wholeRejected,
  withCharset,
  emptyAccepted,
  missingContentType,
  ...openRules,
);
