import { statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, wrongStatus } from "../../history/result.ts";
import { type Behaviour, isAboutRequest, isNoteOf, sentenceOf } from "../../profiles/behaviour.ts";
import { behaviourOf } from "../../profiles/behaviours.ts";
import {
  openFields,
  type Profile,
  type Promised,
  promisedAround,
  promisedAt,
  REJECTION_CAUSES,
} from "../../profiles/promises.ts";
import { saidOf, subjectOf } from "../../profiles/prose.ts";
import { behaviourSources, errorSources, rejectionSources } from "../../profiles/sources.ts";
import { promiseCheck } from "../../profiles/watch-answers.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { judgeRule } from "../responses/judging.ts";
import { sampleOf } from "../responses/probes.ts";
import { historyRule, ifNotExercised, type Rules, type RuleTarget, suiteOf } from "../shared/history-rule.ts";
import { callsOf, type Source } from "./probes.ts";

/** Returns the rules of a profile. `checks` are those whose requests show if it is kept. */
export function profileRules(profile: Profile, checks: readonly Source[]) {
  const kinds = [behaviourPromises, rejectionPromises, answerPromises];
  return suiteOf("profile", ...kinds.map((promises) => promises(profile, checks)));
}

const common = { stage: "finish", namesWhoAsked: true } as const;

/** A read-only run can judge the promise if one check only reads. */
const allWrite = (sources: readonly Source[]) => sources.every((source) => source.writes);
const NOTHING_SHOWN = "no request of this run shows whether the promise is kept";

/** Returns the rule that rejections have the statuses that the profile promises. */
function rejectionPromises({ promised }: Profile, checks: readonly Source[]): Rules {
  return historyRule({
    targets: ({ operations }) =>
      promised
        .filter((promise) => promise.kind === "rejection")
        .flatMap((promise) =>
          operations.flatMap((operation) => {
            const allowed = promisedAt(promise.statuses, operation.key);
            const sources = rejectionSources(checks, promise.cause, operation);
            if (!allowed || sources.length === 0) return [];
            return [{ operation, requirement: promise.id, promise, allowed, sources }];
          }),
        ),
    title: ({ operation, promise, allowed }) =>
      `${operation.key} keeps the promise: ${REJECTION_CAUSES[promise.cause]} is rejected with ${allowed.join(" or ")}.`,
    ...common,
    writes: ({ sources }) => allWrite(sources),
    probes: ({ operation, promise, sources }) => [callsOf(operation, promise.cause, sources)],
    check(history, { promise, allowed, sources }) {
      const seen = sources
        // If the valid twin was rejected, too, the fault may not be the reason.
        .filter((source) => source.verdict(history).outcome !== "not-exercised")
        .flatMap((source) => source.observed(history))
        .filter(({ by }) => isAboutRequest(statusOf(by) ?? 0));
      const what = REJECTION_CAUSES[promise.cause];
      const expected = `status ${allowed.join(" or ")} to ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
      return judged(
        seen
          .filter(({ by }) => !allowed.includes(statusOf(by) ?? 0))
          .map(({ by, note }) => ({
            ...wrongStatus(expected, by),
            actual: `status ${statusOf(by)} (${subjectOf(note)})`,
          })),
        seen.map(({ by }) => by),
        NOTHING_SHOWN,
      );
    },
  });
}

/** Returns the rule that error answers have the type, body and challenge that the profile promises. */
function answerPromises({ promised }: Profile, checks: readonly Source[]): Rules {
  return historyRule({
    targets: (spec) =>
      promised
        .filter((promise) => promise.kind !== "rejection" && promise.kind !== "practice")
        .flatMap((promise) =>
          spec.operations
            .filter(
              ({ key }) =>
                promise.kind !== "values" || openFields(spec).get(promise.field)?.operations.includes(key),
            )
            .map((operation) => ({ operation, promise, requirement: promise.id })),
        ),
    title: ({ operation, promise }) => `${operation.key} keeps the promise: ${promise.statement}`,
    ...common,
    probes: ({ operation, promise }) =>
      promise.kind === "values" ? [] : [callsOf(operation, "errors", errorSources(checks, operation))],
    followUp: ifNotExercised(({ operation, promise }) =>
      promise.kind === "values" ? sampleOf(operation) : undefined,
    ),
    writes: ({ operation, promise }) =>
      promise.kind === "values" ? operation.method !== "GET" : allWrite(errorSources(checks, operation)),
    check: (history, { operation, promise }) =>
      judgeRule(history, operation, promiseCheck(history.spec, promise)),
  });
}

interface PracticeTarget extends RuleTarget {
  promise: Extract<Promised, { kind: "practice" }>;
  behaviour: Behaviour;
  sources: readonly Source[];
  statement: string;
}

/** Returns a target for each operation that the promise concerns and whose checks observe the behaviour. */
function targetsOf(
  spec: Spec,
  promise: PracticeTarget["promise"],
  checks: readonly Source[],
): PracticeTarget[] {
  const behaviour = behaviourOf(promise.practice);
  if (!behaviour) return [];
  return spec.operations.flatMap((operation) => {
    const sources = behaviourSources(checks, behaviour, operation);
    const answers = [...new Set(promisedAround(promise.answers, operation.key))];
    const isConcerned = answers.some((answer) => behaviour.concerns?.(answer, operation, spec) ?? true);
    if (sources.length === 0 || !isConcerned) return [];
    const statement = answers.map((answer) => sentenceOf(behaviour, answer, spec)).join(" ");
    return [{ operation, requirement: promise.id, promise, behaviour, sources, statement }];
  });
}

/** Rules: the service behaves as its profile promises. */
function behaviourPromises({ promised }: Profile, checks: readonly Source[]): Rules {
  return historyRule({
    targets: (spec) =>
      promised
        .filter((promise) => promise.kind === "practice")
        .flatMap((promise) => targetsOf(spec, promise, checks)),
    title: ({ operation, statement }) => `${operation.key} keeps the promise: ${statement}`,
    ...common,
    writes: ({ sources }) => allWrite(sources),
    probes: ({ operation, behaviour, sources }) => [callsOf(operation, behaviour.key, sources)],
    check(history, at) {
      const { behaviour } = at;
      const compared = promisedNotes(history, at).map((each) => ({
        ...each,
        agrees: behaviour.agrees(each.answer, each.note, history.spec),
      }));
      return judged(
        compared
          .filter(({ agrees }) => agrees === false)
          .map(({ note, shownBy, answer }) => ({
            certainty: "suspected",
            expected: `"${sentenceOf(behaviour, answer, history.spec)}"`,
            actual: `${subjectOf(note)}: ${saidOf(note)}`,
            shownBy,
          })),
        compared.filter(({ agrees }) => agrees).flatMap(({ shownBy }) => shownBy.map(({ entry }) => entry)),
        NOTHING_SHOWN,
      );
    },
  });
}

/** Returns the telling observations of the promised behaviour, each with the promised answer. */
function promisedNotes(history: History, { operation, promise, behaviour, sources }: PracticeTarget) {
  const noted = sources
    .flatMap((source) => notesOf(history, source))
    .filter(({ note }) => note.operation === operation.key && isNoteOf(behaviour, note))
    .flatMap((each) => {
      const answer = promisedAt(promise.answers, operation.key, each.note.field);
      return answer === undefined ? [] : [{ ...each, answer }];
    });
  const notes = noted.map(({ note }) => note);
  const telling = new Set(behaviour.telling?.(notes) ?? notes);
  return noted.filter(({ note }) => telling.has(note));
}

/** Returns the notes of a check, each with the entries that show it. */
function notesOf(history: History, source: Source) {
  const result = source.verdict(history);
  const { notes, evidence } = result.outcome === "noted" ? result : { notes: [], evidence: [] };
  const shownBy = evidence.map((entry) => ({ entry }));
  return [
    ...notes.map((note) => ({ note, shownBy })),
    ...source.observed(history).map(({ note, by }) => ({
      note,
      shownBy: [{ entry: by, offending: "status" }],
    })),
  ];
}
