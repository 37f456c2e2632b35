/**
 * Practices: ways of doing things that the specification leaves to the service and that a profile can promise. Each
 * says which observations of a run speak of it, and whether an observation agrees with a promise.
 */

import type { Operation, Spec } from "../spec/model/spec.ts";

/** What a check recorded of the service where the specification is silent. */
export interface Noted {
  requirement: string;
  /** `METHOD path`. */
  operation: string;
  subject: string;
  value: string;
}

export interface Practice {
  /** Its name in a profile. */
  key: string;
  about: string;
  /** The requirement that says what is left open. */
  fills: string;
  /** Requirements of the checks that observe it, when not that of `fills`. */
  from?: readonly string[];
  /** Of those checks, the ones that observe this and nothing else, by their ids. */
  ids?: RegExp;
  /** The answers to choose from, each with the sentence that it promises. */
  answers: Readonly<Record<string, string>> | ((spec: Spec) => Record<string, string>);
  /** For answers that are any word: their pattern, in place of `answers`, and the sentence that one promises. */
  pattern?: string;
  says?(answer: string): string;
  /** The word that an observation agrees with. */
  words?(noted: Noted): string;
  /** The subjects of the observations that speak of it. A group named `field` tells of which field. */
  subject: RegExp;
  /** Whether an observation agrees with a promised answer; undefined when it tells nothing. */
  agrees(answer: string, noted: Noted, spec: Spec): boolean | undefined;
  /** Whether an answer promises anything at all of an operation; it does when left out. */
  concerns?(answer: string, operation: Operation, spec: Spec): boolean;
  /** Leaves out observations that tell nothing in the light of others. */
  telling?(noted: readonly Noted[]): Noted[];
}

/** A server error is no answer to anything, and a finding of its own. */
const SERVER_ERROR = /^5\d\d$|\(5\d\d\)/;

/** Whether something is taken or refused, as the answer promises. */
function taken(answer: string, { value }: Noted): boolean | undefined {
  if (SERVER_ERROR.test(value)) return undefined;
  return (answer === "accepted") === /^(accepted|found|answers)\b/.test(value);
}

/** Whether an observation is about a body field whose values are unique. */
function isUnique(noted: Noted, spec: Spec): boolean {
  const body = spec.operations.find(({ key }) => key === noted.operation)?.body;
  const name = noted.subject.split(" ").at(-1) ?? "";
  return body !== undefined && spec.schemas.at(body, `/${name}`)?.["x-unique"] !== undefined;
}

function acceptance(
  key: string,
  fills: string,
  thing: string,
  subject: RegExp,
  more: Partial<Practice> = {},
): Practice {
  return {
    key,
    about: `${thing.replace(/,$/, "")}: accepted or rejected.`,
    fills,
    subject,
    answers: { accepted: `${thing} are accepted.`, rejected: `${thing} are rejected.` },
    agrees: taken,
    ...more,
  };
}

/** A practice whose answers each fit certain observed values. */
function spoken(
  key: string,
  fills: string,
  about: string,
  subject: RegExp,
  answers: Record<string, { says: string; seen: RegExp }>,
  more: Partial<Practice> = {},
): Practice {
  return {
    key,
    about,
    fills,
    subject,
    answers: Object.fromEntries(Object.entries(answers).map(([word, { says }]) => [word, says])),
    agrees: (answer, { value }) =>
      SERVER_ERROR.test(value) ? undefined : (answers[answer]?.seen.test(value) ?? false),
    ...more,
  };
}

/** Units of length, from the one that counts fewest to the one that counts most; as observations name them. */
const UNITS = {
  graphemes: "graphemes",
  "code-points": "code points",
  "utf-16": "UTF-16 units",
  bytes: "bytes",
};
const UNIT_NAMES = Object.keys(UNITS);
const COUNTED = /^(?<field>\S+) of \d+ .+ \((?<unit>.+) within the limit\)$/;

function unitRank(noted: Noted): number {
  return Object.values(UNITS).indexOf(COUNTED.exec(noted.subject)?.groups?.unit ?? "");
}

const counting: Practice = {
  key: "countsCharactersAs",
  about: "What a length limit on a text counts.",
  fills: "CREATE-COUNTING",
  subject: COUNTED,
  answers: Object.fromEntries(
    Object.entries(UNITS).map(([word, name]) => [word, `Length limits count ${name}.`]),
  ),
  // A text that fits by one unit fits by every unit that counts fewer.
  agrees: (answer, noted) => {
    const accepted = taken("accepted", noted);
    return accepted === undefined ? undefined : UNIT_NAMES.indexOf(answer) <= unitRank(noted) === accepted;
  },
  // Where not even the shortest is taken, such characters are declined whatever their number.
  telling: (noted) => {
    const declined = noted.filter(
      (one) => unitRank(one) === UNIT_NAMES.length - 1 && !taken("accepted", one),
    );
    const fields = new Set(declined.map((one) => `${one.operation} ${fieldOf(counting, one)}`));
    return noted.filter((one) => !fields.has(`${one.operation} ${fieldOf(counting, one)}`));
  },
};

function isUnder(path: string, prefix: string): boolean {
  return prefix !== "" && path.startsWith(`${prefix}/`);
}

const paths: Practice = {
  key: "paths",
  about: "Which paths answer where section 9 can be read in two ways. Must fit --paths.",
  fills: "PATHS-OTHER",
  subject: /^\//,
  answers: {
    both: "Operations answer on the path shown and under /v1.",
    "as-shown": "Operations answer on the path shown and on no other.",
    v1: "Operations answer under /v1 and on no other path.",
  },
  // A path shown under /v1 is the same in both readings: that it answers without is no part of either.
  concerns: (answer, { path }, spec) =>
    answer !== "both" || !Object.values(spec.pathReadings).some(({ prefix }) => isUnder(path, prefix)),
  agrees: (answer, noted, spec) => {
    const operation = spec.operations.find(({ key }) => key === noted.operation);
    if (!operation || paths.concerns?.(answer, operation, spec) === false) return undefined;
    return taken(answer === "both" ? "accepted" : "rejected", noted);
  },
};

const defaultVersion: Practice = {
  key: "defaultVersion",
  about: "The version that a call without Service-Version is answered as.",
  fills: "VERSION-DEFAULT",
  subject: /^answers like$/,
  answers: (spec) =>
    Object.fromEntries(
      spec.versions.map((version) => [version, `Without Service-Version, ${version} answers.`]),
    ),
  agrees: (answer, { value }) => value === "all alike" || value.split(" ").includes(answer),
};

const isActiveDefault: Practice = {
  key: "paymentCodeIsActiveDefault",
  about: "What becomes of a payment code's isActive, which has a default, when an update does not send it.",
  fills: "UPDATE-DEFAULT",
  subject: /^(?<field>\S+) not sent$/,
  answers: {
    kept: "A field with a default that an update does not send keeps its value.",
    reset: "A field with a default that an update does not send is reset to the default.",
  },
  agrees: (answer, { operation, subject, value }, spec) => {
    const body = spec.operations.find(({ key }) => key === operation)?.body;
    const schema = body && spec.schemas.at(body, `/${subject.split(" ")[0]}`);
    return (answer === "reset") === (value === `is then ${JSON.stringify(schema?.default)}`);
  },
};

const otherCasing: Practice = {
  key: "uniqueValuesInOtherCasing",
  about: "Whether unique values that differ only in the case of letters are the same value.",
  fills: "UNIQUE-SPELLING",
  ids: /in other casing$/,
  subject: /^in other casing$/,
  answers: {
    same: "Unique values that differ only in the case of letters are the same: the second is rejected.",
    distinct: "Unique values that differ only in the case of letters are different values.",
  },
  agrees: (answer, { value }) => {
    const [first, second] = value.split(", then ").map(Number);
    if (first === undefined || second === undefined || first >= 300 || second >= 500) return undefined;
    return (answer === "same") === second >= 400;
  },
};

/** Every practice that a profile can promise. */
export const PRACTICES: readonly Practice[] = [
  counting,
  acceptance(
    "unknownBodyFields",
    "CREATE-UNKNOWN-FIELDS",
    "Body fields that are not documented",
    /^a field that is not documented$/,
  ),
  acceptance(
    "emptyTexts",
    "CREATE-EMPTY-TEXT",
    "Empty texts, where no minimum length is stated,",
    /^an empty (?<field>.+)$/,
    {
      // Where values are unique, a second empty one is rejected for that.
      agrees: (answer, noted, spec) => (isUnique(noted, spec) ? undefined : taken(answer, noted)),
    },
  ),
  acceptance(
    "awkwardValues",
    "CREATE-AWKWARD",
    "Control characters, blank names, nested metadata and the like",
    /^(?<field>[^:]+): /,
    { ids: / declinable /, from: ["CREATE-ECHO"] },
  ),
  acceptance(
    "unheardOfValues",
    "CREATE-OPEN-VALUES",
    "Event names, alert addresses and API versions that nobody has heard of",
    /^an unheard-of value in (?<field>.+)$/,
    { ids: /an unheard-of value in/ },
  ),
  acceptance(
    "lowerCaseCodes",
    "CREATE-CODE-CASE",
    "Currency and country codes in lower case",
    /^(?<field>\w+)(?: in lower case|=[a-z]{2})$/,
    { ids: /lower case$/, from: ["CREATE-CODE-CASE", "FILTER-SPELLING"] },
  ),
  acceptance(
    "unassignedCountries",
    "FILTER-SPELLING",
    "Country codes of two capital letters that are not assigned",
    /^(?<field>\w+)=[A-Z]{2}$/,
    { ids: /^(?!.*lower case$)/ },
  ),
  acceptance(
    "idsInOtherCasing",
    "READ-SPELLING",
    "Known ids and codes in other casing",
    /^(?<field>.+) in other casing$/,
  ),
  acceptance(
    "missingContentType",
    "CREATE-NO-CONTENT-TYPE",
    "JSON bodies without a content type",
    /^no content type$/,
  ),
  acceptance("invalidUrlInUpdate", "UPDATE-URL", "URLs that are none, in updates,", /^(?<field>[^:]+): /),
  acceptance(
    "emptyParameters",
    "PARAMETER-SPELLING",
    "Query parameters with an empty value",
    /^(?<field>[^=&]+)=$/,
    { ids: /empty value$/ },
  ),
  acceptance(
    "unusualNumbers",
    "PARAMETER-SPELLING",
    "Limits written as 05, +5 or 1e1",
    /^(?<field>[^=&]+)=(?:0\d+|\+\d+|\d+e\d+)$/,
    { ids: /unusual numbers$/ },
  ),
  acceptance(
    "repeatedParameters",
    "PARAMETER-SPELLING",
    "Query parameters that are sent twice",
    /^(?<field>[^=&]+)=\d+&\k<field>=\d+$/,
    { ids: /repeated$/ },
  ),
  acceptance("emptyVersion", "VERSION-SPELLING", "Calls with an empty Service-Version", /^empty$/),
  defaultVersion,
  paths,
  spoken(
    "namedOperations",
    "NAMED-EXISTS",
    "Whether the operations that are only named answer (POSTs are asked with --post-named-only alone).",
    /^status$/,
    {
      answers: { says: "Operations that are only named answer.", seen: /^2/ },
      rejected: { says: "Operations that are only named are rejected.", seen: /^4/ },
    },
  ),
  spoken(
    "idempotencyReplay",
    "KEY-REUSE",
    "What the same Idempotency-Key with the same body gets again.",
    /^same key and body again$/,
    {
      "same-answer": {
        says: "The same Idempotency-Key and body again is answered with the same resource.",
        seen: /^the same resource$/,
      },
      rejected: {
        says: "The same Idempotency-Key and body again is rejected.",
        seen: /^rejected\b/,
      },
    },
    { from: ["KEY-REPLAY"] },
  ),
  acceptance(
    "keysAfterRejection",
    "KEY-REUSE",
    "Idempotency keys of a call that was rejected, used for a valid one,",
    /^after a rejection$/,
    { ids: /after a rejection$/ },
  ),
  acceptance(
    "keysOnAnotherOperation",
    "KEY-REUSE",
    "Idempotency keys used on another operation before",
    /^used on another operation$/,
    { ids: /used on another operation$/ },
  ),
  acceptance(
    "keysInAnotherSpace",
    "KEY-REUSE",
    "Idempotency keys used in another space before",
    /^used in another space$/,
    { from: ["ISOLATION-KEYS"] },
  ),
  otherCasing,
  spoken(
    "updateMetadata",
    "UPDATE-METADATA",
    "What becomes of metadata keys that an update of metadata does not send.",
    /^keys of (?<field>.+) that are not sent$/,
    {
      merged: { says: "Keys that an update of metadata does not send are kept.", seen: /^are kept$/ },
      replaced: { says: "Keys that an update of metadata does not send are dropped.", seen: /^are dropped$/ },
    },
  ),
  spoken(
    "nullInUpdate",
    "UPDATE-NULL-MEANING",
    "What null means in an update, where it is allowed.",
    /^null for (?<field>.+)$/,
    {
      kept: { says: "null in an update leaves the value as it is.", seen: /^keeps the value$/ },
      removed: { says: "null in an update removes the field.", seen: /^removes it$/ },
      "becomes-null": { says: "null in an update makes the value null.", seen: /^makes it null$/ },
      "becomes-empty": {
        says: "null in an update makes the value empty.",
        seen: /^makes it (?:array \[\]|object \{\}|"")$/,
      },
      "becomes-other": {
        says: "null in an update gives the value that the service chooses.",
        seen: /^makes it (?!null$|array \[\]$|object \{\}$|""$)/,
      },
    },
  ),
  isActiveDefault,
  acceptance(
    "changesAfterCancel",
    "CANCEL-AGAIN",
    "Changes to a payment code that is already cancelled",
    /^(?:status|other) /,
  ),
  spoken("totalElsewhere", "TOTAL-ELSEWHERE", "total on lists that don't show it.", /^total$/, {
    present: { says: "Lists have a total where none is shown.", seen: /^present$/ },
    absent: { says: "Lists have no total where none is shown.", seen: /^absent$/ },
  }),
  spoken(
    "nextWithoutCursor",
    "NEXT-WITHOUT-CURSOR",
    "next on lists that show no cursor parameter.",
    /^next$/,
    {
      none: { says: "next is null on lists that show no cursor parameter.", seen: /^null$/ },
      cursor: { says: "next is a cursor on lists that show no cursor parameter.", seen: /^a cursor$/ },
    },
  ),
  spoken("beforePage", "BEFORE-PAGE", "Which of the preceding items a before page holds.", /^items$/, {
    nearest: { says: "A before page holds the nearest of the preceding items.", seen: /^the nearest ones$/ },
    first: { says: "A before page holds the first items of the list.", seen: /^the first of the list$/ },
  }),
  spoken("undocumentedFields", "EXTRA-FIELDS", "Fields that are not documented.", /^fields$/, {
    none: { says: "Answers hold no field that is not documented.", seen: /^none$/ },
  }),
  {
    key: "deliverySignature",
    about:
      "The header of a delivery that holds the HMAC-SHA256 of its body, in lower case; none for no header.",
    fills: "DELIVERY-SIGNATURE",
    subject: /^signature$/,
    answers: {},
    pattern: "^[a-z0-9!#$%&'*+.^_`|~-]+$",
    says: (header) =>
      `The HMAC-SHA256 of a delivery's body under the webhook's secret is in ${header === "none" ? "no header" : `the header ${header}`}.`,
    words: ({ value }) => /^in the header (.+)$/.exec(value)?.[1] ?? "none",
    agrees: (answer, { value }) => value === (answer === "none" ? "in no header" : `in the header ${answer}`),
  },
];

/** The practice of a name. */
export function practiceOf(key: string): Practice | undefined {
  return PRACTICES.find((practice) => practice.key === key);
}

/** The answers that can be promised of a practice, each with its sentence. */
export function answersOf(practice: Practice, spec: Spec): Record<string, string> {
  return typeof practice.answers === "function" ? practice.answers(spec) : practice.answers;
}

/** The sentence that an answer promises. */
export function sentenceOf(practice: Practice, answer: string, spec: Spec): string {
  return practice.says?.(answer) ?? answersOf(practice, spec)[answer] ?? answer;
}

/** Whether an observation speaks of a practice. */
export function speaksOf(practice: Practice, noted: Noted): boolean {
  const from = practice.from ?? [practice.fills];
  return (
    (noted.requirement === practice.fills || from.includes(noted.requirement)) &&
    practice.subject.test(noted.subject)
  );
}

/** Of which field an observation tells, where it tells of one. */
export function fieldOf(practice: Practice, noted: Noted): string | undefined {
  return practice.subject.exec(noted.subject)?.groups?.field;
}

/** Whether a check, of an id and requirements, observes a practice. */
export function isObservedBy(
  practice: Practice,
  check: { id: string; requirements: readonly string[] },
): boolean {
  const from = practice.from ?? [practice.fills];
  return check.requirements.some((id) => from.includes(id)) && (practice.ids?.test(check.id) ?? true);
}
