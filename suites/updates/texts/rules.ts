/** Rules: updates store texts unchanged, whatever their characters (section 4). */

import { ATTACK_TEXTS } from "../../../generators/text.ts";
import { leftOutBySeed } from "../../../history/answers/served.ts";
import type { History } from "../../../history/history.ts";
import { judged, type RuleResult } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { textsMustBeAccepted } from "../../bodies/accepted-parts.ts";
import { plannedParts } from "../../shared/body-parts.ts";
import { declinableRules } from "../../shared/declinable-rules.ts";
import { extremeKinds, takesText } from "../../shared/echo.ts";
import { historyRule, type RuleTarget, suiteOf } from "../../shared/history-rule.ts";
import { fieldsWithText, isUnusual, looksLikeAttack, respelledValues } from "../../shared/sent-values.ts";
import { updatesOf } from "../../shared/update-fields.ts";
import { walkOf } from "../probes.ts";
import { sightingsOfSent } from "../sighting-rules.ts";
import { attackUpdates, declinableUpdates, specialOf, specialUpdates } from "./probes.ts";

const WAYS_TO_SHOW = [
  {
    requirement: "UPDATE-ECHO",
    duty: "echo",
    shower: ({ key }: Operation) => `the answer to ${key}`,
  },
  {
    requirement: "UPDATE-STORED",
    duty: "stored",
    shower: ({ key }: Operation) => `the next read after ${key}`,
  },
] as const;

interface SpecialTarget extends RuleTarget {
  detail: string;
  which: string;
  fieldsIn(sent: JsonObject): string[];
}

/** Returns a target for each special value that an update sends. */
function specialTargets(spec: Spec): SpecialTarget[] {
  return updatesOf(spec).flatMap(({ operation }) => {
    const parts = plannedParts(spec, operation);
    const kinds = extremeKinds(spec, operation.body ?? {}).map(({ detail, title: which }) => {
      const own = parts.filter((part) => specialOf(part) === detail);
      const fieldsIn = (sent: JsonObject) => own.filter(({ isIn }) => isIn(sent)).map(({ field }) => field);
      return { operation, detail, which, fieldsIn };
    });
    return [...textTargets(spec, operation, "any text", "with any characters", isUnusual), ...kinds];
  });
}

/** Returns the target for updates with texts of this kind. */
function textTargets(
  spec: Spec,
  operation: Operation,
  detail: string,
  which: string,
  isMeant: (text: string) => boolean,
): SpecialTarget[] {
  if (!takesText(spec, operation)) return [];
  const fieldsIn = (sent: JsonObject) => fieldsWithText(spec, operation, sent, isMeant);
  return [{ operation, detail, which, fieldsIn }];
}

const special = WAYS_TO_SHOW.map(({ requirement, duty, shower }) =>
  historyRule({
    requirement,
    targets: specialTargets,
    title: ({ operation, which }) => `${shower(operation)} shows what was sent, ${which}`,
    probes: ({ operation }) => [specialUpdates(operation)],
    check(history, at) {
      const { operation, fieldsIn, detail } = at;
      const shown = sightingsOfSent(history, { update: operation, duty }, fieldsIn);
      return detail === "any text" ? unlessRejected(history, at, shown) : shown;
    },
  }),
);

/** Returns a violation, too, for the rejection of a valid text. */
function unlessRejected(
  history: History,
  { operation, fieldsIn }: SpecialTarget,
  shown: RuleResult,
): RuleResult {
  if (shown.outcome === "violated") return shown;
  const taken = textsMustBeAccepted(history, operation, fieldsIn);
  const isUnseen = shown.outcome === "not-exercised" && taken.outcome === "not-exercised";
  return taken.outcome === "violated" || isUnseen ? taken : shown;
}

/** A firewall may block the run after attacks, so they come last. */
const attacks = ATTACK_TEXTS.flatMap((text) =>
  WAYS_TO_SHOW.map(({ requirement, duty, shower }) =>
    historyRule({
      requirement,
      stage: "provoke",
      targets: (spec) =>
        updatesOf(spec).flatMap(({ operation }) =>
          textTargets(spec, operation, text.detail, `${text.detail} too`, (sent) =>
            looksLikeAttack(sent, [text]),
          ),
        ),
      title: ({ operation, which }) => `${shower(operation)} shows what was sent, ${which}`,
      probes: ({ operation }) => [attackUpdates(operation, text)],
      check(history, at) {
        const { operation, fieldsIn } = at;
        if (!history.updates(operation).some(({ sent }) => fieldsIn(sent).length > 0))
          return leftOutBySeed(history, operation, text.detail);
        return unlessRejected(history, at, sightingsOfSent(history, { update: operation, duty }, fieldsIn));
      },
      formerDetails: () => ["suspect text"],
    }),
  ),
);

const declinable = declinableRules({
  kind: "update",
  sent: (history, operation) =>
    history
      .updates(operation)
      .flatMap(({ entry, sent, answer }) =>
        history.isOrdinary(entry) ? [{ entry, sent, shown: answer }] : [],
      ),
  probes: (operation) => [declinableUpdates(operation)],
});

export const updateTexts = suiteOf("updates", ...special, ...declinable, ...attacks);

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
      "no answer to an accepted update shows a resource",
    );
  },
});

export const updateDetails = suiteOf("updates", details);
