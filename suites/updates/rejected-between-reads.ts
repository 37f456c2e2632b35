/** Sends updates that must be rejected, between reads that show side effects. */

import type { Call } from "../../client/call.ts";
import { type Answer, isAccepted, isRejected, type Target } from "../../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import { changes } from "../../history/values/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import { otherBody } from "./bodies.ts";
import { readSettled, updateAllFields, withLockedResource } from "./read-back.ts";

export interface RejectedUpdate {
  what: string;
  kind: "fault" | "token" | "unknown" | "second";
  /** Makes the request with other values than those of `shown`, so that side effects show. */
  make(shown: JsonObject): Promise<RequestPlan | undefined>;
}

export interface AnsweredUpdate {
  update: RejectedUpdate;
  answer: Answer;
}

/**
 * Sends the updates that must be rejected together between two reads, and returns their answers.
 * @throws NotTested if a valid update is rejected, or the resource can't be read
 */
export function sendTogether(call: Call, updates: readonly RejectedUpdate[]): Promise<AnsweredUpdate[]> {
  const { target } = call;
  return withLockedResource(call, async (id) => {
    // This update overwrites side effects of earlier requests.
    const before = await updateAllFields(call, id);
    // Side effects are rare, so all are sent together first.
    const sent = await Promise.all(updates.map((update) => sendOne(target, update, before)));
    const answered = sent.filter((each) => each !== undefined);
    // An old value may be late, so the read waits for the values before.
    const after = await readSettled(call, id, {}, before, "rejected updates");
    const isChanged = changes(before, after).length > 0;
    // Alone, each request shows if it changed the resource.
    if (isChanged || answered.some(({ answer }) => isAccepted(answer))) await sendAlone(call, id, answered);
    return answered;
  });
}

async function sendAlone(call: Call, id: string, answered: readonly AnsweredUpdate[]): Promise<void> {
  for (const { update, answer } of answered) {
    if (!isRejected(answer)) continue;
    const resource = await updateAllFields(call, id);
    await sendOne(call.target, update, resource);
    await readSettled(call, id, {}, resource, "rejected updates");
  }
}

async function sendOne(
  target: Target,
  update: RejectedUpdate,
  shown: JsonObject,
): Promise<AnsweredUpdate | undefined> {
  const plan = await update.make(shown);
  return plan && { update, answer: await target.send(plan, { role: "rejected" }) };
}

/** Returns an update that `change` makes faulty. */
export function rejectedUpdate(
  call: Call,
  kind: RejectedUpdate["kind"],
  what: string,
  change: (plan: RequestPlan, body: JsonObject) => RequestPlan | undefined,
): RejectedUpdate {
  return {
    kind,
    what,
    async make(shown) {
      const plan = await call.valid();
      const body = await otherBody(call, shown);
      return change(withBody(plan, body), body);
    },
  };
}

/** Returns the update with another body. */
export function withSentBody(plan: RequestPlan, body: JsonObject): RequestPlan {
  const { operation, version, path = "" } = plan;
  return withBody({ ...requestTo(operation, version), path }, body);
}
