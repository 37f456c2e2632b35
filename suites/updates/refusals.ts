/** Sends updates that must be rejected, between reads that show side effects. */

import type { Call } from "../../client/call.ts";
import { type Answer, isAccepted, isRejected, type Target } from "../../client/target.ts";
import { objectSent, type RequestPlan, withBody } from "../../generators/request.ts";
import { changes } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import { readBack } from "./read-back.ts";
import { updateAllFields, withLockedResource } from "./settled-reads.ts";
import { nextVariation, updateRequest } from "./updating.ts";

export interface Refusal {
  what: string;
  kind: "fault" | "token" | "unknown" | "second";
  /** Returns the faulty update. Its valid fields have new values at each call, so that side effects show. */
  make(): Promise<RequestPlan | undefined>;
}

export interface Refused {
  probe: Refusal;
  answer: Answer;
}

async function freshUpdate(call: Call): Promise<RequestPlan> {
  const { target } = call;
  return withBody(await call.valid(), await call.body("full", nextVariation(target)));
}

/** @throws NotTested if a valid update is rejected, or the resource can't be read */
export function refusals(call: Call, probes: readonly Refusal[]): Promise<Refused[]> {
  const { target } = call;
  return withLockedResource(call, async (id) => {
    // A valid update of all fields overwrites side effects of earlier requests.
    const before = await updateAllFields(call, id);
    // Rejected updates rarely change anything, so all are sent together first.
    const sent = await Promise.all(probes.map((probe) => sendProbe(target, probe)));
    const refused = sent.filter((each) => each !== undefined);
    const after = await readBack(call, id);
    const isChanged = changes(before.resource, after.resource).length > 0;
    // Sent one by one, the requests show which one changed the resource.
    if (isChanged || refused.some(({ answer }) => isAccepted(answer))) await sendAlone(call, id, refused);
    return refused;
  });
}

async function sendAlone(call: Call, id: string, refused: readonly Refused[]): Promise<void> {
  for (const { probe, answer } of refused) {
    if (!isRejected(answer)) continue;
    await updateAllFields(call, id);
    await sendProbe(call.target, probe);
    await readBack(call, id);
  }
}

async function sendProbe(target: Target, probe: Refusal): Promise<Refused | undefined> {
  const plan = await probe.make();
  return plan && { probe, answer: await target.send(plan, { role: "rejected" }) };
}

export function refusal(
  call: Call,
  kind: Refusal["kind"],
  what: string,
  change: (plan: RequestPlan, body: JsonObject) => RequestPlan | undefined,
): Refusal {
  return {
    kind,
    what,
    async make() {
      const plan = await freshUpdate(call);
      const body = objectSent(plan) ?? {};
      return change(plan, body);
    },
  };
}

export function sending(plan: RequestPlan, body: JsonObject): RequestPlan {
  return updateRequest(plan.operation, plan.path ?? "", plan.version, body);
}
