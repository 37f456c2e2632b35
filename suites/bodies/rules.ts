/** Rules: a body with one fault is rejected, a valid one in another form accepted (sections 4 and 8). */

import { longTexts, type OpenValue, openValues } from "../../generators/open-values.ts";
import { WHOLE_BODY_FAULTS } from "../../generators/whole-bodies.ts";
import {
  featuredRequests,
  mustBeAccepted,
  openRequests,
  underAcceptedVersions,
} from "../../history/answers/acceptances.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { INVENTED_VALUE } from "../../history/creates/invented-names.ts";
import { type Entry, header, isAccepted, objectSent, requestJson } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { sideOf } from "../../history/request-faults/sent-request.ts";
import { UNIT_NAMES } from "../../profiles/prose.ts";
import { isObject, valueAt } from "../../spec/json.ts";
import { isOpen } from "../../spec/levels.ts";
import { operationsOf, operationsWithBody } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import {
  historyRule,
  noted,
  noteRule,
  rejectionRule,
  statusesSeen,
  suiteOf,
  targetsAt,
} from "../shared/history-rule.ts";
import { acceptsEmptyBody } from "../shared/update-fields.ts";
import { nullIsAbsent, nullRejected } from "./null-rules.ts";
import {
  brokenFields,
  charset,
  emptyUpdate,
  longBodies,
  noContentType,
  openBodies,
  wholeBodies,
} from "./probes.ts";
import {
  type FieldTarget,
  fieldTargets,
  isBroken,
  isOptionalNull,
  requiresAny,
  type WholeTarget,
} from "./targets.ts";

const wholeRejected = rejectionRule({
  targets: (spec) =>
    operationsWithBody(spec, "create", "update").flatMap((operation) =>
      WHOLE_BODY_FAULTS.map((fault): WholeTarget => {
        return { operation, fault, requirement: `${sideOf(operation)}-${fault.rule}` };
      }),
    ),
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
  targets: (spec) => targetsAt(operationsWithBody(spec, "create")),
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

const emptyAccepted = historyRule({
  targets: (spec) =>
    operationsWithBody(spec, "update")
      .filter((operation) => !requiresAny(spec, operation) && acceptsEmptyBody(spec, operation))
      .map((operation) => {
        const { "x-requirements": own } = spec.schemas.flatten(operation.body);
        return { operation, requirement: own?.empty ?? "UPDATE-EMPTY" };
      }),
  title: ({ operation }) => `${operation.key} accepts an update without any field`,
  probes: ({ operation }) => [emptyUpdate(operation)],
  check(history, { operation, requirement }) {
    const sent = featuredRequests(history, operation, requirement, (_, entry) => history.isOfOwn(entry));
    const answers = underAcceptedVersions(history, operation, sent);
    return mustBeAccepted(history, operation, answers, "an update without any field");
  },
});

const BEHAVIOURS = ["unknownBodyFields", "emptyTexts", "lowerCaseCodes", "unheardOfValues"] as const;

const openFields = BEHAVIOURS.map((behaviour) =>
  noteRule({
    notes: behaviour,
    targets: (spec) =>
      operationsOf(spec, "create").flatMap((operation) => {
        const all = openValues(spec, operation, INVENTED_VALUE);
        return all
          .filter((open) => open.behaviour === behaviour)
          .map((open) => ({ operation, open, all, requirement: open.requirement, detail: open.subject }));
      }),
    title: ({ operation, open }) => `how ${operation.key} treats ${open.subject}`,
    probes: ({ operation, all }) => [openBodies(operation, all)],
    seen: (history, { operation, open }) =>
      openRequests(history, operation, (entry) => isSent(history, entry, open)).map(({ entry, status }) => ({
        field: open.field,
        answer: { status },
        shownBy: entry,
      })),
  }),
);

function isSent({ answers }: History, entry: Entry, { behaviour, field }: OpenValue): boolean {
  const { doubts } = answers.classification(entry);
  const isMeant = doubts.some(
    ({ behaviour: own, place }) =>
      own === behaviour && (field === undefined || `${place}/`.startsWith(`body/${field}/`)),
  );
  const isUnheardOf = behaviour !== "unheardOfValues" || entry.request.body?.text.includes(INVENTED_VALUE);
  return isMeant && isUnheardOf === true && (doubts.length === 1 || isAccepted(entry));
}

const counting = noteRule({
  requirement: "CREATE-COUNTING",
  notes: "countsCharactersAs",
  targets: (spec) =>
    operationsOf(spec, "create")
      .filter((operation) => longTexts(spec, operation).flat().length > 0)
      .map((operation) => ({ operation, texts: longTexts(spec, operation).flat() })),
  title: ({ operation }) => `how ${operation.key} counts the characters of a text`,
  sampledGroup: () => "texts at the limit",
  probes: ({ operation }) => [longBodies(operation)],
  seen: (history, { operation, texts }) =>
    texts.flatMap(({ field, unit, what: tried, text }) => {
      const isAstral = (character: string) => (character.codePointAt(0) ?? 0) > 0xffff;
      const isAsLong = (sent: unknown) =>
        typeof sent === "string" && sent.length === text.length && [...sent].every(isAstral);
      return history.answers
        .to(operation)
        .filter(({ entry }) => isAsLong(objectSent(entry)?.[field]))
        .map(({ entry, status }) => ({ field, tried, answer: { status, unit }, shownBy: entry }));
    }),
  unseen: "no text of such a length was sent",
  formerDetails: ({ texts }) =>
    texts.map(({ field, unit, what }) => `${field} of ${what} (${UNIT_NAMES[unit]} within the limit)`),
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
  ...openFields,
  counting,
);
