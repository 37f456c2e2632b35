/** Isolation (section 5): a request in one space never shows or changes a resource of another, existing or not. */

import { Untestable, Violation } from "../client/check.ts";
import { listOf, markedField, namedListOf } from "../client/relations.ts";
import { isAccepted } from "../client/target.ts";
import { withQuery } from "../generators/request.ts";
import { sameJson } from "../spec/json.ts";
import type { Operation, OperationKind, Spec } from "../spec/model/spec.ts";
import { createdHere } from "../trials/created-here.ts";
import {
  type InSpace,
  itemsById,
  itemsOfFirst,
  listElsewhere,
  moved,
  mustNotShow,
  mustShowNoneOf,
  NAMES,
  pagesOf,
  pagesOfSecond,
  questions,
  theirRecord,
  waysElsewhere,
  whole,
} from "../trials/elsewhere.ts";
import { mustChangeNothing } from "../trials/refusals.ts";
import { answerInUnknownSpace, REFUSED_UPDATES, updatesFromElsewhere } from "../trials/refused-updates.ts";
import { rule, suiteOf } from "../trials/rule.ts";

/** Sampled checks at an operation use one version, so that they share scenarios. */
const ROTATED = { versions: "rotated", draw: REFUSED_UPDATES } as const;

/** Documented operations of some kinds that act on a space. */
function inSpaces(spec: Spec, ...kinds: OperationKind[]): Operation[] {
  return spec.operations.filter(
    ({ space, response, kind }) => space && response && (kinds.length === 0 || kinds.includes(kind)),
  );
}

/** Every such operation in an unknown space, and in the second one under its own requirement. */
function inBoth(requirement: string, ...kinds: OperationKind[]): (spec: Spec) => InSpace[] {
  return (spec) =>
    inSpaces(spec, ...kinds).flatMap((operation) => [
      { operation, where: "unknown", requirement: "ISOLATION-UNKNOWN-SPACE" },
      { operation, where: "second", requirement },
    ]);
}

const unknownSpaces = rule({
  ...ROTATED,
  requirement: "SPACE-UNKNOWN",
  over: (spec) => inSpaces(spec).map((operation) => ({ operation })),
  title: ({ operation }) => `${operation.key} rejects a well-formed space id that names no space`,
  cause: "unknown-space",
  async run(call) {
    await call.control();
    const answer = await answerInUnknownSpace(call);
    call.mustReject(answer, "a space id that names no space", "unknown space");
  },
});

const wholeLists = rule({
  ...ROTATED,
  versions: "each",
  over: inBoth("ISOLATION-LISTS", "list"),
  title: ({ operation, where }) => `${operation.key} in ${NAMES[where]} shows nothing of the first`,
  async run(call, { where }) {
    moved(call.target, await call.valid(), where);
    const others = await itemsOfFirst(call);
    const probe = whole(await call.valid());
    const answer = where === "unknown" ? await answerInUnknownSpace(call) : await listElsewhere(call, probe);
    mustShowNoneOf(others, answer);
  },
});

const everyPage = rule({
  ...ROTATED,
  requirement: "ISOLATION-LISTS",
  over: (spec) =>
    inSpaces(spec, "list")
      // The parents of a list are not in the other space.
      .filter(({ outer }) => outer.length === 0)
      .map((operation) => ({ operation, detail: "every page" })),
  title: ({ operation }) =>
    `no page of ${operation.key} in the second space shows anything of the first, and vice versa`,
  async run(call) {
    const { operation, target } = call;
    moved(target, await call.valid(), "second");
    const first = await pagesOf(call, await call.valid());
    const mine = itemsById(operation, first.answers);
    const second = await pagesOfSecond(call);
    const theirs = itemsById(operation, second.answers);
    if (mine.size === 0 && theirs.size === 0)
      throw new Untestable("no-data", "neither space has anything to show");
    for (const [id, { item, exchange }] of theirs) {
      const other = mine.get(id);
      if (other && sameJson(other.item, item))
        throw new Violation("each item in one space only", `${id} in both`, [other, exchange]);
    }
    if (!first.complete || !second.complete) {
      const read = `${mine.size} items of the first space and ${theirs.size} of the second`;
      throw new Untestable(
        "budget",
        `the lists are too long to read to their ends; ${read} have none in common`,
      );
    }
  },
});

const pointedAt = rule({
  ...ROTATED,
  over: (spec) => inBoth("ISOLATION-LISTS", "list")(spec).flatMap((at) => questions(at)),
  title: ({ operation, where, detail }) =>
    `${operation.key} in ${NAMES[where]} (${detail}) shows nothing of the first`,
  // In an existing space each of them leads to another place.
  group: ({ operation, where }) => (where === "second" ? undefined : `${operation.key} by cursor or filter`),
  async run(call, { where, query }) {
    const probe = moved(call.target, await call.valid(), where);
    const others = await itemsOfFirst(call);
    const added = await query(call, others);
    if (!added) throw new Untestable("no-data", "nothing to ask for");
    mustShowNoneOf(others, await call.send(withQuery(probe, added)));
  },
});

const reads = rule({
  ...ROTATED,
  over: inBoth("ISOLATION-READS", "read"),
  title: ({ operation, where }) =>
    `${operation.key} in ${NAMES[where]} does not show a resource of the first`,
  async run(call, { where }) {
    const ways = waysElsewhere(call.target, await call.valid(), where);
    const own = await call.control();
    call.mustShow(own);
    if (where === "unknown") mustNotShow(call.target, own, await answerInUnknownSpace(call));
    else for (const way of ways) mustNotShow(call.target, own, await call.send(way));
  },
});

const reverseReads = rule({
  ...ROTATED,
  requirement: "ISOLATION-READS",
  over: (spec) =>
    inSpaces(spec, "read")
      .filter(({ sameRecord, outer }) => sameRecord && outer.length === 0)
      .map((operation) => ({ operation, detail: "the reverse" })),
  title: ({ operation }) => `${operation.key} in the first space does not show a resource of the second`,
  async run(call) {
    const own = await theirRecord(call);
    mustNotShow(call.target, own, await call.send({ ...own.plan, space: "first" }));
  },
});

const updates = rule({
  ...ROTATED,
  over: inBoth("ISOLATION-WRITES", "update"),
  title: ({ operation, where }) =>
    `${operation.key} in ${NAMES[where]} neither shows nor changes a resource of the first`,
  async run(call, { where }) {
    moved(call.target, await call.valid(), where);
    const own = await call.control();
    call.mustShow(own);
    const story = await updatesFromElsewhere(call);
    const answers = story.answers.filter(({ probe }) => probe.kind === where).map(({ answer }) => answer);
    for (const answer of answers) mustNotShow(call.target, own, answer);
    if (answers.length > 0 && answers.every(isAccepted))
      throw new Untestable("control-rejected", "it is accepted, and shows something else");
    mustChangeNothing(story, where);
  },
});

/** A used key in another space is the service's choice, as long as its answer does not show this space's resource. */
const keys = rule<InSpace>({
  ...ROTATED,
  notes: ({ where }) => (where === "unknown" ? "keysInUnknownSpace" : "keysInAnotherSpace"),
  over: (spec) =>
    inBoth("ISOLATION-KEYS", "create")(spec).filter(({ operation }) => operation.idempotencyKey),
  title: ({ operation, where }) =>
    `${operation.key} in ${NAMES[where]} with a key of the first does not show what it made there`,
  async run(call, { where }) {
    const { target } = call;
    moved(target, await call.valid(), where);
    const { own, again } = await createdHere(call);
    call.mustShow(own);
    const [answer] = again[where];
    if (!answer) return;
    call.note("KEY-REUSE", where === "unknown" ? "keysInUnknownSpace" : "keysInAnotherSpace", {
      status: answer.status,
    });
    for (const each of again[where]) mustNotShow(target, own, each);
  },
});

const creates = rule({
  ...ROTATED,
  requirement: "ISOLATION-WRITES",
  over: (spec) =>
    inSpaces(spec, "create")
      // The parents of a resource are not in the other space.
      .filter((operation) => listOf(spec, operation) ?? namedListOf(spec, operation))
      .filter((operation) => operation.outer.length === 0 && markedField(spec, operation) !== undefined)
      .map((operation) => ({ operation })),
  title: ({ operation }) => `${operation.key} in the first space makes nothing in the second`,
  async run(call) {
    moved(call.target, await call.valid(), "second");
    const { own, copies } = await createdHere(call);
    call.mustShow(own);
    if (!copies) throw new Untestable("no-data", "nothing that it makes could be recognised");
    if (copies.length > 0)
      throw new Violation("nothing new in the second space", "what was sent to the first", [own, ...copies]);
  },
});

export const isolationChecks = suiteOf(
  "isolation",
  unknownSpaces,
  wholeLists,
  everyPage,
  pointedAt,
  reads,
  reverseReads,
  updates,
  keys,
  creates,
);
