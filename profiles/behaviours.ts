import { sameJson } from "../spec/json.ts";
import { LENGTH_UNITS, type LengthUnit, type Note } from "../spec/model/note.ts";
import type { Spec } from "../spec/model/spec.ts";
import { operationWithKey } from "../spec/operations.ts";
import { prefixOf } from "../spec/path-readings.ts";
import { acceptance, agreesByStatus, type Behaviour, byWord, isAboutRequest, oneOf } from "./behaviour.ts";
import { UNIT_NAMES } from "./prose.ts";

function isUnique(note: Note, spec: Spec): boolean {
  const body = operationWithKey(spec, note.operation)?.body;
  return body !== undefined && spec.schemas.at(body, `/${note.field}`)?.["x-unique"] !== undefined;
}

const counting: Behaviour<"countsCharactersAs"> = {
  key: "countsCharactersAs",
  about: "What a length limit on a text counts.",
  fills: "CREATE-COUNTING",
  answers: Object.fromEntries(LENGTH_UNITS.map((unit) => [unit, `Length limits count ${UNIT_NAMES[unit]}.`])),
  // A text that fits in one unit also fits in units that count fewer.
  agrees: (answer, note) => {
    const accepted = agreesByStatus("accepted", note);
    const fits = LENGTH_UNITS.indexOf(answer as LengthUnit) <= LENGTH_UNITS.indexOf(note.answer.unit);
    return accepted === undefined ? undefined : fits === accepted;
  },
  // Only its characters explain the rejection of the text that is shortest in every unit.
  telling: (notes) => {
    const declined = notes.filter(
      (one) => one.answer.unit === LENGTH_UNITS.at(-1) && !agreesByStatus("accepted", one),
    );
    const fields = new Set(declined.map(({ operation, field }) => `${operation} ${field}`));
    return notes.filter(({ operation, field }) => !fields.has(`${operation} ${field}`));
  },
};

const paths: Behaviour<"paths"> = {
  key: "paths",
  about: "Which paths answer where section 9 can be read in two ways. Must fit --paths.",
  fills: "PATHS-OTHER",
  answers: {
    both: "Operations answer on the path shown and under /v1.",
    "as-shown": "Operations answer on the path shown and on no other.",
    v1: "Operations answer under /v1 and on no other path.",
  },
  // A path documented under /v1 is the same in both readings.
  concerns: (answer, { path }, spec) => answer !== "both" || prefixOf(spec, path) === "",
  agrees: (answer, note, spec) => {
    const operation = operationWithKey(spec, note.operation);
    if (!operation || paths.concerns?.(answer, operation, spec) === false) return undefined;
    return agreesByStatus(answer === "both" ? "accepted" : "rejected", note);
  },
};

const defaultVersion: Behaviour<"defaultVersion"> = {
  key: "defaultVersion",
  about: "The version that a call without Service-Version is answered as.",
  fills: "VERSION-DEFAULT",
  answers: (spec) =>
    Object.fromEntries(
      spec.versions.map((version) => [version, `Without Service-Version, ${version} answers.`]),
    ),
  agrees: (answer, note) => note.answer.all || note.answer.names.includes(answer),
};

const isActiveDefault: Behaviour<"defaultInUpdate"> = {
  key: "paymentCodeIsActiveDefault",
  noted: "defaultInUpdate",
  about: "What becomes of a payment code's isActive, which has a default, when an update does not send it.",
  fills: "UPDATE-DEFAULT",
  answers: {
    kept: "A field with a default that an update does not send keeps its value.",
    reset: "A field with a default that an update does not send is reset to the default.",
  },
  agrees: (answer, { operation, field, answer: { shows } }, spec) => {
    const body = operationWithKey(spec, operation)?.body;
    const schema = body && spec.schemas.at(body, `/${field}`);
    return (answer === "reset") === sameJson(shows, schema?.default);
  },
};

const otherCasing: Behaviour<"uniqueValuesInOtherCasing"> = {
  key: "uniqueValuesInOtherCasing",
  about: "Whether unique values that differ only in the case of letters are the same value.",
  fills: "UNIQUE-SPELLING",
  answers: {
    same: "Unique values that differ only in the case of letters are the same: the second is rejected.",
    distinct: "Unique values that differ only in the case of letters are different values.",
  },
  agrees: (answer, note) => {
    const [first, second] = note.answer.statuses;
    if (first >= 300 || ![first, second].every(isAboutRequest)) return undefined;
    return (answer === "same") === second >= 400;
  },
};

const namedOperations: Behaviour<"namedOperations"> = {
  key: "namedOperations",
  about: "Whether the operations that are only named answer (POSTs are asked with --post-named-only alone).",
  fills: "NAMED-EXISTS",
  answers: {
    answers: "Operations that are only named answer.",
    rejected: "Operations that are only named are rejected.",
  },
  agrees: agreesByStatus,
};

const idempotencyReplay: Behaviour<"idempotencyReplay"> = {
  key: "idempotencyReplay",
  about: "What the same Idempotency-Key with the same body gets again.",
  fills: "KEY-REUSE",
  from: ["KEY-REPLAY"],
  answers: {
    "same-answer": "The same Idempotency-Key and body again is answered with the same resource.",
    rejected: "The same Idempotency-Key and body again is rejected.",
  },
  agrees: agreesByStatus,
};

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

export const BEHAVIOURS: readonly Behaviour[] = [
  counting,
  acceptance("unknownBodyFields", "CREATE-UNKNOWN-FIELDS", "Body fields that are not documented"),
  acceptance<"emptyTexts">(
    "emptyTexts",
    "CREATE-EMPTY-TEXT",
    "Empty texts, where no minimum length is stated,",
    {
      // An earlier run may have taken the empty value of a unique field.
      agrees: (answer, note, spec) => (isUnique(note, spec) ? undefined : agreesByStatus(answer, note)),
    },
  ),
  acceptance(
    "awkwardValues",
    "CREATE-AWKWARD",
    "Control characters, blank names, nested metadata and the like",
    { from: ["CREATE-ECHO"] },
  ),
  acceptance(
    "unheardOfValues",
    "CREATE-OPEN-VALUES",
    "Event names, alert addresses and API versions that nobody has heard of",
  ),
  acceptance("lowerCaseCodes", "CREATE-CODE-CASE", "Currency and country codes in lower case", {
    from: ["CREATE-CODE-CASE", "FILTER-SPELLING"],
  }),
  acceptance(
    "unassignedCountries",
    "FILTER-SPELLING",
    "Country codes of two capital letters that are not assigned",
    { noted: "brokenParameter" },
  ),
  acceptance("idsInOtherCasing", "READ-SPELLING", "Known ids and codes in other casing"),
  acceptance("missingContentType", "CREATE-NO-CONTENT-TYPE", "JSON bodies without a content type"),
  acceptance("invalidUrlInUpdate", "UPDATE-URL", "URLs that are none, in updates,", { noted: "brokenField" }),
  acceptance("emptyParameters", "PARAMETER-SPELLING", "Query parameters with an empty value"),
  acceptance("unusualNumbers", "PARAMETER-SPELLING", "Limits written as 05, +5 or 1e1"),
  acceptance("repeatedParameters", "PARAMETER-SPELLING", "Query parameters that are sent twice"),
  acceptance("emptyVersion", "VERSION-SPELLING", "Calls with an empty Service-Version"),
  defaultVersion,
  paths,
  namedOperations,
  idempotencyReplay,
  acceptance(
    "keysAfterRejection",
    "KEY-REUSE",
    "Idempotency keys of a call that was rejected, used for a valid one,",
  ),
  acceptance("keysOnAnotherOperation", "KEY-REUSE", "Idempotency keys used on another operation before"),
  acceptance("keysInAnotherSpace", "KEY-REUSE", "Idempotency keys used in another space before", {
    from: ["ISOLATION-KEYS"],
  }),
  otherCasing,
  byWord(
    "updateMetadata",
    "UPDATE-METADATA",
    "What becomes of metadata keys that an update of metadata does not send.",
    {
      merged: "Keys that an update of metadata does not send are kept.",
      replaced: "Keys that an update of metadata does not send are dropped.",
    },
  ),
  oneOf("nullInUpdate", "UPDATE-NULL-MEANING", "What null means in an update, where it is allowed.", {
    kept: {
      says: "null in an update leaves the value as it is.",
      when: (seen) => "word" in seen && seen.word === "kept",
    },
    removed: {
      says: "null in an update removes the field.",
      when: (seen) => "word" in seen && seen.word === "removed",
    },
    "becomes-null": {
      says: "null in an update makes the value null.",
      when: (seen) => "shows" in seen && seen.shows === null,
    },
    "becomes-empty": {
      says: "null in an update makes the value empty.",
      when: (seen) => "shows" in seen && isEmpty(seen.shows),
    },
    "becomes-other": {
      says: "null in an update gives the value that the service chooses.",
      when: (seen) => "shows" in seen && seen.shows !== null && !isEmpty(seen.shows),
    },
  }),
  isActiveDefault,
  acceptance("changesAfterCancel", "CANCEL-AGAIN", "Changes to a payment code that is already cancelled"),
  byWord("totalElsewhere", "TOTAL-ELSEWHERE", "total on lists that don't show it.", {
    present: "Lists have a total where none is shown.",
    absent: "Lists have no total where none is shown.",
  }),
  byWord("nextWithoutCursor", "NEXT-WITHOUT-CURSOR", "next on lists that show no cursor parameter.", {
    none: "next is null on lists that show no cursor parameter.",
    cursor: "next is a cursor on lists that show no cursor parameter.",
  }),
  byWord("beforePage", "BEFORE-PAGE", "Which of the preceding items a before page holds.", {
    nearest: "A before page holds the nearest of the preceding items.",
    first: "A before page holds the first items of the list.",
  }),
  oneOf("undocumentedFields", "EXTRA-FIELDS", "Fields that are not documented.", {
    none: {
      says: "Answers hold no field that is not documented.",
      when: ({ names }) => names.length === 0,
    },
  }),
  {
    key: "deliverySignature",
    about:
      "The header of a delivery that holds the HMAC-SHA256 of its body, in lower case; none for no header.",
    fills: "DELIVERY-SIGNATURE",
    answers: {},
    pattern: "^[a-z0-9!#$%&'*+.^_`|~-]+$",
    says: (header) =>
      `The HMAC-SHA256 of a delivery's body under the webhook's secret is in ${header === "none" ? "no header" : `the header ${header}`}.`,
    words: ({ answer: { names } }: Note<"deliverySignature">) => names[0] || "none",
    agrees: (answer, { answer: { names } }: Note<"deliverySignature">) =>
      names.length === 1 && (names[0] || "none") === answer,
  } satisfies Behaviour<"deliverySignature">,
];

export function behaviourOf(key: string): Behaviour | undefined {
  return BEHAVIOURS.find((behaviour) => behaviour.key === key);
}
