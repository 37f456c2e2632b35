/** Updates that use a resource up (section 3): cancelling a payment code, together with other fields, once. */

import { Untestable, Violation } from "../client/check.ts";
import { sendBody } from "../client/subjects.ts";
import { resourceOf } from "../client/target.ts";
import { operationById } from "../spec/loading/load.ts";
import type { SkipReason } from "../spec/model/result.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import {
  type Consuming,
  consume,
  consumingPlaces,
  mustBeUsedUp,
  mustLeaveAlone,
  plainUpdateShows,
  type RefusedFor,
} from "../trials/consumption.ts";
import { isSameInAnyCasing } from "../trials/differences.ts";
import { readerOf } from "../trials/read-back.ts";
import { judges, rule, suiteOf } from "../trials/rule.ts";
import { mustAgree } from "../trials/same-record.ts";
import { mustBeUnder } from "../trials/under-filter.ts";
import { lastingFields, stepEvidence } from "../trials/update.ts";
import { throwDifferences, updateRequest } from "../trials/updating.ts";

interface ConsumingPlace extends Consuming {
  detail: string;
}

function places(detail: (at: Consuming) => string = ({ name }) => name): (spec: Spec) => ConsumingPlace[] {
  return (spec) => consumingPlaces(spec).map((at) => ({ ...at, detail: detail(at) }));
}

const inSpace = ({ space }: Operation) => space !== undefined;

const REFUSALS: {
  kind: RefusedFor;
  requirement: string;
  what: string;
  missing: SkipReason;
  /** Whether there can be such a thing at an operation. */
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

/** What is refused does not use it up, nor does it change anything else. */
const refusedFirst = REFUSALS.map(({ kind, requirement, what, missing, isDue }) =>
  judges({
    consumes: true,
    requirement,
    over: (spec) => places(({ name }) => `${name} ${what}`)(spec).filter(({ operation }) => isDue(operation)),
    title: ({ operation, name, value }) =>
      `a rejected ${operation.key} with ${name} ${value}, ${what}, changes nothing`,
    story: consume,
    look({ attempts }, at) {
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
  title: ({ operation, name, value }) => `${operation.key} with ${name} ${value} makes it ${value}`,
  story: consume,
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
  story: consume,
  async look(consumed, at, call) {
    mustBeUsedUp(consumed, at);
    const { step } = consumed;
    if (!step.unshown && !step.unstored) throw step.unread ?? new Untestable("no-data", "nothing shows it");
    const faults = [...(step.unshown ?? []), ...(step.unstored ?? [])].filter(
      ({ pointer }) => pointer.split("/")[1] !== at.name,
    );
    if (faults.length > 0) await plainUpdateShows(call, new Set(faults.map(({ pointer }) => pointer)));
    throwDifferences(faults, stepEvidence(step), "");
  },
});

/** What no update takes is as it was before, though this is the first that was accepted. */
const keeps = judges({
  consumes: true,
  requirement: "UPDATE-KEEPS",
  over: places(),
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} changes nothing of what no update takes`,
  story: consume,
  look(consumed, at, call) {
    const { target } = call;
    mustBeUsedUp(consumed, at);
    const { step } = consumed;
    const lasting = lastingFields(target.spec, at.operation);
    throwDifferences(
      step.moved.filter(({ pointer }) => lasting.has(pointer.split("/")[1] ?? "")),
      stepEvidence(step),
      "still ",
    );
  },
});

interface ShownPlace extends ConsumingPlace {
  update: Consuming;
  requirement: string;
  filter?: string;
}

/** The reads and lists that show what was used up. */
function shownPlaces(spec: Spec, of: "read" | "list"): ShownPlace[] {
  return consumingPlaces(spec).flatMap((update) => {
    const reader = readerOf(spec, update.operation);
    const same = reader?.sameRecord;
    if (!reader || !same) return [];
    const after = `after ${update.operation.key} with ${update.name}`;
    if (of === "read")
      return [{ ...update, update, operation: reader, requirement: same.requirement, detail: after }];
    const list = operationById(spec, same.list);
    const filter = list.list?.filters.find((candidate) => candidate.filter === `/${update.name}`)?.name;
    return filter === undefined
      ? []
      : [
          {
            ...update,
            update,
            operation: list,
            requirement: "FILTER-COMPLETE",
            filter,
            detail: `${filter} ${after}`,
          },
        ];
  });
}

const shapesAgree = rule({
  consumes: true,
  stage: "write",
  writes: true,
  over: (spec) => shownPlaces(spec, "read"),
  title: ({ operation, detail }) => `${operation.key} and the list agree on a resource ${detail}`,
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
  title: ({ operation, filter, value }) => `${operation.key} shows under ${filter} what has become ${value}`,
  async run(call, { operation, update, filter = "", name, value }) {
    const consumed = await consume(call.to(update.operation), update);
    mustBeUsedUp(consumed, update);
    await mustBeUnder(call.target, operation, filter, name, value, consumed.id);
  },
});

const again = rule({
  consumes: true,
  // After all that looks at what the update came to.
  stage: "burst",
  requirement: ({ consumes }) => consumes.again,
  notes: "changesAfterCancel",
  over: places(),
  title: ({ operation, value }) => `what ${operation.key} makes of a change to what is already ${value}`,
  async run(call, at) {
    const { target, operation, version } = call;
    const { id } = await consume(call, at);
    for (const [what, body] of [
      [`${at.name} ${at.value} again`, { [at.name]: at.value }],
      ["other fields", await call.body("full", 4)],
    ] as const) {
      const answer = await sendBody(target, updateRequest(operation, id, version, body));
      call.note(at.consumes.again, "changesAfterCancel", { status: answer.status }, { tried: what });
    }
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
