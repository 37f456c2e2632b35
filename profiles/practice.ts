/**
 * What a practice is: a way of doing things that the specification leaves to the service and that a profile can
 * promise. It says which notes of a run speak of it, and whether a note agrees with a promise.
 */

import type { CheckFacts } from "../spec/model/check.ts";
import type { Note, NotedPractice } from "../spec/model/note.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";

export interface Practice<P extends NotedPractice = NotedPractice> {
  /** Its name in a profile. */
  key: string;
  about: string;
  /** The requirement that says what is left open. */
  fills: string;
  /** Requirements of the checks that note it, when not that of `fills`. */
  from?: readonly string[];
  /** Its name in notes. */
  noted: P;
  /** The answers to choose from, each with the sentence that it promises. */
  answers: Readonly<Record<string, string>> | ((spec: Spec) => Record<string, string>);
  /** For answers that are any word: their pattern, in place of `answers`, and the sentence that one promises. */
  pattern?: string;
  says?(answer: string): string;
  /** The word that a note agrees with. */
  words?(note: Note<P>): string;
  /** Whether a note agrees with a promised answer; undefined when it tells nothing. */
  agrees(answer: string, note: Note<P>, spec: Spec): boolean | undefined;
  /** Whether an answer promises anything at all of an operation; it does when left out. */
  concerns?(answer: string, operation: Operation, spec: Spec): boolean;
  /** Leaves out notes that tell nothing in the light of others. */
  telling?(notes: readonly Note<P>[]): readonly Note<P>[];
}

/** Practices whose notes say how a call was answered. */
type Taken = {
  [P in NotedPractice]: Note<P>["answer"] extends { status: number } ? P : never;
}[NotedPractice];

/** Whether something is taken or refused, as the answer promises. A server error is no answer, and a finding of its own. */
export function takenAs(answer: string, { answer: { status } }: Note<Taken>): boolean | undefined {
  return status >= 500 ? undefined : (answer === "accepted") === status < 300;
}

/** A practice of taking something or refusing it. */
export function acceptance<P extends Taken>(
  key: string,
  fills: string,
  thing: string,
  more: Partial<Practice<P>> & { noted?: P } = {},
): Practice<P> {
  return {
    key,
    noted: key as P,
    about: `${thing.replace(/,$/, "")}: accepted or rejected.`,
    fills,
    answers: { accepted: `${thing} are accepted.`, rejected: `${thing} are rejected.` },
    agrees: (answer, note) => takenAs(answer, note as Note<Taken>),
    ...more,
  };
}

/** A practice whose answers each fit certain notes. */
export function oneOf<P extends NotedPractice>(
  noted: P,
  fills: string,
  about: string,
  answers: Record<string, { says: string; when: (answer: Note<P>["answer"]) => boolean }>,
  more: Partial<Practice<P>> = {},
): Practice<P> {
  return {
    key: noted,
    noted,
    about,
    fills,
    answers: Object.fromEntries(Object.entries(answers).map(([word, { says }]) => [word, says])),
    agrees: (answer, note) => answers[answer]?.when(note.answer) ?? false,
    ...more,
  };
}

/** The answers that can be promised of a practice, each with its sentence. */
export function answersOf(practice: Practice, spec: Spec): Record<string, string> {
  return typeof practice.answers === "function" ? practice.answers(spec) : practice.answers;
}

/** The sentence that an answer promises. */
export function sentenceOf(practice: Practice, answer: string, spec: Spec): string {
  return practice.says?.(answer) ?? answersOf(practice, spec)[answer] ?? answer;
}

/** Whether a note speaks of a practice. */
export function speaksOf(practice: Practice, note: Note): boolean {
  return (
    note.practice === practice.noted &&
    (note.requirement === practice.fills || practice.from?.includes(note.requirement) === true)
  );
}

/** Whether a check notes a practice. */
export function isNotedBy(practice: Practice, check: CheckFacts): boolean {
  const from = practice.from ?? [practice.fills];
  return check.notes === practice.noted && check.requirements.some((id) => from.includes(id));
}
