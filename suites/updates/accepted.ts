/**
 * Rules: valid updates of each field alone, and of all fields together, are accepted (sections 4.5, 4.7 and
 * 4.15).
 */

import { type Entry, isRejected, overlaps } from "../../history/entry.ts";
import { judged, notExercised, wrongStatus } from "../../history/result.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { suiteOf } from "../shared/suite.ts";
import { requiredFields } from "./fields.ts";
import { walkOf } from "./probes.ts";
import { updatableFields, updatesOf } from "./updating.ts";

interface SentTarget extends RuleTarget {
  names: Set<string>;
  detail: string;
}

function fieldSets(spec: Spec): SentTarget[] {
  return updatesOf(spec).flatMap(({ operation }) => {
    const fields = updatableFields(spec, operation.body ?? {});
    const required = requiredFields(spec, operation);
    const alone = fields.map((field) => ({
      operation,
      names: new Set([...required, field]),
      detail: `${field} alone`,
    }));
    return [...alone, { operation, names: new Set(fields), detail: "full" }];
  });
}

const fieldsAccepted = historyRule({
  requirement: "UPDATE-ACCEPTED",
  targets: fieldSets,
  title: ({ operation, detail }) =>
    `${operation.key} accepts a valid body with ${detail === "full" ? "all fields" : detail}`,
  probes: ({ operation }) => [walkOf(operation)],
  writes: true,
  check(history, { operation, names, detail }) {
    const sent = history
      .updates(operation)
      .filter(
        (update) =>
          history.isOrdinary(update.entry) &&
          !history.answers.wasSentAgain(update.entry) &&
          history.isOfOwn(update.entry) &&
          history.mustBeTaken(operation, update.sent) &&
          history.answers.classification(update.entry).kind === "valid" &&
          !Object.values(update.sent).includes(null) &&
          Object.keys(update.sent).length === names.size &&
          Object.keys(update.sent).every((name) => names.has(name)),
      );
    // Nothing promises that simultaneous updates of one resource succeed.
    const isAlone = (entry: Entry) =>
      !history
        .updates(operation)
        .map((other) => other.entry)
        .some(
          (other) => other !== entry && other.request.url === entry.request.url && overlaps(other, entry),
        );
    const accepted = sent.filter((update) => update.answer).map(({ entry }) => entry);
    const rejected = sent.map(({ entry }) => entry).filter((entry) => isRejected(entry) && isAlone(entry));
    return judged(
      rejected.map((entry) => wrongStatus(`a valid body (${detail}) to be accepted`, entry)),
      accepted,
      notExercised(
        history.updates(operation).some((update) => update.accepted) ? "not-sampled" : "no-data",
        `no valid update sent exactly these fields: ${[...names].join(", ")}`,
      ),
    );
  },
});

export const updatesAccepted = suiteOf("bodies", fieldsAccepted);
