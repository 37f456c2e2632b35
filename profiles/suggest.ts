import { stringify } from "yaml";
import type { Check } from "../client/check.ts";
import type { ObservedNote } from "../client/target.ts";
import { groupedBy } from "../spec/grouped.ts";
import { sameJson } from "../spec/json.ts";
import type { Note } from "../spec/model/note.ts";
import type { SkipReason } from "../spec/model/result.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { answersOf, type Behaviour, isAboutRequest, isNoteOf } from "./behaviour.ts";
import { BEHAVIOURS } from "./behaviours.ts";
import { openFields, REJECTION_CAUSES, type RejectionCause } from "./promises.ts";
import { type SeenValues, singleOrAll } from "./seen-values.ts";
import { behaviourSources, rejectionSources } from "./sources.ts";

export interface Known {
  spec: Spec;
  checks: readonly Check[];
  seenValues: SeenValues;
  observed(check: Check): { skipped?: SkipReason; seen: readonly ObservedNote[] } | undefined;
  /** True if the service rejects valid requests, so the statuses prove nothing. */
  isDeclining(operation: Operation): boolean;
  service: string;
  whole: boolean;
}

type Suggestion = { value: unknown } | { unclear: string };

/** Promises only what every probe confirms. All else is in a comment. */
export function suggestProfile(known: Known): string {
  const { spec } = known;
  return [
    HEADER,
    ...(known.whole ? [] : [PARTIAL]),
    `name: Suggested profile`,
    `# vendor: Who makes the promises.`,
    stringify({ service: known.service }).trimEnd(),
    `# spec: "${spec.sha256.slice(0, 16)}" # refuses any other edition of the specification`,
    "",
    groupAsYaml("rejections", "Status codes by what is wrong with a call.", rejectionEntries(known)),
    groupAsYaml("errorBody", "What every 4xx answer holds.", errorBody(known)),
    entryAsYaml(challengeEntry(known)),
    "",
    groupAsYaml(
      "values",
      "All values of enumerations that the specification leaves open, not only those seen in one run.",
      openValues(known),
    ),
    ...BEHAVIOURS.map((each) =>
      [
        entryAsYaml({ key: each.key, about: aboutOf(each, spec), suggestion: suggestedAnswers(known, each) }),
        "",
      ].join("\n"),
    ),
  ].join("\n");
}

function rejectionEntries(known: Known): Entry[] {
  return Object.entries(REJECTION_CAUSES).map(([cause, about]) => ({
    key: cause,
    about,
    suggestion: suggestedStatuses(known, cause as RejectionCause),
  }));
}

/** Returns the suggested lines on error bodies: their media types and their schema. */
function errorBody({ seenValues }: Known): Entry[] {
  const types = seenValues.errorTypes();
  const schema = seenValues.errorSchema();
  return [
    {
      key: "contentType",
      about: "Media types, without parameters.",
      suggestion: types ? { value: singleOrAll(types) } : { unclear: "not every error had one" },
    },
    {
      key: "schema",
      about: "A JSON Schema that every body is valid against.",
      suggestion: schema ? { value: schema } : { unclear: "not every error body was JSON" },
    },
  ];
}

function challengeEntry({ seenValues }: Known): Entry {
  const scheme = seenValues.challenge();
  return {
    key: "challenge",
    about: "The scheme of WWW-Authenticate on every 401; none for no such header.",
    suggestion: scheme ? { value: scheme } : { unclear: "no 401 was seen, or they differed" },
  };
}

function openValues({ spec, seenValues }: Known): Entry[] {
  return [...openFields(spec).values()].map(({ field, schema }) => {
    const values = seenValues.values(schema);
    // One run can't show that no other values exist.
    const seen = values ? `seen: ${JSON.stringify(values)}; list all that there are` : "none was seen";
    return { key: field, about: "", suggestion: { unclear: seen } };
  });
}

const HEADER = `# yaml-language-server: $schema=./node_modules/payments-conformance/profiles/profile.schema.json
# What this service promises where the specification is silent, as far as every probe of one run at depth full
# confirms it. Correct what is not meant, take out what is not promised, and sign it off: what is left is a MUST of
# every run with --profile.
#
# A value may be a map from operations to values, for operations that differ; patterns such as "POST *" fit several,
# and the longest that fits counts. Where a field matters, it may follow: "POST /webhooks name".
`;

const PARTIAL = `# The run left checks out: a whole run sees more, and may see that less can be promised.
`;

interface Entry {
  key: string;
  about: string;
  suggestion: Suggestion;
}

function entryAsYaml({ key, about, suggestion }: Entry): string {
  const comment = about === "" ? [] : about.split("\n").map((line) => `# ${line}`);
  if ("unclear" in suggestion) return [...comment, `# ${key}: (${suggestion.unclear})`].join("\n");
  return [...comment, stringify({ [key]: suggestion.value }, { lineWidth: 110 }).trimEnd()].join("\n");
}

function groupAsYaml(key: string, about: string, entries: Entry[]): string {
  const heading = entries.some(({ suggestion }) => "value" in suggestion) ? `${key}:` : `# ${key}:`;
  const lines = entries.flatMap((entry) => entryAsYaml(entry).split("\n")).map((line) => `  ${line}`);
  return [`# ${about}`, heading, ...lines, ""].join("\n");
}

function aboutOf(each: Behaviour, spec: Spec): string {
  const answers = answersOf(each, spec);
  const meanings = each.pattern === undefined && !("accepted" in answers) ? Object.entries(answers) : [];
  return [each.about, ...meanings.map(([word, sentence]) => `  ${word}: ${sentence}`)].join("\n");
}

/** Reasons why every run with these settings skips a check. */
const NOT_OFFERED: ReadonlySet<SkipReason> = new Set([
  "no-fixture",
  "no-second-space",
  "no-callback",
  "read-only",
  "not-shown",
]);

/** Returns the observations of the checks at the operation, or `undefined` if a check has none. */
function confirmedNotes(
  known: Known,
  operation: Operation,
  sources: readonly Check[],
): ObservedNote[] | undefined {
  const seen: ObservedNote[] = [];
  for (const source of sources) {
    const observed = known.observed(source);
    if (observed?.skipped !== undefined && NOT_OFFERED.has(observed.skipped)) continue;
    if (!observed || observed.skipped !== undefined) return undefined;
    seen.push(...observed.seen);
  }
  if (known.isDeclining(operation) && seen.some(hasStatus)) return undefined;
  return seen;
}

function hasStatus({ note: { answer } }: ObservedNote): boolean {
  return "status" in answer;
}

/** Suggests the statuses of rejections for this cause, one for all operations or one for each. */
function suggestedStatuses(known: Known, cause: RejectionCause): Suggestion {
  const places = new Map<string, unknown>();
  let everywhere = true;
  for (const operation of known.spec.operations) {
    const sources = rejectionSources(known.checks, cause, operation);
    if (sources.length === 0) continue;
    const statuses = statusesOf(confirmedNotes(known, operation, sources) ?? []);
    if (statuses === undefined) everywhere = false;
    else places.set(operation.key, singleOrAll(statuses));
  }
  return withMostFrequent(places, everywhere, "not seen, not rejected, or not always in the same way");
}

/** Returns the statuses of the rejections, or `undefined` without any, or if one probe got several. */
function statusesOf(seen: readonly ObservedNote[]): number[] | undefined {
  const byProbe = new Map<string | undefined, number>();
  for (const { note } of seen) {
    if (note.behaviour !== "rejection") continue;
    const { status } = note.answer;
    if (status < 500 && !isAboutRequest(status)) continue;
    if (status < 400 || status >= 500 || (byProbe.get(note.tried) ?? status) !== status) return undefined;
    byProbe.set(note.tried, status);
  }
  const statuses = [...new Set(byProbe.values())].sort((a, b) => a - b);
  return statuses.length === 0 ? undefined : statuses;
}

/** Suggests the answers of this behaviour, for each field apart if the fields of an operation differ. */
function suggestedAnswers(known: Known, each: Behaviour): Suggestion {
  const places = new Map<string, unknown>();
  let everywhere = true;
  for (const operation of known.spec.operations) {
    const sources = behaviourSources(known.checks, each, operation);
    if (sources.length === 0) continue;
    const byField = notesByField(each, confirmedNotes(known, operation, sources) ?? []);
    const answers = new Map<string | undefined, string>();
    for (const [field, notes] of byField) {
      const answer = answerOf(each, notes, known.spec);
      if (answer !== undefined) answers.set(field, answer);
    }
    const [first] = answers.values();
    const alike = answers.size === byField.size && [...answers.values()].every((one) => one === first);
    if (alike && first !== undefined) places.set(operation.key, first);
    else {
      everywhere = false;
      for (const [field, answer] of answers)
        places.set(field === undefined ? operation.key : `${operation.key} ${field}`, answer);
    }
  }
  return withMostFrequent(places, everywhere, "not seen, or not always in the same way");
}

function notesByField(each: Behaviour, seen: readonly ObservedNote[]): Map<string | undefined, Note[]> {
  const notes = seen.map(({ note }) => note).filter((note) => isNoteOf(each, note));
  return groupedBy(each.telling?.(notes) ?? notes, ({ field }) => field);
}

function answerOf(each: Behaviour, notes: readonly Note[], spec: Spec): string | undefined {
  const fitting = possibleAnswers(each, notes, spec).filter((answer) => {
    const agreements = notes.map((single) => each.agrees(answer, single, spec));
    return agreements.includes(true) && !agreements.includes(false);
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}

function possibleAnswers(each: Behaviour, notes: readonly Note[], spec: Spec): string[] {
  return each.words
    ? [...new Set(notes.map((single) => each.words?.(single) ?? ""))]
    : Object.keys(answersOf(each, spec));
}

/** Puts the most frequent value under `*`, and other values at their places. */
function withMostFrequent(
  places: ReadonlyMap<string, unknown>,
  everywhere: boolean,
  unclear: string,
): Suggestion {
  const values = [...places.values()];
  const [first] = values;
  if (first === undefined) return { unclear };
  if (!everywhere) return { value: Object.fromEntries(places) };
  const counted = values.map((value) => values.filter((other) => sameJson(value, other)).length);
  const mostCommon = values[counted.indexOf(Math.max(...counted))];
  const others = [...places].filter(([, value]) => !sameJson(value, mostCommon));
  return { value: others.length === 0 ? mostCommon : Object.fromEntries([["*", mostCommon], ...others]) };
}
