import type { History } from "../../history/history.ts";
import type { SeenUpdate } from "../../history/journal/updates-seen.ts";
import { notExercised } from "../../history/result.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { NoteAnswers } from "../../spec/model/note.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { typesOf } from "../../spec/schema.ts";
import { noteRule, suiteOf } from "../shared/history-rule.ts";
import { nullableFields, optionalFields, updatesOf } from "../shared/update-fields.ts";
import { walkOf } from "./probes.ts";
import { readerOf } from "./read-back.ts";

type Behaviour = "nullInUpdate" | "defaultInUpdate" | "updateMetadata";

function observationRule<P extends Behaviour>(rule: {
  behaviour: P;
  requirement: string;
  fields(spec: Spec, update: Operation): string[];
  detail(field: string): string;
  shows(update: SeenUpdate, field: string, defaultValue: unknown): boolean;
  answer(update: SeenUpdate, field: string): NoteAnswers[P];
}) {
  const seen = (history: History, operation: Operation) =>
    history.updates(operation).filter((update) => update.accepted && update.before && update.after);
  return noteRule({
    requirement: rule.requirement,
    notes: rule.behaviour,
    targets: (spec) =>
      updatesOf(spec).flatMap(({ operation }) =>
        rule.fields(spec, operation).map((field) => ({ operation, field, detail: rule.detail(field) })),
      ),
    title: ({ operation, detail }) => `how ${operation.key} treats ${detail}`,
    probes: ({ operation }) => [walkOf(operation)],
    seen(history, { operation, field }) {
      const defaultValue = history.spec.schemas.field(operation.body, field).default;
      const meant = seen(history, operation).filter((update) => rule.shows(update, field, defaultValue));
      const found = mostTelling(history, operation, field, meant);
      return found ? [{ field, answer: rule.answer(found, field), shownBy: found.entry }] : [];
    },
    unseen: (history, { operation, detail }) =>
      notExercised(
        seen(history, operation).length > 0 ? "not-sampled" : "no-data",
        `no accepted update shows the effect of ${detail}`,
      ),
  });
}

/** Prefers an update that changed the field: an earlier null may explain an unchanged value. */
function mostTelling(
  history: History,
  operation: Operation,
  field: string,
  updates: readonly SeenUpdate[],
): SeenUpdate | undefined {
  const { madeBy } = operation.pathParameter ?? {};
  const creates = madeBy === undefined ? undefined : history.creates(operationById(history.spec, madeBy));
  const isMade = (value: unknown) => creates?.accepted.some(({ made }) => sameJson(made[field], value));
  const telling = updates
    .map((update) => ({ ...update, after: tellingRead(update, field) }))
    .filter((update) => update.after && (isChanged(update, field) || !isMade(update.before?.[field])));
  return telling.find((update) => isChanged(update, field)) ?? telling[0];
}

/** Returns a read that shows the effect. Reads that contradict the answer may be late. */
function tellingRead(update: SeenUpdate, field: string): JsonObject | undefined {
  const { answer = {}, after: first, reads } = update;
  const shown = reads.length > 0 ? reads : [first ?? {}];
  const agreeing = shown.filter((read) => !(field in answer) || sameJson(read[field], answer[field]));
  return agreeing.find((after) => isChanged({ ...update, after }, field)) ?? agreeing[0];
}

/** True if the value is unlike the default, so that a reset would show. */
function isOther(value: unknown, defaultValue: unknown): boolean {
  const isEmpty = Array.isArray(value) ? value.length === 0 : value === undefined || value === null;
  return !isEmpty && !sameJson(value, defaultValue);
}

function isChanged({ before, after }: SeenUpdate, field: string): boolean {
  return !sameJson(before?.[field], after?.[field]);
}

const nullMeaning = observationRule({
  behaviour: "nullInUpdate",
  requirement: "UPDATE-NULL-MEANING",
  fields: nullableFields,
  detail: (field) => `null for ${field}`,
  shows: ({ sent, before }, field, defaultValue) =>
    sent[field] === null && isOther(before?.[field], defaultValue),
  answer(update, field) {
    if (!isChanged(update, field)) return { word: "kept" };
    const { after } = update;
    return after?.[field] === undefined ? { word: "removed" } : { shows: after[field] };
  },
});

const defaults = observationRule({
  behaviour: "defaultInUpdate",
  requirement: "UPDATE-DEFAULT",
  fields: (spec, update) =>
    optionalFields(spec, update).filter(
      (field) => spec.schemas.field(update.body, field).default !== undefined,
    ),
  detail: (field) => `${field} not sent`,
  shows: ({ sent, before }, field, defaultValue) =>
    !(field in sent) && isOther(before?.[field], defaultValue),
  answer: ({ after }, field) => ({ shows: after?.[field] }),
});

const absentKeys = observationRule({
  behaviour: "updateMetadata",
  requirement: "UPDATE-METADATA",
  fields: (spec, update) =>
    optionalFields(spec, update).filter((field) => {
      const schema = spec.schemas.field(update.body, field);
      return typesOf(schema).includes("object") && !schema.properties && !schema["x-send"]?.propertyNames;
    }),
  detail: (field) => `keys of ${field} that are not sent`,
  shows: (update, field) => isObject(update.sent[field]) && unsentKeys(update, field).length > 0,
  answer(update, field) {
    const isKept = unsentKeys(update, field).some((key) => Object.hasOwn(Object(update.after?.[field]), key));
    return { word: isKept ? "merged" : "replaced" };
  },
});

function unsentKeys({ sent, before }: SeenUpdate, field: string): string[] {
  return Object.keys(Object(before?.[field])).filter((key) => !Object.hasOwn(Object(sent[field]), key));
}

const delay = noteRule({
  requirement: "UPDATE-DELAY",
  notes: "updateDelay",
  targets: (spec) => updatesOf(spec).filter(({ operation }) => readerOf(spec, operation) !== undefined),
  title: ({ operation }) => `how long reads take to show the changes of ${operation.key}`,
  probes: ({ operation }) => [walkOf(operation)],
  seen(history, { operation }) {
    const seen = history.sightings("stored").filter(({ kind }) => kind.updates.includes(operation));
    if (seen.length === 0) return [];
    const late = seen.filter(({ standing }) => standing === "late");
    const milliseconds = Math.max(
      0,
      ...late.map(({ by, write }) => by.startedAt - (write?.startedAt ?? by.startedAt)),
    );
    return [{ answer: { milliseconds }, shownBy: late.slice(0, 1).map(({ by }) => by) }];
  },
  unseen: "no update was read again",
});

export const updateObservations = suiteOf("updates", nullMeaning, defaults, absentKeys, delay);
