/** Updates (sections 4.5, 4.7 and 4.15): what was not sent, or is never to change, is as it was before. */

import { Untestable } from "../client/check.ts";
import { isAccepted, resourceOf } from "../client/target.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { changes, type Difference, headerFields } from "../trials/differences.ts";
import { judges, type Place, suiteOf } from "../trials/rule.ts";
import {
  acceptedStep,
  lastingFields,
  mustBeShown,
  type Step,
  stepEvidence,
  stoodStill,
} from "../trials/update.ts";
import {
  bystander,
  FIRST,
  FULL,
  firstUpdate,
  fullUpdates,
  NOTHING,
  optionalFields,
  REQUIRED,
  singleUpdates,
  UNTAKEN,
  untakenFields,
} from "../trials/update-series.ts";
import { pick, throwDifferences, updatesOf } from "../trials/updating.ts";

/** Throws a Violation where a step moved one of some fields; Untestable where nothing shows what it was before. */
function mustKeep(step: Step, fits: (name: string) => boolean): void {
  const { before, moved } = step;
  if (!before) throw step.unread ?? new Untestable("not-shown", "nothing shows what it was before");
  mustBeShown(step);
  throwDifferences(
    moved.filter(({ pointer }) => fits(pointer.split("/")[1] ?? "")),
    stepEvidence(step),
    "still ",
  );
}

function fixedFields(spec: Spec, { resource = {} }: Operation): string[] {
  return spec.schemas.flatten(resource)["x-fixed"] ?? [];
}

/** Whether a field is one that nothing but an update of it changes, and that can therefore be compared. */
function isTaken(spec: Spec, { body = {} }: Operation, name: string): boolean {
  const child = spec.schemas.flatten(body).properties?.[name];
  // One that consumes has a life of its own; one with a default may fall back to it.
  const { default: usual, "x-consumes": consumes } = spec.schemas.flatten(child ?? {});
  return child !== undefined && usual === undefined && consumes === undefined;
}

/** A PUT replaces: of what it takes, what is not sent need not stay. */
function replaces({ method }: Operation): boolean {
  return method === "PUT";
}

/** One field alone, or none: the others that an update takes stay. */
const keepsOthers = judges({
  requirement: "UPDATE-KEEPS",
  over: (spec) =>
    updatesOf(spec).flatMap(({ operation }) => {
      const optional = optionalFields(spec, operation);
      const { required = [], minProperties = 0 } = spec.schemas.flatten(operation.body ?? {});
      const kept = optional.filter((name) => isTaken(spec, operation, name));
      const series = [
        ...optional.map((name) => ({ detail: `${name} alone`, what: name })),
        ...(required.length > 0 ? [{ detail: "required fields alone", what: REQUIRED }] : []),
        ...(required.length === 0 && minProperties === 0 ? [{ detail: "no fields", what: NOTHING }] : []),
      ];
      return replaces(operation)
        ? []
        : series
            .filter(({ what }) => kept.some((name) => name !== what))
            .map((each) => ({ operation, ...each }));
    }),
  title: ({ operation, detail }) => `${operation.key} with ${detail} keeps what was not sent`,
  versions: "one",
  draw: "single updates",
  story: singleUpdates,
  look(steps, { operation, what }, call) {
    const { target } = call;
    mustKeep(acceptedStep(steps, what), (name) => isTaken(target.spec, operation, name));
  },
});

/** What no update takes and nothing else changes. */
const keepsUntaken = judges({
  requirement: ({ operation }) =>
    operation.readBack?.keeps === "all" ? "UPDATE-KEEPS-REST" : "UPDATE-KEEPS",
  over: (spec) =>
    updatesOf(spec)
      .filter(({ operation }) => settledFields(spec, operation).length > 0)
      .map((at) => ({ ...at, detail: "what no update takes" })),
  title: ({ operation }) => `${operation.key} changes nothing of what no update takes`,
  story: fullUpdates,
  look(steps, { operation }, call) {
    const { target } = call;
    acceptedStep(steps, FULL);
    const settled = settledFields(target.spec, operation);
    for (const step of fullOnes(steps))
      mustKeep(step, (name) => settled.includes(name) || stoodStill(step, name));
  },
});

function settledFields(spec: Spec, operation: Operation): string[] {
  const fixed = new Set(fixedFields(spec, operation));
  return [...lastingFields(spec, operation)].filter((name) => !fixed.has(name));
}

function fullOnes(steps: Step[]): Step[] {
  return steps.filter(({ what, answer }) => what === FULL && isAccepted(answer));
}

/** Each field that the operation does not take. */
const keepsRest = judges({
  requirement: "UPDATE-KEEPS-REST",
  over: (spec) => updatesOf(spec).filter(({ operation }) => operation.readBack?.keeps === "all"),
  title: ({ operation }) => `${operation.key} changes nothing but what it takes`,
  versions: "each",
  story: fullUpdates,
  look(steps, _, call) {
    const { version } = call;
    acceptedStep(steps, FULL, version);
    for (const step of fullOnes(steps)) if (step.version === version) mustKeep(step, () => true);
  },
});

const identity = judges({
  requirement: "UPDATE-IDENTITY",
  over: (spec) => updatesOf(spec).filter(({ operation }) => fixedFields(spec, operation).length > 0),
  title: ({ operation }) => `${operation.key} never changes what is fixed from the start`,
  versions: "each",
  story: fullUpdates,
  look(steps, { operation }, call) {
    const { target, version } = call;
    acceptedStep(steps, FULL, version);
    const fixed = fixedFields(target.spec, operation);
    for (const step of fullOnes(steps))
      if (step.version === version) mustKeep(step, (name) => fixed.includes(name));
  },
});

function firstPlaces(spec: Spec, made: boolean): Place[] {
  return updatesOf(spec)
    .filter(({ operation }) => (operation.pathParameter?.madeBy !== undefined) === made)
    .map((at) => ({ ...at, detail: "first update" }));
}

/** What an update sets to a constant, a later one does not change again: the first one is held against what was found. */
const FIRST_RULES = [
  {
    requirement: () => "UPDATE-IDENTITY",
    what: "what is fixed from the start",
    fits: (spec: Spec, operation: Operation) => {
      const fixed = fixedFields(spec, operation);
      return (name: string) => fixed.includes(name);
    },
  },
  {
    requirement: ({ operation }: Place) =>
      operation.readBack?.keeps === "all" ? "UPDATE-KEEPS-REST" : "UPDATE-KEEPS",
    what: "what was not sent",
    fits: (spec: Spec, operation: Operation) => {
      const fixed = fixedFields(spec, operation);
      const open = replaces(operation) ? spec.schemas.flatten(operation.body ?? {}).properties : undefined;
      return (name: string) => !fixed.includes(name) && !(name in (open ?? {}));
    },
  },
];

const firstOfGiven = FIRST_RULES.map(({ requirement, what, fits }) =>
  judges({
    // Before any other update of the run.
    stage: "prepare",
    consumes: true,
    requirement,
    over: (spec) => firstPlaces(spec, false),
    title: ({ operation }) => `the first ${operation.key} keeps ${what}`,
    story: firstUpdate,
    look(steps, { operation }, call) {
      const { target } = call;
      mustKeep(acceptedStep(steps, FIRST), fits(target.spec, operation));
    },
  }),
);

const firstOfMade = FIRST_RULES.map(({ requirement, what, fits }) =>
  judges({
    requirement,
    over: (spec) => firstPlaces(spec, true),
    title: ({ operation }) => `the first ${operation.key} keeps ${what}`,
    story: bystander,
    look({ made, first }, { operation }, call) {
      const { target } = call;
      const fixed = fixedFields(target.spec, operation);
      const isHeld = fits(target.spec, operation);
      const step = acceptedStep(first, FIRST);
      mustKeep(step, isHeld);
      // Its creation told them first.
      const shown = resourceOf(step.answer);
      const told = new Set(fixed.filter(isHeld));
      if (shown)
        throwDifferences(
          changes(pick(made, told), pick(shown, told), new Set()),
          stepEvidence(step),
          "still ",
        );
    },
  }),
);

/** An update of one resource leaves another one of the same kind alone. */
const keepsOther = judges({
  requirement: "UPDATE-KEEPS",
  over: (spec) => firstPlaces(spec, true).map((at) => ({ ...at, detail: "another resource" })),
  title: ({ operation }) => `${operation.key} changes nothing of another resource`,
  story: bystander,
  look({ before, others, first }, { operation }, call) {
    const { target } = call;
    const names = new Set(Object.keys(target.spec.schemas.flatten(operation.body ?? {}).properties ?? {}));
    const after = first[0]?.before;
    if (!after) throw new Untestable("control-rejected", "it could not be read again");
    const differences = changes(
      pick(before.resource, names),
      pick(after.resource, names),
      headerFields(target.spec.schemas, operation.body),
    );
    throwDifferences(differences, [...others, after], "still ");
  },
});

/**
 * Fields of the resource that the operation does not take, sent all the same: a service may ignore or reject them,
 * but what never changes must not become what was sent.
 */
const keepsWhatIsSent = judges({
  over: (spec) =>
    updatesOf(spec).flatMap(({ operation }) => {
      const untaken = untakenFields(spec, operation);
      const fixed = fixedFields(spec, operation).filter((name) => untaken.includes(name));
      const all = operation.readBack?.keeps === "all" ? untaken : [];
      return [
        { requirement: "UPDATE-IDENTITY", names: fixed },
        { requirement: "UPDATE-KEEPS-REST", names: all },
      ].flatMap((each) =>
        each.names.length === 0 ? [] : [{ operation, detail: "sent all the same", ...each }],
      );
    }),
  title: ({ operation, names }) =>
    `${operation.key} does not change ${names.join(", ")}, even when they are sent`,
  story: fullUpdates,
  look(steps, { names }) {
    const step = steps.find(({ what }) => what === UNTAKEN);
    if (!step) throw new Untestable("no-data", "nothing else is shown that could be sent");
    const { answer, before, after } = step;
    if (!isAccepted(answer))
      throw new Untestable("declined", `fields that it does not take were answered ${answer.status}`, [
        answer,
      ]);
    if (!before || !after)
      throw step.unread ?? new Untestable("not-shown", "nothing shows it before and after");
    mustBeShown(step);
    throwDifferences(becameWhatWasSent(step, names), stepEvidence(step), "still ");
  },
});

/** Of some fields, those that changed to what was sent for them; a change to anything else has another reason. */
function becameWhatWasSent({ before, after, sent }: Step, names: string[]): Difference[] {
  const own = new Set(names);
  const differences = changes(pick(before?.resource ?? {}, own), pick(after?.resource ?? {}, own));
  const asSent = new Set(
    names.filter((name) => changes({ [name]: sent[name] }, { [name]: after?.resource[name] }).length === 0),
  );
  return differences.filter(({ pointer }) => {
    const name = pointer.split("/")[1] ?? "";
    return asSent.has(name) || typeof after?.resource[name] === "object";
  });
}

export const updateKeeps = suiteOf(
  "updates",
  keepsOthers,
  keepsUntaken,
  keepsRest,
  identity,
  ...firstOfGiven,
  ...firstOfMade,
  keepsOther,
  keepsWhatIsSent,
);
