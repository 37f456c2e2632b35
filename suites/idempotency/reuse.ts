/** Observations: how a key is treated after a rejection, and on another operation (section 4). */

import type { Probe } from "../../client/target.ts";
import { isDoubtfulBy } from "../../history/classification.ts";
import type { SentCreate } from "../../history/creates/keys.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { noteRule } from "../shared/note-rule.ts";
import { keyAfterRejection, keyOfAnother } from "./probes.ts";
import { type KeyTarget, keyedCreates } from "./targets.ts";

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
