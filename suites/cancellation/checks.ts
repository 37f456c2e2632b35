/** One-way changes (section 3): cancelling a payment code, alone and with other fields. */

import { Untestable, Violation } from "../../client/check.ts";
import { resourceOf } from "../../client/target.ts";
import { isSameInAnyCasing } from "../../history/differences.ts";
import type { SkipReason } from "../../spec/model/result.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { judges, rule, suiteOf } from "../shared/rule.ts";
import { lastingFields, stepEvidence } from "../updates/update.ts";
import { throwDifferences } from "../updates/updating.ts";
import {
  type Consuming,
  type ConsumingPlace,
  changedAgain,
  consume,
  consumingPlaces,
  mustBeUsedUp,
  mustLeaveAlone,
  plainUpdateShows,
  type RefusedFor,
  shownPlaces,
} from "./consumption.ts";
import { mustAgree } from "./same-record.ts";
import { mustBeUnder } from "./under-filter.ts";

function places(detail: (at: Consuming) => string = ({ name }) => name): (spec: Spec) => ConsumingPlace[] {
  return (spec) => consumingPlaces(spec).map((at) => ({ ...at, detail: detail(at) }));
}

const inSpace = ({ space }: Operation) => space !== undefined;

const REFUSALS: {
  kind: RefusedFor;
  requirement: string;
  what: string;
  missing: SkipReason;
  isDue: (operation: Operation) => boolean;
}[] = [
  {
    kind: "fault",
    requirement: "UPDATE-NO-EFFECT",
    what: "with a fault",
    missing: "no-data",
    isDue: () => true,
  },
  {
    kind: "token",
    requirement: "AUTH-NO-EFFECT",
    what: "without authentication",
    missing: "no-data",
    isDue: ({ open }) => !open,
  },
  {
    kind: "unknown space",
    requirement: "ISOLATION-UNKNOWN-SPACE",
    what: "in a space that does not exist",
    missing: "no-data",
    isDue: inSpace,
  },
  {
    kind: "second space",
    requirement: "ISOLATION-WRITES",
    what: "in another space",
    missing: "no-second-space",
    isDue: inSpace,
  },
];

const refusedFirst = REFUSALS.map(({ kind, requirement, what, missing, isDue }) =>
  judges({
    consumes: true,
    requirement,
    over: (spec) => places(({ name }) => `${name} ${what}`)(spec).filter(({ operation }) => isDue(operation)),
    title: ({ operation, name, value }) =>
      `a rejected ${operation.key} with ${name} ${value}, ${what}, changes nothing`,
    scenario: consume,
    look({ attempts, usedUpBefore }, at) {
      if (usedUpBefore) throw usedUpBefore;
      const own = attempts.get(kind);
      if (!own) throw new Untestable(missing, `nothing could be sent ${what}`);
      mustLeaveAlone(own, at);
    },
  }),
);

const status = judges({
  consumes: true,
  requirement: ({ consumes }) => consumes.status,
  over: places(),
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} sets the ${name} to ${value}`,
  scenario: consume,
  async look(consumed, at, call) {
    await call.versionAccepted();
    const { step } = consumed;
    const { name, value } = at;
    call.mustAccept(step.answer, `${name} ${value}`);
    mustBeUsedUp(consumed, at);
    if (step.unread) throw step.unread;
    for (const resource of [resourceOf(step.answer), step.after?.resource]) {
      if (resource && !isSameInAnyCasing(resource[name], value))
        throw new Violation(`${name} ${value}`, `${name} ${String(resource[name])}`, stepEvidence(step));
    }
  },
});

const together = judges({
  consumes: true,
  requirement: ({ consumes }) => consumes.together,
  over: places(),
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} updates the other fields in the same call`,
  scenario: consume,
  async look(consumed, at, call) {
    mustBeUsedUp(consumed, at);
    const { step } = consumed;
    if (!step.unshown && !step.unstored) throw step.unread ?? new Untestable("no-data", "nothing shows it");
    const faults = [...(step.unshown ?? []), ...(step.unstored ?? [])].filter(
      ({ pointer }) => pointer.split("/")[1] !== at.name,
    );
    if (faults.length > 0) plainUpdateShows(call, new Set(faults.map(({ pointer }) => pointer)));
    throwDifferences(faults, stepEvidence(step), "");
  },
});

const keeps = judges({
  consumes: true,
  requirement: "UPDATE-KEEPS",
  over: places(),
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} keeps the fields that no update accepts`,
  scenario: consume,
  look(consumed, at, call) {
    const { target } = call;
    mustBeUsedUp(consumed, at);
    const { step } = consumed;
    const lasting = lastingFields(target.spec, at.operation);
    throwDifferences(
      step.moved.filter(({ pointer }) => lasting.has(pointer.split("/")[1] ?? "")),
      stepEvidence(step),
      "still ",
      "changed",
    );
  },
});

const shapesAgree = rule({
  consumes: true,
  stage: "write",
  writes: true,
  over: (spec) => shownPlaces(spec, "read"),
  title: ({ operation, detail }) => `${operation.key} and the list show the same resource ${detail}`,
  async run(call, { operation, update }) {
    const consumed = await consume(call.to(update.operation), update);
    mustBeUsedUp(consumed, update);
    await mustAgree(call.target, operation, consumed.id, update.operation);
  },
});

const underFilter = rule({
  consumes: true,
  stage: "write",
  writes: true,
  over: (spec) => shownPlaces(spec, "list"),
  title: ({ operation, filter, value }) =>
    `${operation.key} filtered by ${filter} shows a resource that became ${value}`,
  async run(call, { operation, update, filter = "", name, value }) {
    const consumed = await consume(call.to(update.operation), update);
    mustBeUsedUp(consumed, update);
    await mustBeUnder(call.target, operation, filter, name, value, consumed.id);
  },
});

const again = rule({
  consumes: true,
  stage: "burst",
  requirement: ({ consumes }) => consumes.again,
  notes: "changesAfterCancel",
  over: places(),
  title: ({ operation, value }) =>
    `how ${operation.key} treats a change of a resource that is already ${value}`,
  async run(call, at) {
    for await (const { tried, status } of changedAgain(call, at))
      call.note(at.consumes.again, "changesAfterCancel", { status }, { tried });
  },
});

export const consumptionChecks = suiteOf(
  "updates",
  shapesAgree,
  underFilter,
  ...refusedFirst,
  status,
  together,
  keeps,
  again,
);
