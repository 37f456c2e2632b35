import { Untestable, Violation } from "../../client/check.ts";
import { listOf, markedField, namedListOf } from "../../client/relations.ts";
import { isAccepted } from "../../client/target.ts";
import type { Operation, OperationKind, Spec } from "../../spec/model/spec.ts";
import { rule, suiteOf } from "../shared/rule.ts";
import { mustChangeNothing } from "../updates/refusals.ts";
import { REFUSED_UPDATES, updatesFromOtherSpaces } from "../updates/refused-updates.ts";
import { createdHere } from "./created-here.ts";
import { type InSpace, moved, mustNotShow, NAMES } from "./other-spaces.ts";

/** All checks at an operation pick their version by the same text, so that they share scenarios. */
const ROTATED = { versions: "rotated", draw: REFUSED_UPDATES } as const;

function inSpaces(spec: Spec, ...kinds: OperationKind[]): Operation[] {
  return spec.operations.filter(
    ({ space, response, kind }) => space && response && (kinds.length === 0 || kinds.includes(kind)),
  );
}

function inBoth(requirement: string, ...kinds: OperationKind[]): (spec: Spec) => InSpace[] {
  return (spec) =>
    inSpaces(spec, ...kinds).flatMap((operation) => [
      { operation, where: "unknown", requirement: "ISOLATION-UNKNOWN-SPACE" },
      { operation, where: "second", requirement },
    ]);
}

const updates = rule({
  ...ROTATED,
  over: inBoth("ISOLATION-WRITES", "update"),
  title: ({ operation, where }) =>
    `${operation.key} in ${NAMES[where]} neither shows nor changes a resource of the first`,
  async run(call, { where }) {
    moved(call.target, await call.valid(), where);
    const own = await call.control();
    call.mustShow(own);
    const batch = await updatesFromOtherSpaces(call);
    const answers = batch.answers.filter(({ probe }) => probe.kind === where).map(({ answer }) => answer);
    for (const answer of answers) mustNotShow(call.target, own, answer);
    if (answers.length > 0 && answers.every(isAccepted))
      throw new Untestable("control-rejected", "it is accepted, and shows something else");
    mustChangeNothing(batch, where);
  },
});

/**
 * The specification does not define the effect of a used key in another space. But the answer must not show
 * this space's resource.
 */
const keys = rule<InSpace>({
  ...ROTATED,
  notes: ({ where }) => (where === "unknown" ? "keysInUnknownSpace" : "keysInAnotherSpace"),
  over: (spec) =>
    inBoth("ISOLATION-KEYS", "create")(spec).filter(({ operation }) => operation.idempotencyKey),
  title: ({ operation, where }) =>
    `${operation.key} in ${NAMES[where]} with an idempotency key of the first does not show the resource created there`,
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
      // The parents of a resource do not exist in the other space.
      .filter((operation) => listOf(spec, operation) ?? namedListOf(spec, operation))
      .filter((operation) => operation.outer.length === 0 && markedField(spec, operation) !== undefined)
      .map((operation) => ({ operation })),
  title: ({ operation }) => `${operation.key} in the first space creates nothing in the second`,
  async run(call) {
    moved(call.target, await call.valid(), "second");
    const { own, copies } = await createdHere(call);
    call.mustShow(own);
    if (!copies) throw new Untestable("no-data", "its resources could not be recognised in a list");
    if (copies.length > 0)
      throw new Violation("nothing new in the second space", "what was sent to the first", [own, ...copies], {
        difference: "other-space",
      });
  },
});

export const isolationChecks = suiteOf("isolation", updates, keys, creates);
