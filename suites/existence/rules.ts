/** Rules: offered operations exist, all others answer 404, 405 or 501. */

import { validRequests } from "../../history/answers/acceptances.ts";
import { isServed } from "../../history/answers/served.ts";
import { isAccepted } from "../../history/entry.ts";
import { mayBeUnwritten } from "../../history/journal/unwritten-parts.ts";
import { judged, notExercised, wrongStatus } from "../../history/result.ts";
import { OFFERS_ABSENT } from "../../spec/offers.ts";
import { operationsOf } from "../../spec/operations.ts";
import { historyRule, ifNotExercised, suiteOf, targetsAt } from "../shared/history-rule.ts";
import { absenceDespiteId, answerOfAbsence, fixtureOf, saysNothing } from "./absence.ts";
import { invalidCall, oneCall } from "./probes.ts";

const exists = historyRule({
  requirement: "VERSION-ACCEPTED",
  targets: (spec) =>
    operationsOf(spec, "list", "read", "create", "update").map((operation) => ({
      operation,
      detail: "exists",
    })),
  title: ({ operation }) => `${operation.key} is implemented`,
  // At the end, few operations still need the follow-up.
  stage: "finish",
  probes: () => [],
  followUp: ifNotExercised(({ operation }) => oneCall(operation)),
  check(history, { operation }) {
    const absence = answerOfAbsence(
      history,
      operation,
      ({ isValid, entry }) => isValid && !mayBeUnwritten(history, entry),
    );
    const served = validRequests(history, operation, isAccepted).filter(isServed);
    return judged(
      absence
        ? [{ ...wrongStatus(`${operation.key} to be implemented`, absence.entry), notImplemented: true }]
        : [],
      served.map(({ entry }) => entry),
      notExercised("control-rejected", `${operation.key} served no valid call`),
    );
  },
});

const absent = historyRule({
  requirement: OFFERS_ABSENT,
  targets: ({ operations, notOffered = [] }) =>
    targetsAt(operations.filter(({ key }) => notOffered.includes(key))),
  title: ({ operation }) => `${operation.key} is absent, since the service does not offer it`,
  probes: ({ operation }) => [invalidCall(operation)],
  check(history, { operation }) {
    const answers = history.answersOfRound(operation);
    const there = answers.filter((answer) => !saysNothing(answer));
    const absence = absenceDespiteId(history, operation);
    const name = fixtureOf(operation);
    const fixture = name === undefined ? undefined : `${name}=ID`;
    const offer = fixture === undefined ? "" : `; name a resource that exists: --fixture ${fixture}`;
    return judged(
      there.map(({ entry }) =>
        wrongStatus(`${operation.key}, which is not offered, to be absent (404, 405 or 501)`, entry),
      ),
      absence ? [absence.entry] : [],
      notExercised(
        "no-data",
        `no answer shows whether it exists${offer}`,
        answers.map(({ entry }) => entry),
        fixture === undefined ? undefined : { fixture },
      ),
    );
  },
});

export const existenceRules = suiteOf("versions", exists, absent);
