/** What null, defaults and absent keys mean in updates: the specification does not say, so it is recorded. */

import { Untestable } from "../client/check.ts";
import { isAccepted } from "../client/target.ts";
import type { Note, NoteAnswers } from "../spec/model/note.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";
import { readerOf } from "../trials/read-back.ts";
import { judges, suiteOf } from "../trials/rule.ts";
import { acceptedStep, type Step } from "../trials/update.ts";
import {
  fullUpdates,
  NULLS,
  nullableFields,
  optionalFields,
  singleUpdates,
} from "../trials/update-series.ts";
import { updatesOf } from "../trials/updating.ts";

interface NotePlace {
  operation: Operation;
  detail: string;
  name: string;
}

function note<P extends "nullInUpdate" | "defaultInUpdate" | "updateMetadata">(
  practice: P,
  requirement: string,
  over: (spec: Spec, operation: Operation) => Omit<NotePlace, "operation">[],
  tell: (steps: Step[], name: string) => NoteAnswers[P],
) {
  return judges({
    requirement,
    notes: practice,
    over: (spec) =>
      updatesOf(spec).flatMap(({ operation }) =>
        over(spec, operation).map((each) => ({ operation, ...each })),
      ),
    title: ({ operation, detail }) => `what ${operation.key} makes of ${detail}`,
    versions: "one",
    draw: "single updates",
    story: singleUpdates,
    look(steps, { operation, name }, call) {
      const { target } = call;
      const answer = tell(steps, name);
      target.note({ requirement, operation: operation.key, practice, field: name, answer } as Note);
    },
  });
}

/** A field before a step and after it. Throws Untestable where nothing shows it. */
function aroundStep({ before, after, unread }: Step, name: string): [before: unknown, after: unknown] {
  if (!before || !after) throw unread ?? new Untestable("not-shown", "nothing shows it before and after");
  return [before.resource[name], after.resource[name]];
}

const nullMeaning = note(
  "nullInUpdate",
  "UPDATE-NULL-MEANING",
  (spec, operation) => nullableFields(spec, operation).map((name) => ({ detail: `null for ${name}`, name })),
  (steps, name) => {
    const together = steps.find(({ what, answer }) => what === NULLS && isAccepted(answer));
    const [before, now] = aroundStep(together ?? acceptedStep(steps, `${NULLS} ${name}`), name);
    if (JSON.stringify(before) === JSON.stringify(now)) return { word: "kept" };
    return now === undefined ? { word: "removed" } : { shows: now };
  },
);

const defaults = note(
  "defaultInUpdate",
  "UPDATE-DEFAULT",
  (spec, operation) =>
    optionalFields(spec, operation)
      .filter((name) => spec.schemas.at(operation.body ?? {}, `/${name}`)?.default !== undefined)
      .map((name) => ({ detail: `${name} not sent`, name })),
  (steps, name) => {
    const step = steps.find(
      ({ what, answer, sent }) => what !== NULLS && !(name in sent) && isAccepted(answer),
    );
    if (!step) throw new Untestable("no-data", `nothing was sent without ${name}`);
    return { shows: aroundStep(step, name)[1] };
  },
);

const absentKeys = note(
  "updateMetadata",
  "UPDATE-METADATA",
  (spec, operation) =>
    optionalFields(spec, operation)
      .filter((name) => {
        const schema = spec.schemas.at(operation.body ?? {}, `/${name}`) ?? {};
        return typesOf(schema).includes("object") && !schema.properties && !schema["x-send"]?.propertyNames;
      })
      .map((name) => ({ detail: `keys of ${name} that are not sent`, name })),
  (steps, name) => {
    const step = acceptedStep(steps, name);
    const [before, now] = aroundStep(step, name).map((value) => Object.keys(Object(value) as object));
    const sent = Object.keys(Object(step.sent[name]) as object);
    const kept = before?.some((key) => !sent.includes(key) && now?.includes(key));
    return { word: kept ? "merged" : "replaced" };
  },
);

/** How long a change took to show. */
const delay = judges({
  requirement: "UPDATE-DELAY",
  over: (spec) => updatesOf(spec).filter(({ operation }) => readerOf(spec, operation) !== undefined),
  title: ({ operation }) => `how long what ${operation.key} changes takes to be shown`,
  story: fullUpdates,
  look(steps, _, call) {
    const delays = steps.flatMap(({ after }) => (after ? [after.delay ?? 0] : []));
    if (delays.length === 0) throw new Untestable("no-data", "no update was read again");
    call.note("UPDATE-DELAY", "updateDelay", { milliseconds: Math.max(...delays) });
  },
});

export const updateNotes = suiteOf("updates", nullMeaning, defaults, absentKeys, delay);
