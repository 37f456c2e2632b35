/** Rules: operations accept valid parameters, and reject faulty or missing ones (sections 4 and 8). */

import { mustBeAccepted, validRequests } from "../../history/answers/acceptances.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { type Entry, fixtureIds, isAccepted, responseJson } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised } from "../../history/result.ts";
import { isOpen } from "../../spec/levels.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { historyRule, suiteOf } from "../shared/history-rule.ts";
import { rejectionRule } from "../shared/rejection-rule.ts";
import { brokenParameters, spellings } from "./observations.ts";
import {
  brokenValuesProbe,
  edgeValuesProbe,
  emptyCountriesProbe,
  missingProbe,
  validValueProbe,
} from "./probes.ts";
import {
  brokenValues,
  EMPTY_COUNTRIES,
  edgeValues,
  edgeValuesOf,
  hasValue,
  isOfRead,
  isPlainBut,
  ownParameters,
  type ParameterTarget,
  requiredParameters,
  valueInWords,
  valuesIn,
} from "./targets.ts";

const edges = historyRule({
  targets: edgeValues,
  title: ({ operation, detail }) => `${operation.key} accepts ${detail}`,
  probes: (at, spec) => [edgeValuesProbe(spec, at)],
  check(history, at) {
    const { operation, parameter, value, detail } = at;
    const isMeant = (entry: Entry) => hasValue(entry, parameter, value.text) && isPlainBut(entry, at);
    const sent = validRequests(history, operation, isMeant);
    return mustBeAccepted(history, operation, rejectedForValue(at, sent), detail);
  },
});

const accepted = historyRule({
  requirement: "PARAMETER-ACCEPTED",
  targets: (spec) =>
    ownParameters(spec).filter((at) => at.parameter.required && edgeValuesOf(spec, at).length === 0),
  title: ({ operation, parameter }) => `${operation.key} accepts a valid ${parameter.name}`,
  probes: (at) => [validValueProbe(at)],
  check(history, at) {
    const { operation, parameter } = at;
    const plain = validRequests(history, operation, (entry) => isPlainBut(entry, at));
    const mostCommon = mostCommonValue(plain, parameter);
    const sent = plain.filter(({ entry }) => hasValue(entry, parameter, mostCommon));
    // A value is known if another answer or the user named it.
    const known = sent.filter(
      ({ entry }) =>
        isAccepted(entry) || valuesIn(entry, parameter).every((text) => isNamed(history, operation, text)),
    );
    if (known.length === 0 && sent.length > 0)
      return notExercised("no-data", `no ${parameter.name} is known that the service must accept`);
    return mustBeAccepted(history, operation, rejectedForValue(at, known), `a valid ${parameter.name}`);
  },
});

/** If a write with the value was accepted, others with it were rejected for another reason, so they are left out. */
function rejectedForValue(at: ParameterTarget, answers: readonly Answer[]): readonly Answer[] {
  const accepted = isOfRead(at) ? [] : answers.filter(({ entry }) => isAccepted(entry));
  return accepted.length > 0 ? accepted : answers;
}

/** Returns the value that most requests sent. A rare value may select an empty list. */
function mostCommonValue(answers: readonly Answer[], parameter: Parameter): string {
  const counts = new Map<string, number>();
  for (const text of answers.flatMap(({ entry }) => valuesIn(entry, parameter)))
    counts.set(text, (counts.get(text) ?? 0) + 1);
  const [mostCommon = ""] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  return mostCommon;
}

function isNamed({ head, context }: History, operation: Operation, text: string): boolean {
  const isFixture = fixtureIds(head).includes(text);
  const shown = JSON.stringify(text);
  return (
    isFixture ||
    context.some(
      (entry) =>
        entry.operation !== operation &&
        isAccepted(entry) &&
        responseJson(entry) !== undefined &&
        "body" in entry.response &&
        entry.response.body.text.includes(shown),
    )
  );
}

const broken = rejectionRule({
  targets: (spec) => brokenValues(spec).filter(({ requirement }) => !isOpen(spec, requirement)),
  title: (at) => `${at.operation.key} rejects ${valueInWords(at)} (${at.value.constraint})`,
  notes: "brokenParameter",
  cause: ({ parameter }) => (parameter.cursor === undefined ? "invalid-parameter" : "invalid-cursor"),
  probes: (at, spec) => [brokenValuesProbe(spec, at)],
  requests: (history, { operation, parameter, value, requirement }) =>
    faultyRequests(history, operation, [requirement], (entry) => hasValue(entry, parameter, value.text)),
  describe: (_, at) => valueInWords(at),
  tried: ({ parameter, value }) => `${parameter.name} ${value.constraint}`,
});

const missing = rejectionRule({
  requirement: "PARAMETER-REQUIRED",
  targets: requiredParameters,
  title: ({ operation, parameter }) => `${operation.key} without ${parameter.name} is rejected`,
  cause: "invalid-parameter",
  probes: (at) => [missingProbe(at)],
  requests(history, { operation, parameter }) {
    const isMissing = (entry: Entry) => valuesIn(entry, parameter).length === 0;
    return faultyRequests(history, operation, ["PARAMETER-REQUIRED"], isMissing);
  },
  describe: (_, { operation, parameter }) => `${operation.key} without ${parameter.name}`,
  tried: ({ parameter }) => `without ${parameter.name}`,
});

const nothingFound = historyRule({
  targets: (spec) =>
    ownParameters(spec).flatMap((at) => {
      const requirement = at.parameter.requirements["nothing-found"];
      return requirement === undefined ? [] : [{ ...at, requirement }];
    }),
  title: ({ operation, parameter }) =>
    `${operation.key} answers with an empty list for an assigned ${parameter.name} without items`,
  probes: (at) => [emptyCountriesProbe(at)],
  check(history, at) {
    const { operation, parameter } = at;
    const sent = validRequests(history, operation, (entry) =>
      EMPTY_COUNTRIES.some((code) => hasValue(entry, parameter, code)),
    );
    const twins = validRequests(history, operation, isAccepted).map(({ entry }) => entry.version);
    const underAcceptedVersions = sent.filter(({ entry }) => twins.includes(entry.version));
    const empty = underAcceptedVersions.filter(({ page }) => page?.length === 0).map(({ entry }) => entry);
    const rejected = mustBeAccepted(
      history,
      operation,
      underAcceptedVersions,
      `an assigned ${parameter.name}`,
    );
    if (rejected.outcome === "violated") return rejected;
    return judged([], empty, `every ${parameter.name} that was tried has items`);
  },
});

export const parameterRules = suiteOf(
  "limits",
  edges,
  accepted,
  broken,
  brokenParameters,
  missing,
  nothingFound,
  ...spellings,
);
