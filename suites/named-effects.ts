/** Reads without a documented shape (section 4.17) as witnesses of isolation, and of effects of rejected calls. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { namedListOf } from "../client/relations.ts";
import { type Answer, isAccepted, isRejected, resourceOf } from "../client/target.ts";
import { sameJson } from "../spec/json.ts";
import type { Spec } from "../spec/model/spec.ts";
import { namedRequest } from "../trials/credentials.ts";
import { itemsById, moved, mustShowNoneOf } from "../trials/elsewhere.ts";
import { mustStandStill, STRANGERS, shown } from "../trials/named-witnesses.ts";
import { operationsOf, rule, suiteOf } from "../trials/rule.ts";
import { withCredential } from "../trials/wrong-credentials.ts";

/**
 * A resource of a run is in no list of another space, with or without a documented shape. The specification does
 * not say how such a list treats an unknown space, or one that the token may not use.
 */
const isolation = rule({
  requirement: "ISOLATION-LISTS",
  over: (spec) =>
    operationsOf(spec, "create").flatMap((create) => {
      const operation = namedListOf(spec, create);
      return operation && create.space ? [{ operation, create }] : [];
    }),
  title: ({ operation, create }) =>
    `${operation.key} in the second space shows nothing that ${create.key} made in the first`,
  stage: "aftermath",
  writes: true,
  async run(call, { create }) {
    const { target, operation } = call;
    await call.to(create).control();
    const plan = call.withSpace(await call.valid());
    const elsewhere = moved(target, plan, "second");
    const own = await call.ask(plan);
    const mine = new Map(
      [...itemsById(operation, [own])].filter(([, { item }]) =>
        JSON.stringify(item).includes(`pc-${target.runId}-`),
      ),
    );
    if (mine.size === 0) throw new Untestable("not-shown", "it shows nothing that the run made", [own]);
    mustShowNoneOf(mine, await call.send(elsewhere));
  },
});

/** Writes without a documented shape below the path of such a read, which is likely to show their effect. */
function beneathReads(spec: Spec) {
  const named = operationsOf(spec, "named");
  return named
    .filter(({ method }) => method !== "GET")
    .flatMap((operation) => {
      const read = named.find(
        ({ method, path, pathParameter }) =>
          method === "GET" && pathParameter && operation.path.startsWith(`${path}/`),
      );
      return read ? [{ operation, read }] : [];
    });
}

const noEffect = rule({
  requirement: "AUTH-NO-EFFECT",
  over: beneathReads,
  title: ({ operation, read }) =>
    `${operation.key} without authentication changes nothing that ${read.key} shows`,
  // Before any call with valid credentials that the user allows.
  stage: "prepare",
  async run(call, { operation, read }) {
    const { target } = call;
    const there = call.to(read);
    const plan = namedRequest(target, await there.valid());
    const before = shown(await call.ask(plan));
    const refused = await Promise.all(
      STRANGERS.map(async (stranger) =>
        call.send(withCredential(target, namedRequest(target, await call.valid()), stranger)),
      ),
    );
    if (!refused.every(isRejected))
      throw new Untestable("control-rejected", `${operation.key} does not reject such calls`);
    const after = await call.send(plan);
    if (!isAccepted(after) || sameJson(resourceOf(before), resourceOf(after))) return;
    if (await isShownStill(call, before)) return;
    await mustStandStill(there, after);
    const evidence = [before, ...refused, after];
    throw new Violation("the record as it was before the rejected calls", "another", evidence);
  },
});

/** Number of reads to see whether something is still shown as before, since replicas may differ. */
const LOOKS = 5;

async function isShownStill(call: Call, before: Answer): Promise<boolean> {
  const { target } = call;
  for (let look = 0; look < LOOKS; look++) {
    const again = await target.send(before.plan, { role: "again", valid: true });
    if (sameJson(resourceOf(again), resourceOf(before))) return true;
  }
  return false;
}

/** Evidence of the lists and reads without a documented shape about other operations. */
export const namedEffectChecks = suiteOf("named-only", isolation, noEffect);
