import { forbiddenWrites } from "../../history/answers/forbidden-writes.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { hasValueOfAnother } from "../../history/creates/held-values.ts";
import { type Entry, isRejected, pathId } from "../../history/entry.ts";
import { overlapsAnother } from "../../history/journal/updates-seen.ts";
import { judged, notExercised, wrongStatus } from "../../history/result.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, rejectionRule, suiteOf } from "../shared/history-rule.ts";
import { updatableFields, updatesOf } from "../shared/update-fields.ts";
import { UNKNOWN_IDS, unknownIds, walkOf } from "./probes.ts";

/** Returns a target for each set of fields that updates send. */
function fieldSets(spec: Spec) {
  return updatesOf(spec).flatMap(({ operation }) => {
    const fields = updatableFields(spec, operation);
    const required = spec.schemas.required(operation.body);
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
  check(history, { operation, names, detail }) {
    const updates = history.updates(operation);
    const sent = updates.filter((update) => {
      const fields = Object.keys(update.sent);
      const isMeant = fields.length === names.size && fields.every((name) => names.has(name));
      const hasNull = Object.values(update.sent).includes(null);
      return isMeant && !hasNull && history.mustAccept(operation, update);
    });
    const forbidden = forbiddenWrites(history);
    const rejected = sent.filter(
      (update) =>
        isRejected(update.entry) &&
        !forbidden.has(update.entry) &&
        !overlapsAnother(updates, update.entry) &&
        !hasValueOfAnother(history, operation, update.entry),
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

export const updatesAccepted = suiteOf("bodies", fieldsAccepted);

const rejected = rejectionRule({
  requirement: "UPDATE-UNKNOWN",
  cause: "unknown-id",
  targets: updatesOf,
  title: ({ operation }) => `${operation.key} rejects ids that name nothing`,
  probes: ({ operation }) => [unknownIds(operation)],
  requests(history, { operation }) {
    const [own = null] = history.head.spaces;
    // Services may reject updates in other spaces because of the space.
    const isMeant = ({ space }: Entry) => space === own || !operation.space;
    return faultyRequests(history, operation, ["UPDATE-UNKNOWN"], isMeant);
  },
  describe: (entry) => `an update of the unknown id ${describeValue(pathId(entry), 60)}`,
  tried: () => "unknown id",
  formerDetails: () => Object.keys(UNKNOWN_IDS),
});

export const unknownIdRules = suiteOf("updates", rejected);
