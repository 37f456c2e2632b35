import { judged, notExercised } from "../../../history/result.ts";
import { historyRule } from "../../shared/history-rule.ts";
import { respelledValues } from "../../shared/sent-values.ts";
import { suiteOf } from "../../shared/suite.ts";
import { updatesOf } from "../../shared/update-fields.ts";
import { walkOf } from "../probes.ts";

const details = historyRule({
  requirement: "UPDATE-ECHO-DETAILS",
  targets: updatesOf,
  title: ({ operation }) =>
    `${operation.key} shows lists in the order, and mail addresses in the case, that were sent`,
  probes: ({ operation }) => [walkOf(operation)],
  check(history, { operation }) {
    const shown = history
      .updates(operation)
      .flatMap(({ accepted, answer, sent, entry }) =>
        accepted && answer && history.isPlainlyValid(operation, sent) ? [{ sent, shown: answer, entry }] : [],
      );
    return judged(
      shown.flatMap(({ entry, ...values }) => respelledValues(history, { operation, ...values }, entry)),
      shown.map(({ entry }) => entry),
      notExercised("no-data", "no answer to an accepted update shows a resource"),
    );
  },
});

export const updateDetails = suiteOf("updates", details);
