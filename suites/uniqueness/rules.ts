/** Rules of unique values in a space (section 4.2). */

import { isSameBut, notAccepted, wronglyRejected } from "../../history/answers/rejected-creates.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { mayBeDeleted } from "../../history/creates/deletions.ts";
import { isReplay, overlapping, type SentCreate, type Use, usesBy } from "../../history/creates/keys.ts";
import { type Entry, idBeforeAction, isRejected, objectSent, overlaps, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { mayReset } from "../../history/journal/field-changes.ts";
import { resourceKinds } from "../../history/resource-kinds.ts";
import { judged, notExercised, type Violation, violationBy } from "../../history/result.ts";
import { tagsIn } from "../../history/values/tags.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { actionsOnMade, isAction, operationsWithBody } from "../../spec/operations.ts";
import { keyWalkOf } from "../idempotency/key-walk.ts";
import { plainTexts } from "../shared/creation-again.ts";
import { type FieldTarget, historyRule, rejectionRule, suiteOf } from "../shared/history-rule.ts";
import {
  otherSpace,
  repeatedWithout,
  sameTexts,
  secondUses,
  simultaneousUses,
  takenByUpdate,
} from "./probes.ts";
import { spellingNotes } from "./spellings.ts";
import { optionalValues, secondTakers, uniqueTargets, uniqueValue } from "./targets.ts";

const oneHolder = rejectionRule({
  requirement: "UNIQUE-REJECTED",
  cause: "duplicate-value",
  targets: (spec) => [...uniqueTargets(spec), ...uniqueTargets(spec, "update")],
  title: ({ operation, field }) => `${operation.key} rejects a ${field} that is taken, whatever came between`,
  probes: (at) =>
    at.operation.kind === "update"
      ? [takenByUpdate(at)]
      : [secondUses(at), ...(at.operation.idempotencyKey ? [keyWalkOf(at.operation)] : [])],
  requests: usesOfTaken,
  describe: (_, { field }) => `a second use of ${field}`,
  tried: ({ field }) => `duplicate ${field}`,
  check(history, at, rejected) {
    const holders = at.operation.kind === "update" ? [] : secondHolders(history, at);
    const inTurn = holders.filter(({ isConcurrent }) => !isConcurrent);
    return judged(
      inTurn.length > 0 ? inTurn : secondTakers(history, at, usesOfTaken(history, at)),
      [],
      rejected,
    );
  },
  formerDetails: () => ["in the whole run", ...SECOND_USES.map((use) => `, ${use}`)],
});

const SECOND_USES = ["same body", "other fields differ", "required fields alone", "longest value"];

/**
 * Returns the requests whose only fault is a taken value of this field, and not of another unique one. An empty
 * text may mean that there is no value.
 */
function usesOfTaken(history: History, { operation, field }: FieldTarget) {
  const isOfField = ({ place }: { place: string }) => place === `body/${field}`;
  return faultyRequests(
    history,
    operation,
    ["UNIQUE-REJECTED"],
    (entry) =>
      history.isOrdinary(entry) &&
      uniqueValue(objectSent(entry)?.[field]) !== undefined &&
      history.answers.classification(entry).faults.every(isOfField),
  );
}

interface SecondHolder extends Violation {
  isConcurrent: boolean;
}

/** Creates with the same idempotency key return the same resource, so they do not count. */
function secondHolders(history: History, { operation, field }: FieldTarget): SecondHolder[] {
  const { accepted } = history.creates(operation);
  const stored = accepted.filter((use) => !isReplay(use, accepted));
  const uses = usesBy(stored, ({ sent }) => uniqueValue(sent[field]));
  return uses.flatMap(([first, ...others]) => {
    if (!first) return [];
    const seconds = others
      .filter(({ key }) => key === undefined || key !== first.key)
      // An action may give a resource the value that it has.
      .filter(({ id }) => id !== first.id || !isAction(history.spec, operation))
      .filter((second) => !mayBeDeleted(history, first.entry, first.id, second.entry))
      .filter((second) => !mayBeFree(history, operation, field, first, second));
    return seconds.map(({ id, entry }): SecondHolder => {
      const expected = `a rejection: ${field} is taken by ${first.id}`;
      const facts = { difference: "accepted", expected, actual: `the resource ${id}` } as const;
      const isConcurrent = overlaps(first.entry, entry);
      return { ...violationBy("proven", facts, first.entry, entry), isConcurrent };
    });
  });
}

/** True if an update or an action may have freed the value before the second create. */
function mayBeFree(
  history: History,
  create: Operation,
  field: string,
  { id, entry: first }: Use,
  { entry: second }: Use,
): boolean {
  const { spec } = history;
  const maker = isAction(spec, create) ? create.outer.at(-1)?.madeBy : create.id;
  const kind = resourceKinds(spec).find((each) => each.create?.id === maker);
  const updates = kind?.updates ?? [];
  const actions = maker === undefined ? [] : actionsOnMade(spec, maker);
  const changes = [
    ...updates
      .flatMap((update) => history.updates(update))
      .map((each) => ({ ...each, changedId: pathId(each.entry) })),
    ...actions
      .flatMap((action) => history.creates(action).sent)
      .map((each) => ({ ...each, changedId: idBeforeAction(each.entry) })),
  ];
  const isReset = ({ operation }: Entry) => kind && operation && mayReset(spec, kind, field, operation);
  return changes.some(
    ({ entry, sent, changedId }) =>
      changedId === id &&
      entry !== first &&
      (field in sent || isReset(entry)) &&
      !isRejected(entry) &&
      entry.begun < second.ended,
  );
}

const parallel = historyRule({
  requirement: "UNIQUE-PARALLEL",
  targets: uniqueTargets,
  title: ({ operation, field }) =>
    `of concurrent calls of ${operation.key} with the same ${field}, at most one is accepted`,
  probes: (at) => [simultaneousUses(at)],
  check(history, at) {
    const { sent, accepted } = history.creates(at.operation);
    const second = secondHolders(history, at);
    if (second.some(({ isConcurrent }) => !isConcurrent))
      return notExercised("control-rejected", "a second use after the first one was accepted, too");
    const pairs = usesBy(sent, (call) => uniqueValue(call.sent[at.field])).flatMap(overlapping);
    const isOtherKey = ({ key }: SentCreate, other: SentCreate) => key === undefined || key !== other.key;
    const calls = new Set(pairs.filter(([one, other]) => isOtherKey(one, other)).flat());
    const entries = new Set([...calls].map(({ entry }) => entry));
    return judged(
      second,
      accepted.map(({ entry }) => entry).filter((entry) => entries.has(entry)),
      notExercised("control-rejected", "none of the simultaneous calls was accepted"),
    );
  },
});

const optional = historyRule({
  requirement: "UNIQUE-OPTIONAL",
  targets: optionalValues,
  title: ({ operation, field, isNull }) =>
    `${operation.key} ${isNull ? `with ${field} null` : `without ${field}`} is accepted any number of times`,
  probes: (at) => [repeatedWithout(at)],
  check(history, { operation, field, isWithout, detail }) {
    const without = history.creates(operation).accepted.filter(({ sent }) => isWithout(sent));
    const isAlike = (later: Use, call: SentCreate) =>
      isWithout(call.sent) && !isWithout(later.sent) && isSameBut(later, call, [field]);
    const rejected = wronglyRejected(history, operation, isAlike)
      .map(({ rejected }) => rejected)
      .filter(({ entry: { version } }) => {
        const own = without.filter(({ entry }) => entry.version === version);
        return new Set(own.map(({ place }) => place)).size < 2;
      });
    return judged(
      rejected.map((call) => notAccepted(`a call with ${detail === field ? `no ${field}` : detail}`, call)),
      new Set(without.map(({ place }) => place)).size > 1 ? without.map(({ entry }) => entry) : [],
      "no two accepted creates lack a value",
    );
  },
});

const textsAgain = historyRule({
  requirement: "UNIQUE-NO-OTHERS",
  targets: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) => {
      const texts = [...plainTexts({ spec }, operation)];
      return texts.length > 0 ? [{ operation, texts, detail: "texts of another one" }] : [];
    }),
  title: ({ operation }) =>
    `${operation.key} accepts texts of another resource in fields that need not be unique`,
  probes: ({ operation }) => [sameTexts(operation)],
  check(history, { operation, texts }) {
    const { accepted } = history.creates(operation);
    const hasSame = ({ sent: one }: SentCreate, { sent: other }: SentCreate) =>
      texts.every((name) => name in one && sameJson(one[name], other[name]));
    const fields = ({ sent }: SentCreate) => Object.keys(sent).sort();
    const isWithOthers = (one: SentCreate, other: SentCreate) =>
      sameJson(fields(one), fields(other)) && !hasSame(one, other);
    // Another shared tagged value may explain the rejection.
    const sharesOnlyTexts = (one: SentCreate, other: SentCreate) =>
      Object.entries(one.sent).every(
        ([name, value]) =>
          texts.includes(name) ||
          tagsIn(history.head, value).length === 0 ||
          !sameJson(value, other.sent[name]),
      );
    const earlier = (call: SentCreate) =>
      accepted.find((use) => use.entry.ended < call.entry.begun && hasSame(use, call));
    const repeated = accepted.filter((use) => (earlier(use)?.id ?? use.id) !== use.id);
    const versions = new Set(repeated.map(({ entry }) => entry.version));
    const rejected = wronglyRejected(history, operation, isWithOthers)
      .map(({ rejected }) => ({ rejected, first: earlier(rejected) }))
      .filter(({ rejected }) => !versions.has(rejected.entry.version))
      .flatMap(({ rejected, first }) =>
        first && sharesOnlyTexts(rejected, first)
          ? [notAccepted(`the ${texts.join(", ")} of another resource`, rejected, first.entry)]
          : [],
      );
    return judged(
      rejected,
      repeated.map(({ entry }) => entry),
      notExercised("control-rejected", "no second create with the same texts was accepted"),
    );
  },
});

const perSpace = historyRule({
  requirement: "UNIQUE-PER-SPACE",
  targets: (spec) => uniqueTargets(spec).filter(({ operation }) => operation.space !== undefined),
  title: ({ operation, field }) => `${operation.key} accepts the same ${field} in another space`,
  probes: (at) => [otherSpace(at)],
  check(history, { operation, field }) {
    const { accepted } = history.creates(operation);
    const earlierInOtherSpace = ({ sent, entry }: SentCreate) =>
      accepted.find(
        (use) =>
          use.entry.space !== entry.space &&
          use.entry.ended < entry.begun &&
          uniqueValue(use.sent[field]) !== undefined &&
          sameJson(use.sent[field], sent[field]),
      );
    const shared = accepted.filter(earlierInOtherSpace).map(({ entry }) => entry);
    const isAlike = (later: Use, call: SentCreate) => isSameBut(later, call, [field]);
    const violations = wronglyRejected(history, operation, isAlike).flatMap(({ rejected }) => {
      const first = earlierInOtherSpace(rejected);
      return first ? [notAccepted(`the ${field} of one space in another space`, rejected, first.entry)] : [];
    });
    return judged(violations, shared, `no ${field} was sent to two spaces`);
  },
});

export const uniquenessRules = suiteOf(
  "uniqueness",
  oneHolder,
  parallel,
  textsAgain,
  optional,
  perSpace,
  ...spellingNotes,
);
