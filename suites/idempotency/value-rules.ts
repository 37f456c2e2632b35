/** Rules: invalid keys are rejected, and one of maximum length is accepted (sections 4 and 8). */

import type { Probe } from "../../client/target.ts";
import { keyFaults, keyLengths } from "../../generators/keys.ts";
import { notAccepted, wronglyRejected } from "../../history/answers/rejected-creates.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { isDoubtfulBy } from "../../history/classification.ts";
import type { SentCreate } from "../../history/creates/keys.ts";
import { idempotencyKeyIn } from "../../history/entry.ts";
import { judged } from "../../history/result.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { historyRule, noteRule, rejectionRule } from "../shared/history-rule.ts";
import { keyAfterRejection, keyOfAnother, longestKeys, wrongKeys } from "./probes.ts";
import { type KeyTarget, keyedCreates, type WrongKeyTarget } from "./targets.ts";

export const wrongKeysRejected = rejectionRule({
  targets: (spec) =>
    keyedCreates(spec).flatMap(({ operation }) => {
      const groups = groupedBy(keyFaults(spec, operation.idempotencyKey), (fault) => fault.requirement);
      return [...groups].flatMap(([requirement, [first, ...others]]): WrongKeyTarget[] =>
        first ? [{ operation, requirement, faults: [first, ...others] }] : [],
      );
    }),
  title: ({ operation, faults: [fault] }) => `${operation.key} ${fault.title} is rejected`,
  cause: ({ requirement }) =>
    ["KEY-MISSING", "KEY-EMPTY"].includes(requirement)
      ? "missing-idempotency-key"
      : "invalid-idempotency-key",
  probes: (at) => [wrongKeys(at)],
  requests: (history, { operation, requirement }) => faultyRequests(history, operation, [requirement]),
  describe(entry, { operation, faults }) {
    const key = idempotencyKeyIn(entry) ?? null;
    const fault = faults.find(({ value }) => value === key || value === key?.length);
    return `${operation.key} ${(fault ?? faults[0]).title}`;
  },
  formerDetails: ({ faults }) => faults.flatMap(({ detail }) => detail ?? []),
});

export const longestAccepted = historyRule({
  requirement: "CREATE-EDGES",
  targets: (spec) =>
    keyedCreates(spec).flatMap(({ operation }) => {
      const { name, schema } = operation.idempotencyKey;
      const { maxLength: longest } = schema;
      if (longest === undefined || keyLengths(operation.idempotencyKey)?.[1] !== longest) return [];
      return [{ operation, longest, detail: `header/${name} maxLength ${longest} characters` }];
    }),
  title: ({ operation, longest }) => `${operation.key} accepts an idempotency key of ${longest} characters`,
  probes: ({ operation }) => [longestKeys(operation)],
  check(history, { operation, longest }) {
    const isLongest = ({ key }: SentCreate) => key?.length === longest;
    const accepted = history.creates(operation).accepted.filter(isLongest);
    const isOnlyLonger = (shorter: SentCreate, call: SentCreate) =>
      shorter.body === call.body && isLongest(call) && !isLongest(shorter);
    const tooLong = wronglyRejected(history, operation, isOnlyLonger)
      .map(({ rejected }) => rejected)
      .filter(({ entry: { version } }) => accepted.every(({ entry }) => entry.version !== version));
    return judged(
      tooLong.map((call) => notAccepted(`a key of ${longest} characters`, call)),
      accepted.map(({ entry }) => entry),
      "no valid create had a key of this length",
    );
  },
});

type ReuseTarget = KeyTarget & { detail: string; probe: Probe };

/** Returns the rule that notes how the operation treats a key that was used in this way before. */
function keyReuseRule(
  behaviour: "keysAfterRejection" | "keysOnAnotherOperation",
  targets: (spec: Spec) => ReuseTarget[],
) {
  return noteRule({
    requirement: "KEY-REUSE",
    notes: behaviour,
    targets,
    title: ({ operation, detail }) => `how ${operation.key} treats a key ${detail}`,
    sampledGroup: () => "reuse",
    alwaysSampled: true,
    probes: ({ probe }) => [probe],
    seen(history, { operation }) {
      const { sent, rejected } = history.creates(operation);
      // Rejections of an invalid token do not count.
      const isReused = ({ key, entry }: SentCreate) =>
        behaviour !== "keysAfterRejection" ||
        rejected.some((before) => before.key === key && before.entry.ended < entry.begun);
      const calls = sent.filter(
        (call) => isReused(call) && isDoubtfulBy(history.answers.classification(call.entry), behaviour),
      );
      const answers = calls.flatMap(({ entry }) => history.answers.answerIn(entry) ?? []);
      const shownBy = answers.map(({ entry }) => entry);
      return answers.map(({ status }) => ({ answer: { status }, shownBy }));
    },
    unseen: "no valid create had such a key",
  });
}

export const keyReuse = [
  keyReuseRule("keysAfterRejection", (spec) =>
    keyedCreates(spec).map(({ operation }) => ({
      operation,
      detail: "after a rejection",
      probe: keyAfterRejection(operation),
    })),
  ),
  keyReuseRule("keysOnAnotherOperation", (spec) =>
    keyedCreates(spec).flatMap(({ operation }, _, all) => {
      const other = all.find((at) => at.operation !== operation)?.operation;
      return other
        ? [{ operation, detail: "used on another operation", probe: keyOfAnother(operation, other) }]
        : [];
    }),
  ),
];
