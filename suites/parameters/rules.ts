/** Rules: operations accept valid parameters, and reject faulty or missing ones (sections 4 and 8). */

import { mustBeAccepted, validRequests } from "../../history/answers/acceptances.ts";
import type { Answer } from "../../history/answers/answers.ts";
import { faultyRequests } from "../../history/answers/rejections.ts";
import { type Entry, fixtureIds, isAccepted, responseJson } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised } from "../../history/result.ts";
import { isOpen } from "../../spec/levels.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { historyRule, noteRule, rejectionRule, suiteOf } from "../shared/history-rule.ts";
import {
  brokenValuesProbe,
  edgeValuesProbe,
  emptyCountriesProbe,
  missingProbe,
  repeatedProbe,
  spellingProbe,
  validValueProbe,
} from "./probes.ts";
import {
  brokenValues,
  EMPTY_COUNTRIES,
  edgeValuesOf,
  hasValue,
  isOfRead,
  isPlainBut,
  ownParameters,
  type ParameterTarget,
  valueInWords,
  valuesIn,
} from "./targets.ts";

const edges = historyRule({
  // The effect of an optional parameter of a write is unknown.
  targets: (spec) =>
    ownParameters(spec)
      .filter((at) => at.parameter.required || isOfRead(at))
      .flatMap((at) => edgeValuesOf(spec, at)),
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
  const shown = JSON.stringify(text);
  return (
    fixtureIds(head).includes(text) ||
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
  targets(spec) {
    const versions = spec.operations.flatMap((operation) => {
      const { version, response, method } = operation;
      return version?.required && response && method === "GET"
        ? [{ operation, parameter: version, detail: version.name }]
        : [];
    });
    return [...ownParameters(spec).filter(({ parameter }) => parameter.required), ...versions];
  },
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
    const due = sent.filter(({ entry }) => twins.includes(entry.version));
    const empty = due.filter(({ page }) => page?.length === 0).map(({ entry }) => entry);
    const rejected = mustBeAccepted(history, operation, due, `an assigned ${parameter.name}`);
    if (rejected.outcome === "violated") return rejected;
    return judged([], empty, `every ${parameter.name} that was tried has items`);
  },
});

const brokenParameters = noteRule({
  notes: "brokenParameter",
  targets: (spec) => brokenValues(spec).filter(({ requirement }) => isOpen(spec, requirement)),
  title: (at) => `how ${at.operation.key} treats ${valueInWords(at)}`,
  probes: (at, spec) => [brokenValuesProbe(spec, at)],
  seen: (history, { operation, parameter, value, shown }) =>
    ordinaryAnswers(history, operation, (entry) => hasValue(entry, parameter, value.text)).map(
      ({ entry, status }) => ({
        field: parameter.name,
        tried: shown,
        answer: { status },
        shownBy: entry,
      }),
    ),
});

interface Spelling {
  behaviour: "emptyParameters" | "unusualNumbers" | "lowerCaseCodes";
  requirement: string;
  detail: string;
  words: string;
  applies(parameter: Parameter): boolean;
  texts(valid: string | undefined): string[];
  hasSpelling(text: string): boolean;
}

const UNUSUAL_NUMBERS = ["05", "+5", "1e1"];

const SPELLINGS: Spelling[] = [
  {
    requirement: "PARAMETER-SPELLING",
    behaviour: "emptyParameters",
    detail: "empty value",
    words: "with an empty value",
    applies: ({ required }) => !required,
    texts: () => [""],
    hasSpelling: (text) => text === "",
  },
  {
    requirement: "PARAMETER-SPELLING",
    behaviour: "unusualNumbers",
    detail: "unusual numbers",
    words: "with an unusual number",
    applies: ({ role }) => role === "page-size",
    texts: () => UNUSUAL_NUMBERS,
    hasSpelling: (text) => UNUSUAL_NUMBERS.includes(text),
  },
  {
    requirement: "FILTER-SPELLING",
    behaviour: "lowerCaseCodes",
    detail: "lower case",
    words: "in lower case",
    applies: ({ schema }) => schema.format === "country-code",
    texts: (valid) => (valid === undefined ? [] : [valid.toLowerCase()]),
    hasSpelling: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
  },
];

/** Returns a target for each query parameter of lists and reads that this applies to. */
function queryParameters(spec: Spec, detail: string, applies: (parameter: Parameter) => boolean) {
  return ownParameters(spec)
    .filter((at) => isOfRead(at) && at.parameter.in === "query" && applies(at.parameter))
    .map((at) => ({ ...at, detail: `${at.parameter.name} ${detail}` }));
}

const spelled = SPELLINGS.map((spelling) => {
  const { requirement, behaviour, detail, words, applies, texts, hasSpelling } = spelling;
  return noteRule({
    requirement,
    notes: behaviour,
    targets: (spec) => queryParameters(spec, detail, applies),
    title: ({ operation, parameter }) => `how ${operation.key} treats ${parameter.name} ${words}`,
    sampledGroup: ({ parameter }) => `${parameter.role ?? "filter"} ${detail}`,
    probes: (at) => [spellingProbe(behaviour, at, texts)],
    seen: (history, { operation, parameter }) =>
      ordinaryAnswers(history, operation, (entry) =>
        valuesIn(entry, parameter).some((text) => hasSpelling(text)),
      ).map(({ status, entry }) => ({
        field: parameter.name,
        tried: valuesIn(entry, parameter)[0] ?? "",
        answer: { status },
        shownBy: entry,
      })),
  });
});

const repeated = noteRule({
  requirement: "PARAMETER-SPELLING",
  notes: "repeatedParameters",
  targets: (spec) => queryParameters(spec, "repeated", ({ role }) => role === "page-size"),
  title: ({ operation, parameter }) => `how ${operation.key} treats ${parameter.name} if it is sent twice`,
  sampledGroup: ({ parameter }) => `${parameter.role ?? "filter"} repeated`,
  probes: (at) => [repeatedProbe(at)],
  seen: (history, { operation, parameter }) =>
    ordinaryAnswers(history, operation, (entry) => valuesIn(entry, parameter).length > 1).map(
      ({ status, entry, page }) => ({
        field: parameter.name,
        answer: { status, ...(isAccepted(entry) ? { items: page?.length ?? 0 } : {}) },
        shownBy: entry,
      }),
    ),
});

function ordinaryAnswers(
  history: History,
  operation: Operation,
  isMeant: (entry: Entry) => boolean,
): Answer[] {
  return history.answers.to(operation).filter(({ entry }) => history.isOrdinary(entry) && isMeant(entry));
}

const spellings = [...spelled, repeated];

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
