/** Rules: creates show sent texts unchanged (sections 4.2 and 4.14). */

import { MARKUP } from "../../generators/text.ts";
import { isDoneAgain } from "../../history/answers/actions-done.ts";
import { judged, notExercised } from "../../history/result.ts";
import { type JsonObject, pick } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { textsMustBeAccepted } from "../bodies/accepted-parts.ts";
import { packedBy } from "../shared/body-parts.ts";
import { declinableRules } from "../shared/declinable-rules.ts";
import { takesText } from "../shared/echo.ts";
import { historyRule, suiteOf, targetsAt } from "../shared/history-rule.ts";
import {
  fieldsWithText,
  isUnusual,
  looksLikeAttack,
  respelledValues,
  unshown,
} from "../shared/sent-values.ts";
import { sightingsOfSent } from "../updates/sighting-rules.ts";
import { creationsOfRun } from "./probes.ts";
import { plainUses, unshownInLists, validUses } from "./shown.ts";
import { anyText, declinableValuesSent, textInEachField } from "./text-probes.ts";

/** Markup is sent last, because a firewall may block the client afterwards. */
const UNUSUAL_TEXTS = [
  { detail: "any text", which: "with any characters", isMeant: isUnusual, probe: anyText },
  {
    detail: MARKUP.detail,
    which: `${MARKUP.detail} too`,
    isMeant: (text: string) => looksLikeAttack(text, [MARKUP]),
    probe: (create: Operation) => textInEachField(create, MARKUP),
    stage: "provoke" as const,
  },
];

const texts = UNUSUAL_TEXTS.map(({ detail, which, isMeant, probe, ...when }) =>
  historyRule({
    ...when,
    requirement: "CREATE-ECHO",
    targets: (spec) =>
      operationsWithBody(spec, "create")
        .filter((operation) => takesText(spec, operation))
        .map((operation) => ({ operation, detail })),
    title: ({ operation }) => `${operation.key} shows sent texts unchanged, ${which}`,
    probes: ({ operation }) => [probe(operation)],
    check(history, { operation }) {
      const fieldsIn = (sent: JsonObject) => fieldsWithText(history.spec, operation, sent, isMeant);
      const made = sightingsOfSent(history, { create: operation, duty: "made" }, fieldsIn);
      if (made.outcome === "violated") return made;
      const uses = validUses(history, operation).map((use) => ({
        ...use,
        sent: pick(use.sent, new Set(fieldsIn(use.sent))),
      }));
      return judged(
        [
          ...uses.flatMap(({ entry, sent, made: shown }) =>
            unshown(history, { operation, sent, shown }, [entry]),
          ),
          ...unshownInLists(history, operation, uses),
        ],
        [],
        textsMustBeAccepted(history, operation, fieldsIn),
      );
    },
  }),
);

/** Services may reorder lists or lowercase mail addresses, so this is a SHOULD. */
const details = historyRule({
  requirement: "CREATE-ECHO-DETAILS",
  targets: (spec) => targetsAt(operationsWithBody(spec, "create")),
  title: ({ operation }) =>
    `${operation.key} shows lists in the order, and mail addresses in the case, that were sent`,
  probes: ({ operation }) => [creationsOfRun(operation)],
  check(history, { operation }) {
    const uses = plainUses(history, operation);
    return judged(
      uses.flatMap(({ entry, sent, made: shown }) =>
        respelledValues(history, { operation, sent, shown }, entry),
      ),
      uses.map(({ entry }) => entry),
      notExercised("control-rejected", `${operation.key} made nothing`),
    );
  },
});

const declinable = declinableRules({
  kind: "create",
  sent: (history, operation) => {
    const { sent, accepted } = history.creates(operation);
    const isAgain = isDoneAgain(history, operation);
    const shown = new Map(accepted.filter((use) => !isAgain(use)).map(({ entry, made }) => [entry, made]));
    return sent.map((call) => ({ ...call, shown: shown.get(call.entry) }));
  },
  probes: (operation, all, own) => {
    const groups = packedBy(all, ({ name }) => name);
    return groups.flatMap((group, index) =>
      own === undefined || group.includes(own) ? [declinableValuesSent(operation, groups, index)] : [],
    );
  },
  formerDetail: "declinable value",
});

export const createTexts = suiteOf("creates", ...texts, details, ...declinable);
