/**
 * The faults and habits of the clinic service. A fault breaks one sentence of its specification. A habit is
 * unusual, but breaks none.
 */

import type { Departure } from "./clinic-service.ts";
import * as at from "./clinic-service.ts";

export interface Fault extends Departure {
  /** Requirements of which the suite must find at least one violated. */
  readonly breaks: readonly string[];
  /** Operations at which a finding of these requirements counts as the fault. */
  readonly at: readonly string[];
}

type Lax = NonNullable<Departure["lax"]>;
type Store = NonNullable<Departure["store"]>;

/**
 * For each keyword of a schema, the end of the requirement's id that breaks if bodies may violate the
 * keyword.
 */
const BREAKS: Record<string, string> = {
  required: "REQUIRED",
  type: "TYPE",
  null: "NULL NULL-OPTIONAL",
  minLength: "TOO-SHORT",
  maxLength: "TOO-LONG",
  minItems: "TOO-FEW",
  maxItems: "TOO-MANY",
  maxProperties: "TOO-MANY",
};
const isUpdate = (operation: string) => /^(PUT|PATCH)/.test(operation);
const prefix = (operation: string) => (isUpdate(operation) ? "UPDATE" : "CREATE");

function lax(...[operation, path, keyword]: Lax): Fault {
  const kinds = `${BREAKS[keyword] ?? "INVALID"} INVALID`.split(" ");
  return {
    name: `lax ${operation} ${path} ${keyword}`,
    breaks: kinds.map((kind) => `${prefix(operation)}-${kind}`),
    at: [operation],
    lax: [operation, path, keyword],
  };
}

function stored(name: string, ...store: Store): Fault {
  const [operation] = store;
  const breaks = isUpdate(operation) ? ["UPDATE-ECHO", "UPDATE-STORED"] : ["CREATE-ECHO", "UPDATE-ECHO"];
  return { name, breaks, at: [operation], store };
}

function shown(name: string, breaks: string, ...show: NonNullable<Departure["show"]>): Fault {
  return { name, breaks: breaks.split(" "), at: [show[0]], show };
}

function fault(name: string, breaks: string, ...places: string[]): Fault {
  return { name, breaks: breaks.split(" "), at: places };
}

const gone = () => undefined;
const text = (value: unknown) => String(value);
const { CREATE_PATIENT, REPLACE_PATIENT, CREATE_VISIT, AMEND_VISIT, CLOSE_VISIT, CREATE_DOSE } = at;
const { LIST_PATIENTS, GET_PATIENT, LIST_VISITS, GET_VISIT, LIST_DOSES, GET_DOSE, LIST_DRUGS, GET_DRUG } = at;

export const FAULTS: readonly Fault[] = [
  // The service does not keep a rule of bodies: one fault for each keyword and depth.
  lax(CREATE_PATIENT, "name", "maxLength"),
  lax(CREATE_PATIENT, "name", "minLength"),
  lax(CREATE_PATIENT, "species", "enum"),
  lax(CREATE_PATIENT, "chip", "pattern"),
  lax(CREATE_PATIENT, "file", "format"),
  lax(CREATE_PATIENT, "born", "format"),
  lax(CREATE_PATIENT, "weight", "exclusiveMinimum"),
  lax(CREATE_PATIENT, "weight", "multipleOf"),
  lax(CREATE_PATIENT, "insured", "null"),
  lax(CREATE_PATIENT, "owner/name", "required"),
  lax(CREATE_PATIENT, "owner/mail", "format"),
  lax(CREATE_PATIENT, "owner/site", "format"),
  lax(CREATE_PATIENT, "owner/phones", "maxItems"),
  lax(CREATE_PATIENT, "owner/phones/*/kind", "enum"),
  lax(CREATE_PATIENT, "owner/phones/*/number", "pattern"),
  lax(CREATE_PATIENT, "owner/address", "additionalProperties"),
  lax(CREATE_PATIENT, "owner/address/zip", "pattern"),
  lax(CREATE_PATIENT, "owner/address/floor", "minimum"),
  lax(CREATE_PATIENT, "vaccinations/*/on", "format"),
  lax(CREATE_PATIENT, "vaccinations/*/batch/lot", "required"),
  lax(CREATE_PATIENT, "vaccinations/*/batch/dose", "maximum"),
  lax(CREATE_PATIENT, "allergies", "uniqueItems"),
  lax(CREATE_PATIENT, "allergies/*", "maxLength"),
  lax(CREATE_PATIENT, "habitat/kind", "const"),
  lax(CREATE_PATIENT, "habitat.indoor/rooms", "maximum"),
  lax(CREATE_PATIENT, "habitat.outdoor/area", "required"),
  lax(CREATE_PATIENT, "habitat.outdoor/fenced", "type"),
  lax(CREATE_PATIENT, "notes", "propertyNames"),
  lax(CREATE_PATIENT, "notes", "maxProperties"),
  lax(CREATE_PATIENT, "notes/*", "maxLength"),
  lax(CREATE_PATIENT, "limits/*", "maximum"),
  lax(CREATE_PATIENT, "limits/*", "type"),
  lax(REPLACE_PATIENT, "weight", "exclusiveMaximum"),
  lax(REPLACE_PATIENT, "owner", "required"),
  lax(REPLACE_PATIENT, "owner/phones/*/number", "required"),
  lax(REPLACE_PATIENT, "vaccinations", "maxItems"),
  lax(REPLACE_PATIENT, "habitat.indoor/rooms", "type"),
  lax(REPLACE_PATIENT, "notes/*", "type"),
  lax(CREATE_VISIT, "planned", "format"),
  lax(CREATE_VISIT, "steps", "minItems"),
  lax(CREATE_VISIT, "steps/*/parts/*/share", "multipleOf"),
  lax(CREATE_VISIT, "steps/*/parts/*/code", "pattern"),
  lax(CREATE_VISIT, "fee/currency", "enum"),
  lax(CREATE_VISIT, "flags/*", "type"),
  lax(AMEND_VISIT, "steps/*/no", "minimum"),
  lax(AMEND_VISIT, "steps/*/parts", "maxItems"),
  lax(AMEND_VISIT, "fee/discount", "exclusiveMaximum"),
  lax(AMEND_VISIT, "fee/amount", "required"),
  lax(AMEND_VISIT, "flags", "propertyNames"),
  lax(AMEND_VISIT, "vet", "format"),
  lax(CLOSE_VISIT, "outcome", "enum"),
  lax(CLOSE_VISIT, "outcome", "required"),
  lax(CLOSE_VISIT, "remark", "maxLength"),
  lax(CREATE_DOSE, "amount", "exclusiveMinimum"),
  lax(CREATE_DOSE, "every.days/n", "maximum"),
  lax(CREATE_DOSE, "every.days/weekdays", "uniqueItems"),
  lax(CREATE_DOSE, "every/unit", "const"),
  lax(CREATE_DOSE, "hints", "maxProperties"),
  lax(CREATE_DOSE, "hints/*", "type"),
  fault("numbers as text are taken for weights", "CREATE-TYPE UPDATE-TYPE", CREATE_PATIENT, REPLACE_PATIENT),
  fault("an amendment may be plain text", "UPDATE-TEXT-PLAIN", AMEND_VISIT),
  fault("a list is an amendment", "UPDATE-NOT-OBJECT", AMEND_VISIT),

  // The service loses or alters a sent value at one place.
  stored("the second phone is lost", CREATE_PATIENT, "owner/phones/1", gone),
  stored("a floor of 0 or less is lost", CREATE_PATIENT, "owner/address/floor", (value) =>
    Number(value) <= 0 ? undefined : value,
  ),
  stored("a batch loses its dose", CREATE_PATIENT, "vaccinations/*/batch/dose", gone),
  stored(
    "weights are rounded to halves",
    CREATE_PATIENT,
    "weight",
    (value) => Math.round(Number(value) * 2) / 2,
  ),
  stored("notes are trimmed to 40 characters", CREATE_PATIENT, "notes/*", (value) =>
    text(value).slice(0, 40),
  ),
  stored("an area is a whole number", CREATE_PATIENT, "habitat/area", (value) => Math.ceil(Number(value))),
  stored("an unfenced area is fenced", CREATE_PATIENT, "habitat/fenced", () => true),
  stored("a limit of 0 is lost", CREATE_PATIENT, "limits/*", (value) => (value === 0 ? undefined : value)),
  stored("insured=false is true", CREATE_PATIENT, "insured", () => true),
  stored("replaced vaccinations lose their batch", REPLACE_PATIENT, "vaccinations/*/batch", gone),
  stored("a replaced address loses its floor", REPLACE_PATIENT, "owner/address/floor", gone),
  stored("steps lose their parts when amended", AMEND_VISIT, "steps/*/parts", gone),
  stored("flags are true when amended", AMEND_VISIT, "flags/*", () => true),
  stored("an amended discount of null is lost", AMEND_VISIT, "fee/discount", (value) =>
    value === null ? 0 : value,
  ),
  stored(
    "the share of a part is halved",
    CREATE_VISIT,
    "steps/*/parts/*/share",
    (value) => Number(value) / 2,
  ),
  stored("weekdays are lost", CREATE_DOSE, "every/weekdays", gone),
  stored("a hint of null is an empty text", CREATE_DOSE, "hints/*", (value) => value ?? ""),
  stored("the remark of a closing is lost", CLOSE_VISIT, "remark", () => null),
  fault("a replaced habitat is not stored", "UPDATE-STORED", REPLACE_PATIENT),
  fault("an amended flag is not stored", "UPDATE-STORED", AMEND_VISIT),
  fault("patients are not insured by default", "CREATE-DEFAULT", CREATE_PATIENT),
  fault("visits are not fasting by default", "CREATE-DEFAULT", CREATE_VISIT),

  // An update changes values that it must leave alone.
  fault("a replacement frees the chip", "UPDATE-IDENTITY UPDATE-KEEPS", REPLACE_PATIENT),
  fault("a replacement registers anew", "UPDATE-IDENTITY", REPLACE_PATIENT),
  fault("an amendment resets fasting", "UPDATE-KEEPS", AMEND_VISIT),
  fault("an amendment drops the vet", "UPDATE-KEEPS", AMEND_VISIT),
  fault("an amendment drops the steps", "UPDATE-KEEPS", AMEND_VISIT),
  fault("an amendment drops the discount of the fee", "UPDATE-KEEPS", AMEND_VISIT),
  fault("an amendment opens the visit anew", "UPDATE-IDENTITY", AMEND_VISIT),
  fault("an empty amendment is refused", "UPDATE-EMPTY UPDATE-ACCEPTED", AMEND_VISIT),
  fault("null for the vet is refused", "UPDATE-NULL-ACCEPTED", AMEND_VISIT),
  fault("phones of a replacement are added to the old ones", "UPDATE-STORED", REPLACE_PATIENT),

  // Faults of filters, pages and cursors.
  fault("a species is ignored beside insured", "FILTER-SOUND", LIST_PATIENTS),
  fault("insured=false is ignored", "FILTER-SOUND", LIST_PATIENTS),
  fault("owners are found by a part of the name", "FILTER-SOUND", LIST_PATIENTS),
  fault("a filter by insured finds all but the last", "FILTER-COMPLETE", LIST_PATIENTS),
  fault("any species may be asked for", "FILTER-ENUM", LIST_PATIENTS),
  fault("a page has nine patients by default", "LIST-LIMIT-DEFAULT", LIST_PATIENTS),
  fault("a page from a patient begins with it", "ITEM-CURSOR-AFTER CURSOR-ONCE", LIST_PATIENTS),
  fault("a page until a patient ends with it", "ITEM-CURSOR-BEFORE", LIST_PATIENTS),
  fault("until wins over from", "ITEM-CURSOR-PRECEDENCE", LIST_PATIENTS),
  fault(
    "every page after the first leaves out a patient",
    "CURSOR-COMPLETE ITEM-CURSOR-AFTER LIST-TOTAL-EXACT",
    LIST_PATIENTS,
  ),
  fault("the last page names a next one", "CURSOR-END LIST-FULL-PAGES", LIST_PATIENTS),
  fault("the total is that of the page", "LIST-TOTAL LIST-TOTAL-EXACT", LIST_PATIENTS),
  fault("the total of the second practice is counted in", "LIST-TOTAL-EXACT", LIST_PATIENTS),
  fault("the count of patients is the total", "LIST-COUNT", LIST_PATIENTS),
  fault("the state is no filter of visits", "FILTER-SOUND", LIST_VISITS),
  fault("a page of visits is as large as is asked for", "LIST-LIMIT-REJECTED LIST-PAGE-MAXIMUM", LIST_VISITS),
  fault("each page of visits repeats one", "CURSOR-ONCE", LIST_VISITS),
  fault("the count of visits is one more on later pages", "LIST-COUNT", LIST_VISITS),
  fault("a patient lists the visits of all", "FILTER-SOUND ISOLATION-LISTS", LIST_VISITS),
  fault("a patient with one visit lists none", "CREATE-LISTED", CREATE_VISIT),
  fault("each page of doses leaves out one", "CURSOR-COMPLETE", LIST_DOSES),
  fault("marks of doses are too long", "CURSOR-FORM", LIST_DOSES),
  fault("unknown marks begin anew", "CURSOR-UNKNOWN", LIST_DOSES),
  fault("a page of twenty doses is refused", "LIST-LIMIT-ACCEPTED", LIST_DOSES),
  fault("a visit lists the doses of all visits of the patient", "FILTER-SOUND", LIST_DOSES),
  fault("the newest dose is not listed", "CREATE-LISTED", CREATE_DOSE),
  fault("a group of drugs has others too", "FILTER-SOUND", LIST_DRUGS),

  // Faults of idempotency keys and of unique values.
  fault("a key of doses is not kept", "KEY-REPLAY", CREATE_DOSE),
  fault("keys of any length make doses", "KEY-TOO-LONG", CREATE_DOSE),
  fault("short keys make patients", "KEY-EMPTY PARAMETER-INVALID KEY-TOO-LONG", CREATE_PATIENT),
  fault("a key takes another body", "KEY-OTHER-BODY", CREATE_PATIENT),
  fault("the casing of keys is ignored", "KEY-DISTINCT", CREATE_PATIENT, CREATE_DOSE),
  fault(
    "keys are cut at 16 characters",
    "KEY-DISTINCT CREATE-ACCEPTED CREATE-EDGES",
    CREATE_PATIENT,
    CREATE_DOSE,
  ),
  fault("keys are shared by practices", "ISOLATION-KEYS", CREATE_PATIENT, CREATE_DOSE),
  fault("a chip may be used twice", "UNIQUE-REJECTED", CREATE_PATIENT),
  fault("a chip is taken in all practices", "UNIQUE-PER-SPACE", CREATE_PATIENT),
  fault("a label is unique for its visit alone", "UNIQUE-REJECTED", CREATE_DOSE),

  // Faults of practices (the spaces of this API), parent resources, tokens and versions.
  fault("a patient of another practice is read by its chip", "ISOLATION-READS", GET_PATIENT),
  fault("a patient of another practice is replaced", "ISOLATION-WRITES", REPLACE_PATIENT),
  fault("visits of all practices are amended", "ISOLATION-WRITES UPDATE-UNKNOWN READ-UNKNOWN", AMEND_VISIT),
  fault(
    "patients of all practices are listed under a species",
    "ISOLATION-LISTS LIST-SHOWS-ALL",
    LIST_PATIENTS,
  ),
  fault(
    "any practice name will do for a dose",
    "SPACE-MISSING SPACE-PATTERN ISOLATION-UNKNOWN-SPACE",
    GET_DOSE,
  ),
  fault("a visit is read with any patient", "READ-UNKNOWN", GET_VISIT),
  fault("a visit is amended with any patient", "UPDATE-UNKNOWN READ-UNKNOWN", AMEND_VISIT),
  fault("a visit is closed with any patient", "UPDATE-UNKNOWN READ-UNKNOWN", CLOSE_VISIT),
  fault("doses are listed with any patient", "READ-UNKNOWN", LIST_DOSES),
  fault("a dose is read with any patient", "READ-UNKNOWN", GET_DOSE),
  fault("a dose is read with any visit", "READ-UNKNOWN", GET_DOSE),
  fault("a dose is given with any patient", "READ-UNKNOWN", CREATE_DOSE),
  fault("a visit is made for a patient that is not there", "READ-UNKNOWN", CREATE_VISIT),
  fault("a drug is read by the beginning of its code", "READ-UNKNOWN", GET_DRUG),
  fault("a visit is closed without a token", "AUTH-MISSING", CLOSE_VISIT),
  fault("drugs are shown to any token", "AUTH-UNKNOWN-TOKEN", GET_DRUG),
  fault("a token may be cut short for doses", "AUTH-ALTERED-TOKEN", GET_DOSE),
  fault("tokens of patients have any casing", "AUTH-ALTERED-TOKEN", REPLACE_PATIENT),
  fault("basic credentials list doses", "AUTH-OTHER-SCHEME", LIST_DOSES),
  fault("any release is taken for a close", "VERSION-UNKNOWN", CLOSE_VISIT),
  fault("spring-24 is refused when amending", "VERSION-ACCEPTED", AMEND_VISIT),
  fault("a visit of autumn-25 lacks its fee", "VERSION-FIELDS READ-MATCHES-LIST CREATE-ECHO", GET_VISIT),
  fault("a weight is text in lists of autumn-25", "RESOURCE-FIELDS VERSION-VALUES", LIST_PATIENTS),
  fault("autumn-25 lists no closed visits", "VERSION-MEMBERS FILTER-COMPLETE", LIST_VISITS),

  // Faults in the form of answers.
  fault("a new dose is answered 201", "STATUS-200", CREATE_DOSE),
  fault("a closed visit is in data", "RESOURCE-PRESENT RESOURCE-FIELDS", CLOSE_VISIT),
  fault("a dose has a pagination", "RESOURCE-FIELDS", GET_DOSE),
  fault("a list of doses has no trace", "RESOURCE-PRESENT", LIST_DOSES),
  fault("drugs have a count of text", "RESOURCE-FIELDS LIST-COUNT", LIST_DRUGS),
  fault("a visit is text/html", "JSON-CONTENT-TYPE", GET_VISIT),
  shown("a fee is text in lists", "RESOURCE-FIELDS", LIST_VISITS, "*/fee/amount", text),
  shown("a batch has a dose of text", "RESOURCE-FIELDS", GET_PATIENT, "vaccinations/*/batch/dose", text),
  shown(
    "a habitat has no kind",
    "RESOURCE-FIELDS RESOURCE-PRESENT READ-MATCHES-LIST CREATE-ECHO",
    GET_PATIENT,
    "habitat/kind",
    gone,
  ),
  shown(
    "a limit is a fraction",
    "RESOURCE-FIELDS",
    REPLACE_PATIENT,
    "limits/*",
    (value) => Number(value) + 0.5,
  ),
  shown(
    "an amended share is no eighth",
    "RESOURCE-FIELDS",
    AMEND_VISIT,
    "steps/*/parts/*/share",
    (value) => Number(value) / 3 + 0.01,
  ),
  shown("a dose is given at no time", "RESOURCE-FIELDS", CREATE_DOSE, "given", () => "yesterday"),
  shown("a drug has no maker's name", "RESOURCE-PRESENT", GET_DRUG, "maker/name", gone),
  shown(
    "a read dose has another amount",
    "READ-MATCHES-LIST CREATE-ECHO",
    GET_DOSE,
    "amount",
    (value) => Number(value) / 2 + 0.5,
  ),
  {
    ...shown("listed patients have one phone", "READ-MATCHES-LIST", LIST_PATIENTS, "*/owner/phones/1", gone),
    at: [LIST_PATIENTS, GET_PATIENT],
  },

  // Faults that only a sequence of requests shows.
  fault(
    "the species of a replaced patient is not filed",
    "FILTER-SOUND FILTER-COMPLETE UPDATE-STORED",
    LIST_PATIENTS,
    REPLACE_PATIENT,
  ),
  fault(
    "a patient read by its chip is as it was at first",
    "READ-MATCHES-LIST UPDATE-STORED",
    GET_PATIENT,
    REPLACE_PATIENT,
  ),
  fault("a second replacement keeps the name of the first", "UPDATE-STORED", REPLACE_PATIENT),
  fault(
    "a replacement is stored for the patient before too",
    "UPDATE-KEEPS-REST UPDATE-KEEPS READ-STABLE",
    REPLACE_PATIENT,
  ),
  fault(
    "a replaced patient loses its first visit",
    "CREATE-LISTED",
    CREATE_VISIT,
    REPLACE_PATIENT,
    LIST_VISITS,
  ),
  fault("a rejected replacement drops the notes", "UPDATE-NO-EFFECT", REPLACE_PATIENT),
  fault("a rejected amendment stores its valid part", "UPDATE-NO-EFFECT", AMEND_VISIT),
  fault("a second amendment undoes the first", "UPDATE-KEEPS UPDATE-STORED", AMEND_VISIT),
  fault(
    "an amendment is stored for all visits of the patient",
    "UPDATE-KEEPS-REST UPDATE-KEEPS",
    AMEND_VISIT,
  ),
  fault("a visit is read as it was one amendment ago", "UPDATE-STORED", AMEND_VISIT, GET_VISIT),
  fault("an amendment opens a closed visit", "UPDATE-KEEPS UPDATE-KEEPS-REST", AMEND_VISIT),
  fault(
    "closing drops the fee",
    "CREATE-ECHO READ-MATCHES-LIST READ-STABLE",
    CREATE_VISIT,
    GET_VISIT,
    CLOSE_VISIT,
  ),
  fault(
    "closing cuts the reason",
    "CREATE-ECHO READ-MATCHES-LIST READ-STABLE",
    CREATE_VISIT,
    GET_VISIT,
    CLOSE_VISIT,
  ),
  fault(
    "closing closes all visits of the patient",
    "UPDATE-KEEPS-REST CREATE-ECHO READ-STABLE",
    AMEND_VISIT,
    GET_VISIT,
    CREATE_VISIT,
    CLOSE_VISIT,
  ),
  fault("a closing is not stored", "CREATE-ECHO UPDATE-STORED READ-MATCHES-LIST", CLOSE_VISIT),
  fault("closing makes another visit", "UPDATE-IDENTITY READ-MATCHES-LIST CREATE-ECHO", CLOSE_VISIT),
  fault(
    "a closed visit is not listed",
    "CREATE-LISTED FILTER-COMPLETE LIST-SHOWS-ALL",
    CREATE_VISIT,
    LIST_VISITS,
    CLOSE_VISIT,
  ),
  fault("a third visit replaces the first", "CREATE-LISTED READ-ACCEPTED", CREATE_VISIT),
  fault("a visit empties the notes of the patient", "CREATE-ECHO READ-STABLE", CREATE_PATIENT, GET_PATIENT),
  fault(
    "a visit resets the insurance of the patient",
    "CREATE-ECHO READ-STABLE",
    CREATE_PATIENT,
    GET_PATIENT,
  ),
  fault("a dose changes the fee of its visit", "CREATE-ECHO READ-STABLE", CREATE_VISIT, GET_VISIT),
  fault("a dose takes the amount of the one before", "CREATE-ECHO", CREATE_DOSE),
  fault("a dose halves the one before", "UPDATE-KEEPS UPDATE-KEEPS-REST CREATE-ECHO", CREATE_DOSE),
  fault(
    "a new patient takes over the notes of the one before",
    "CREATE-ECHO READ-STABLE READ-MATCHES-LIST",
    CREATE_PATIENT,
    GET_PATIENT,
  ),
  fault(
    "a replay brings back the first state",
    "KEY-REPLAY UPDATE-KEEPS UPDATE-STORED READ-STABLE",
    CREATE_PATIENT,
    CREATE_DOSE,
    REPLACE_PATIENT,
    GET_PATIENT,
  ),
  fault("a replay is listed once more", "LIST-IDS-UNIQUE", LIST_PATIENTS),
  fault("a key is known until the next one", "KEY-REPLAY", CREATE_PATIENT, CREATE_DOSE),
  fault("a label is free after three others", "UNIQUE-REJECTED", CREATE_DOSE),
  fault("reading a patient drops its last note", "READ-STABLE", GET_PATIENT),
];

/** Unusual behaviour that no sentence of the specification forbids. */
export const HABITS: readonly Departure[] = [
  "ids are numbers in text",
  "ids are long",
  "rejections are text",
  "rejections are empty",
  "all rejections are 400",
  "rejections are 403 and 410",
  "more fields are shown",
  "the last of repeated parameters wins",
  "an empty page ends a list",
  "lists are late",
  "patients are sorted by name",
  "the newest come first",
  "visits are sorted differently",
  "numbers are written as 12.0",
  "a slash at the end is ignored",
  "answers are chunked",
  "thirty resources are allowed",
  "every 150th call has to wait",
  "a closed visit is not closed again",
  "closing takes the vet off",
  "closing ends the fast and empties the flags",
  "a replacement loses what the body does not take",
  "a replacement keeps what is not sent",
  "a replacement loses the birthday",
].map((name) => ({ name }));
