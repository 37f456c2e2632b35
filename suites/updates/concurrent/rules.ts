import { overlaps, pathId } from "../../../history/entry.ts";
import { isDistinctive } from "../../../history/journal/field-values.ts";
import type { SeenUpdate } from "../../../history/journal/updates-seen.ts";
import { judged, violationBy } from "../../../history/result.ts";
import { sameFieldValue } from "../../../history/values/differences.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { historyRule, suiteOf } from "../../shared/history-rule.ts";
import { isShown } from "../../shared/sent-values.ts";
import { updatesOf } from "../../shared/update-fields.ts";
import { concurrentUpdates } from "../probes.ts";
import { fieldsSentAlone } from "./probes.ts";

/** A faulty service may answer with the value of a simultaneous update. */
const eachItsOwn = historyRule({
  requirement: "UPDATE-ECHO",
  targets: (spec) =>
    updatesOf(spec)
      .filter(({ operation }) => fieldsSentAlone(spec, operation).length > 0)
      .map(({ operation }) => ({ operation, detail: "at the same moment" })),
  title: ({ operation }) => `simultaneous calls of ${operation.key} each show what they sent`,
  probes: ({ operation }) => [concurrentUpdates(operation)],
  check(history, { operation }) {
    const shown = history
      .updates(operation)
      .filter(
        ({ accepted, answer, sent, entry }) =>
          accepted && answer && history.isOrdinary(entry) && history.isPlainlyValid(operation, sent),
      );
    const pairs = shown.flatMap((own) =>
      shown
        .filter(
          ({ entry }) =>
            entry !== own.entry &&
            pathId(entry) === pathId(own.entry) &&
            entry.space === own.entry.space &&
            overlaps(own.entry, entry),
        )
        .map((other) => ({ own, other, fields: contestedFields(own, other) }))
        .filter(({ fields }) => fields.length > 0),
    );
    const shows = ({ answer: shown = {} }: SeenUpdate, values: JsonObject, field: string) =>
      isShown(history, { operation, sent: { [field]: values[field] }, shown });
    const mixed = pairs.flatMap(({ own, other, fields }) =>
      fields
        .filter((field) => shows(own, other.sent, field) && !shows(own, own.sent, field))
        .map((field) => ({ own, other, field })),
    );
    return judged(
      mixed.map(({ own, other, field }) => {
        const facts = {
          expected: `${field} as this update sent it`,
          actual: `${field} as the other one sent it`,
        };
        return violationBy("suspected", facts, other.entry, {
          entry: own.entry,
          offending: `/result/${field}`,
        });
      }),
      pairs.map(({ own }) => own.entry),
      "no two updates of one field overlapped",
    );
  },
});

function contestedFields({ sent }: SeenUpdate, other: SeenUpdate): string[] {
  return Object.keys(sent).filter(
    (field) =>
      isDistinctive(sent[field]) && field in other.sent && !sameFieldValue(sent[field], other.sent[field]),
  );
}

export const concurrentRules = suiteOf("updates", eachItsOwn);
