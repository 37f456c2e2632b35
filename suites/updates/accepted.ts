/**
 * Rules: valid updates of each field alone, and of all fields together, are accepted (sections 4.5, 4.7 and
 * 4.15).
 */

import { isRejected } from "../../history/entry.ts";
import { pathId } from "../../history/resource-kinds.ts";
import { judged, notExercised, wrongStatus } from "../../history/result.ts";
import { overlapsAnother, type SeenUpdate } from "../../history/updates-seen.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
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
    const updates = history.updates(operation);
    const sent = updates.filter(
      (update) => hasExactly(update, names) && history.mustAccept(operation, update),
    );
    const rejected = sent.filter(
      (update) =>
        isRejected(update.entry) &&
        !overlapsAnother(updates, update.entry) &&
        !hasValueOfAnother(history.spec, operation, update, updates),
    );
    return judged(
      rejected.map(({ entry }) => wrongStatus(`a valid body (${detail}) to be accepted`, entry)),
      sent.filter(({ answer }) => answer).map(({ entry }) => entry),
      notExercised(
        updates.some(({ accepted }) => accepted) ? "not-sampled" : "no-data",
        `no valid update sent exactly these fields: ${[...names].join(", ")}`,
      ),
    );
  },
});

/**
 * True if an update gave another resource the same value of those that only the service knows to be good. It
 * may be good for one resource only, such as the URL of a webhook.
 */
function hasValueOfAnother(
  { schemas }: Spec,
  { body }: Operation,
  { entry, sent }: SeenUpdate,
  updates: readonly SeenUpdate[],
): boolean {
  const others = updates.filter((other) => other.accepted && pathId(other.entry) !== pathId(entry));
  return schemas
    .fields(body)
    .some(
      ([name, { "x-values-from": from }]) =>
        from && typeof sent[name] === "string" && others.some((other) => other.sent[name] === sent[name]),
    );
}

function hasExactly({ sent }: SeenUpdate, names: ReadonlySet<string>): boolean {
  const fields = Object.keys(sent);
  const isSame = fields.length === names.size && fields.every((name) => names.has(name));
  return isSame && !Object.values(sent).includes(null);
}

export const updatesAccepted = suiteOf("bodies", fieldsAccepted);
