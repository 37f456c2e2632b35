import type { Answer } from "../../history/answers/answers.ts";
import { type Entry, isAccepted } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { isOpen } from "../../spec/levels.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { noteRule } from "../shared/note-rule.ts";
import { brokenValuesProbe, repeatedProbe, spellingProbe } from "./probes.ts";
import { brokenValues, hasValue, isOfRead, ownParameters, valueInWords, valuesIn } from "./targets.ts";

export const brokenParameters = noteRule({
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

export const spellings = [...spelled, repeated];
