import type { History } from "../../history/history.ts";
import { judged } from "../../history/result.ts";
import { type Behaviour, isNoteOf, sentenceOf } from "../../profiles/behaviour.ts";
import { behaviourOf } from "../../profiles/behaviours.ts";
import { type Profile, type Promised, promisedAround, promisedAt } from "../../profiles/promises.ts";
import { saidOf, subjectOf } from "../../profiles/prose.ts";
import { behaviourSources } from "../../profiles/sources.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { historyRule, type Rules, type RuleTarget } from "../shared/history-rule.ts";
import { callsOf, type Source } from "./probes.ts";

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
export function behaviourPromises({ promised }: Profile, checks: readonly Source[]): Rules {
  return historyRule({
    targets: (spec) =>
      promised
        .filter((promise) => promise.kind === "practice")
        .flatMap((promise) => targetsOf(spec, promise, checks)),
    title: ({ operation, statement }) => `${operation.key} keeps the promise: ${statement}`,
    stage: "finish",
    // A read-only run can judge the promise if one check only reads.
    writes: ({ sources }) => sources.every((source) => source.writes),
    probes: ({ operation, behaviour, sources }) => [callsOf(operation, behaviour.key, sources)],
    namesWhoAsked: true,
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
        "no request of this run shows whether the promise is kept",
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
