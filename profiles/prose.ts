import type { LengthUnit, Note, NoteAnswers, ObservedBehaviour } from "../spec/model/note.ts";
import type { Observation } from "../spec/model/result.ts";
import { describeValue } from "../spec/schema.ts";

export const UNIT_NAMES: Readonly<Record<LengthUnit, string>> = {
  graphemes: "graphemes",
  "code-points": "code points",
  "utf-16": "UTF-16 units",
  bytes: "bytes",
};

/** Returns the note as reports have it. */
export function observationOf(note: Note): Observation {
  const { requirement, operation, behaviour, field, answer } = note;
  return {
    requirement,
    operation,
    practice: behaviour,
    ...(field === undefined ? {} : { field }),
    subject: subjectOf(note),
    value: saidOf(note),
    // A challenge means the same under any status.
    ...("status" in answer && behaviour !== "challenge" ? { status: answer.status } : {}),
  };
}

/** Returns the subject of the note in words. */
export function subjectOf(note: Note): string {
  const subject = SUBJECTS[note.behaviour] as string | ((note: Note) => string);
  return typeof subject === "string" ? subject : subject(note);
}

/** Returns the answer of the service in words. */
export function saidOf(note: Note): string {
  const value = ANSWER_WORDS[note.behaviour] as ((answer: Note["answer"]) => string) | undefined;
  return value ? value(note.answer) : answerInWords(note.answer as { status: number });
}

function answerInWords({ status }: { status: number }): string {
  return `${status < 300 ? "accepted" : "rejected"} (${status})`;
}

type Named = { field?: string; tried?: string };
const tried = ({ tried: what = "" }: Named) => what;
const spelled = ({ field = "", tried: text = "" }: Named) => `${field}=${text}`;

const SUBJECTS: { [P in ObservedBehaviour]: string | ((note: Note<P>) => string) } = {
  unknownBodyFields: "a field that is not documented",
  emptyTexts: ({ field }) => `an empty ${field}`,
  awkwardValues: tried,
  unheardOfValues: ({ field }) => `an unheard-of value in ${field}`,
  lowerCaseCodes: (note) => (note.tried === undefined ? `${note.field} in lower case` : spelled(note)),
  idsInOtherCasing: ({ field }) => `${field} in other casing`,
  missingContentType: "no content type",
  emptyParameters: spelled,
  unusualNumbers: spelled,
  repeatedParameters: ({ field }) => `${field}=1&${field}=2`,
  emptyVersion: "empty",
  keysAfterRejection: "after a rejection",
  keysOnAnotherOperation: "used on another operation",
  keysInAnotherSpace: "used in another space",
  keysInUnknownSpace: "used in an unknown space",
  changesAfterCancel: tried,
  namedOperations: "status",
  paths: tried,
  brokenParameter: spelled,
  brokenField: tried,
  countsCharactersAs: ({ field, tried: what, answer }) =>
    `${field} of ${what} (${UNIT_NAMES[answer.unit]} within the limit)`,
  rejection: tried,
  idempotencyReplay: "same key and body again",
  uniqueValuesInOtherCasing: "in other casing",
  emptyUniqueValues: "empty twice",
  longUnknownSpace: ({ tried: what }) => `an unknown space id of ${what}`,
  nullInUpdate: ({ field }) => `null for ${field}`,
  updateMetadata: ({ field }) => `keys of ${field} that are not sent`,
  defaultInUpdate: ({ field }) => `${field} not sent`,
  initialValue: ({ field = "" }) => field,
  totalElsewhere: "total",
  nextWithoutCursor: "next",
  beforePage: "items",
  callbackAddress: "callback address",
  rateLimit: "429 seen",
  challenge: "WWW-Authenticate without Authorization",
  errorBody: "form",
  updateDelay: "shown in the next read",
  defaultVersion: "answers like",
  undocumentedFields: "fields",
  unseenFields: "never seen",
  openValues: "values",
  deliveryMethod: "method",
  deliveryHeaders: "headers",
  deliveryBody: "body",
  deliverySignature: "signature",
};

export const OBSERVED_BEHAVIOURS: readonly string[] = Object.keys(SUBJECTS);

const word = (answer: { word: string }) => answer.word;
const names =
  (none: string, between = " ") =>
  ({ names: seen }: { names: readonly string[] }) =>
    seen.length > 0 ? seen.join(between) : none;

const ANSWER_WORDS: { [P in ObservedBehaviour]?: (answer: NoteAnswers[P]) => string } = {
  idsInOtherCasing: ({ status }) => (status < 300 ? "found" : `rejected (${status})`),
  paths: ({ status }) => (status < 300 ? "answers" : `rejected (${status})`),
  awkwardValues: ({ status }) => (status < 300 ? "accepted" : `declined (${status})`),
  repeatedParameters: (answer) =>
    answer.items === undefined ? answerInWords(answer) : `${answerInWords(answer)}, ${answer.items} items`,
  namedOperations: ({ status }) => (status === 501 ? "501: it does not exist" : String(status)),
  rejection: ({ status }) => String(status),
  idempotencyReplay: ({ status }) => (status < 300 ? "the same resource" : `rejected (${status})`),
  uniqueValuesInOtherCasing: ({ statuses }) => statuses.join(", then "),
  // Only the second status counts, because an earlier run may have used the value.
  emptyUniqueValues: ({ statuses: [, second] }) => `the second is ${answerInWords({ status: second })}`,
  longUnknownSpace: ({ statuses: [long, short] }) =>
    long === short ? `as a short one (${long})` : `${long}, and ${short} for a short one`,
  nullInUpdate: (answer) => {
    if ("shows" in answer) return `makes it ${describeValue(answer.shows, 40)}`;
    return answer.word === "kept" ? "keeps the value" : "removes it";
  },
  updateMetadata: (answer) => (answer.word === "merged" ? "are kept" : "are dropped"),
  defaultInUpdate: ({ shows }) => `is then ${describeValue(shows, 40)}`,
  initialValue: ({ shows }) => describeValue(shows).replace(/"[A-Z]{3}"/g, '"its currency"'),
  totalElsewhere: word,
  nextWithoutCursor: (answer) => (answer.word === "none" ? "null" : "a cursor"),
  beforePage: (answer) =>
    ({ nearest: "the nearest ones", first: "the first of the list", other: "others" })[answer.word],
  callbackAddress: word,
  rateLimit: (answer) => (answer.word === "none seen" ? "no" : answer.word),
  challenge: ({ scheme }) => scheme,
  errorBody: word,
  updateDelay: ({ milliseconds }) =>
    milliseconds === 0 ? "at once" : `within ${Math.ceil(milliseconds / 500) * 500} ms`,
  defaultVersion: (answer) => (answer.all ? "all alike" : names("none of them")(answer)),
  undocumentedFields: names("none"),
  unseenFields: names("none"),
  openValues: names("none seen"),
  deliveryMethod: names("", "; "),
  deliveryHeaders: names("", "; "),
  deliveryBody: names("", "; "),
  deliverySignature: ({ names: headers }) =>
    headers.map((name) => (name === "" ? "in no header" : `in the header ${name}`)).join("; "),
};
