/** Behaviour that the specification leaves open and a profile can promise. */

import type { CheckFacts } from "../spec/model/check.ts";
import type { Note, ObservedBehaviour } from "../spec/model/note.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";

export interface Behaviour<P extends ObservedBehaviour = ObservedBehaviour> {
  key: string;
  about: string;
  fills: string;
  from?: readonly string[];
  /** Default: `key`. */
  noted?: P;
  answers: Readonly<Record<string, string>> | ((spec: Spec) => Record<string, string>);
  /** A profile may promise any text that fits this pattern. */
  pattern?: string;
  says?(answer: string): string;
  words?(note: Note<P>): string;
  /** Returns false if the note contradicts the answer, undefined if it says nothing. */
  agrees(answer: string, note: Note<P>, spec: Spec): boolean | undefined;
  /** Default: always. */
  concerns?(answer: string, operation: Operation, spec: Spec): boolean;
  /** Leaves out notes that are no evidence, given the other notes. */
  telling?(notes: readonly Note<P>[]): readonly Note<P>[];
}

type Taken = {
  [P in ObservedBehaviour]: Note<P>["answer"] extends { status: number } ? P : never;
}[ObservedBehaviour];

/** False for a 408, 429 or server error, which says nothing about the request. */
export function isAboutRequest(status: number): boolean {
  return status >= 200 && status < 500 && status !== 408 && status !== 429;
}

/** True if the status keeps the promise, undefined if it is about something else, such as the token. */
export function agreesByStatus(answer: string, { answer: { status } }: Note<Taken>): boolean | undefined {
  return isAboutRequest(status) ? (answer !== "rejected") === status < 300 : undefined;
}

/** Returns a behaviour whose answers are accepted and rejected. The thing is a plural that begins the sentences. */
export function acceptance<P extends Taken>(
  key: string,
  fills: string,
  thing: string,
  more: Partial<Behaviour<P>> = {},
): Behaviour<P> {
  return {
    key,
    about: `${thing.replace(/,$/, "")}: accepted or rejected.`,
    fills,
    answers: { accepted: `${thing} are accepted.`, rejected: `${thing} are rejected.` },
    agrees: (answer, note) => agreesByStatus(answer, note as Note<Taken>),
    ...more,
  };
}

type InWords = {
  [P in ObservedBehaviour]: Note<P>["answer"] extends { word: string } ? P : never;
}[ObservedBehaviour];

/** Returns a behaviour whose answers are the words of its notes, each with its sentence. */
export function byWord<P extends InWords>(
  noted: P,
  fills: string,
  about: string,
  answers: Record<string, string>,
): Behaviour<P> {
  const recognised = Object.entries(answers).map(([word, says]) => {
    const when = (answer: Note<P>["answer"]) => (answer as Note<InWords>["answer"]).word === word;
    return [word, { says, when }] as const;
  });
  return oneOf(noted, fills, about, Object.fromEntries(recognised));
}

/** Returns a behaviour with these answers, each with the words for it and the test that recognises it in a note. */
export function oneOf<P extends ObservedBehaviour>(
  noted: P,
  fills: string,
  about: string,
  answers: Record<string, { says: string; when: (answer: Note<P>["answer"]) => boolean }>,
): Behaviour<P> {
  return {
    key: noted,
    about,
    fills,
    answers: Object.fromEntries(Object.entries(answers).map(([word, { says }]) => [word, says])),
    agrees: (answer, note) => answers[answer]?.when(note.answer) ?? false,
  };
}

/** Returns the answers that can be promised, with their sentences. */
export function answersOf(behaviour: Behaviour, spec: Spec): Record<string, string> {
  return typeof behaviour.answers === "function" ? behaviour.answers(spec) : behaviour.answers;
}

/** Returns the promise in words. */
export function sentenceOf(behaviour: Behaviour, answer: string, spec: Spec): string {
  return behaviour.says?.(answer) ?? answersOf(behaviour, spec)[answer] ?? answer;
}

function notedBy({ key, noted = key as ObservedBehaviour }: Behaviour): ObservedBehaviour {
  return noted;
}

/** True if the note describes the behaviour of the service. */
export function isNoteOf(behaviour: Behaviour, note: Note): boolean {
  return (
    note.behaviour === notedBy(behaviour) &&
    (note.requirement === behaviour.fills || behaviour.from?.includes(note.requirement) === true)
  );
}

export function isNotedBy(behaviour: Behaviour, check: CheckFacts): boolean {
  const from = behaviour.from ?? [behaviour.fills];
  return check.notes === notedBy(behaviour) && check.requirements.some((id) => from.includes(id));
}
