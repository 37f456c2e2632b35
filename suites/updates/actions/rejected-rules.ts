/** Rules: a rejected action has no effect. */

import { type Entry, isRejected, isWrite, resourceIn, startsWithin } from "../../../history/entry.ts";
import type { History } from "../../../history/history.ts";
import { placeActedOn } from "../../../history/resource-kinds.ts";
import { judged, type Violation } from "../../../history/result.ts";
import { sameFieldValue } from "../../../history/values/differences.ts";
import { describeValue } from "../../../spec/schema.ts";
import { historyRule } from "../../shared/history-rule.ts";
import { actionsInTurn } from "./in-turn.ts";
import { readsAroundAction } from "./probes.ts";
import {
  type ActionTarget,
  acceptedActions,
  actionTargets,
  isRead,
  lastReadBefore,
  requestsAbout,
} from "./rules.ts";

/** The requirements that rejected changes have no effect, by the credential of the request. */
export const REJECTIONS = [
  { requirement: "UPDATE-NO-EFFECT", isFor: (kind: string) => kind === "token", why: "a rejected" },
  { requirement: "AUTH-NO-EFFECT", isFor: (kind: string) => kind !== "token", why: "an unauthenticated" },
];

export const rejectedActionRules = REJECTIONS.map(({ requirement, isFor, why }) =>
  historyRule({
    requirement,
    targets: actionTargets,
    title: ({ operation }) => `${why} ${operation.key} does nothing`,
    probes: ({ operation, kind }) => [
      readsAroundAction(operation),
      ...kind.actions.map((each) => actionsInTurn(each, kind)),
    ],
    mayBeExcused: true,
    check(history, at) {
      const effects = effectsOf(history, at);
      const looks = history.entries.flatMap((entry) =>
        entry.operation === at.operation && isRejected(entry) && isFor(entry.credential.kind)
          ? (readsAround(history, at, entry) ?? [])
          : [],
      );
      const shown = looks.flatMap((look) => effectShown(effects, look));
      const violations = shown.map(({ violation }) => violation);
      const otherwise = judged(
        [],
        effects.length > 0 ? looks.map(({ after }) => after) : [],
        "nothing was read around a rejected action",
      );
      const [excused] = violations;
      // If the field changed in another resource without a write, it may have changed by itself here, too.
      const mayChangeByItself = ({ field, entry }: ShownEffect) => {
        const own = placeActedOn(at.kind, entry);
        return history.journal.resources.some(
          ({ id, made, volatile }) => made?.operation === at.kind.create && id !== own && volatile.has(field),
        );
      };
      return excused && shown.every(mayChangeByItself)
        ? { outcome: "excused", violation: excused, otherwise }
        : judged(violations, [], otherwise);
    },
  }),
);

interface Effect {
  field: string;
  value: unknown;
  /** The read before the accepted action, and the action: the same history has them again. */
  shownBy: [before: Entry, action: Entry];
}

interface ShownEffect {
  field: string;
  /** The rejected action. */
  entry: Entry;
  violation: Violation;
}

interface Around {
  before: Entry;
  entry: Entry;
  after: Entry;
}

/** Returns the values that the accepted action sets, by the answers to it and the reads before it. */
function effectsOf(history: History, at: ActionTarget): Effect[] {
  const documented = history.spec.schemas.fieldNames(at.reader.resource);
  return acceptedActions(history, at.operation).flatMap((entry) => {
    const shown = resourceIn(entry) ?? {};
    const before = lastReadBefore(history, at, entry);
    const was = before && resourceIn(before);
    if (!was) return [];
    return documented
      .filter((field) => field in shown && !sameFieldValue(was[field], shown[field]))
      .map((field) => ({ field, value: shown[field], shownBy: [before, entry] }));
  });
}

/** Returns the violation that a read after the rejected action shows what only accepted ones set. */
function effectShown(effects: readonly Effect[], { before, entry, after }: Around): ShownEffect[] {
  const [was, is] = [resourceIn(before) ?? {}, resourceIn(after) ?? {}];
  const set = effects.find(
    ({ field, value }) => !sameFieldValue(was[field], value) && sameFieldValue(is[field], value),
  );
  if (!set) return [];
  const { field, value, shownBy } = set;
  const violation: Violation = {
    certainty: "suspected",
    expected: `after a rejected action still ${field} ${describeValue(was[field])}`,
    actual: `${field} ${describeValue(value)}`,
    shownBy: [
      ...shownBy.map((each) => ({ entry: each })),
      ...[{ entry: before }, { entry }, { entry: after, offending: `/result/${field}` }],
    ].sort((one, other) => one.entry.index - other.entry.index),
  };
  return [{ field, entry, violation }];
}

/**
 * Returns the reads around the rejected action, or `undefined` if another write may explain their difference. An
 * earlier action may show late.
 */
function readsAround(history: History, at: ActionTarget, entry: Entry): Around | undefined {
  const about = requestsAbout(history, at, entry);
  const before = lastReadBefore(history, at, entry);
  const after = about.find((other) => other.begun > entry.ended);
  if (!before || !after || !isRead(history, at, after)) return undefined;
  const isLate = (other: Entry) =>
    other.operation === at.operation && startsWithin(before, other, history.head.consistencyTimeoutMs);
  const mayExplain = (other: Entry) =>
    other.begun < after.ended && (isLate(other) || (isWrite(other) && other.ended > before.begun));
  return about.some(mayExplain) ? undefined : { before, entry, after };
}
