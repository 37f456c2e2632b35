/** Whether an operation is there. */

import type { Call } from "../client/call.ts";
import { offending, Untestable, Violation } from "../client/check.ts";
import { type Answer, isAccepted } from "../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation } from "../spec/model/spec.ts";

/** What a service answers where nothing is: no such path, no such method, not implemented. */
const ABSENT = new Set([404, 405, 501]);
/** Answers that a gateway may give in front of it. */
const IN_FRONT = new Set([401, 403, 407, 429]);
/** An id that no resource has. */
const NO_ID = "conformance-unknown";

interface Look {
  answer: Answer;
  /** Whether the operation is there, is not, or whether the resource alone may be missing. */
  found: "there" | "absent" | "unknown";
  /** Why there was no better request to send. */
  lacking?: Untestable;
}

/**
 * Passes if the operation accepted a call of this run.
 *
 * @throws Violation if it is not implemented.
 * @throws Untestable if it is there and accepted nothing, or if it may be that only the resource is missing.
 */
export async function mustExist(call: Call): Promise<void> {
  const { target, operation } = call;
  if (target.answers.hasAccepted(operation)) return;
  const { answer, found, lacking } = await look(call);
  if (isAccepted(answer)) return;
  if (found === "there")
    throw new Untestable("control-rejected", `${operation.key} accepted no call of this run`, [answer]);
  if (found === "unknown")
    throw lacking ?? new Untestable("no-data", `no resource of ${operation.key} is known`, [answer]);
  throw new Violation(
    `${operation.key} to be implemented`,
    `status ${answer.status} to every call`,
    [offending(answer, "status")],
    { notImplemented: true },
  );
}

/** Asks an operation, in the best way that there is, whether it is there. Asked once in a run. */
function look(call: Call): Promise<Look> {
  const { target, operation } = call;
  return target.once(`existence ${operation.id}`, async () => {
    const { plan, lacking } = await bestRequest(call);
    const answer = await call.send(plan);
    const named = operation.pathParameter === undefined || lacking === undefined;
    const others = target.answers.statusesOf(operation);
    const isThere = [answer.status, ...others].some((status) => !saysNothing(status));
    if (isThere || !ABSENT.has(answer.status)) return { answer, found: "there" };
    const absent = named || answer.status !== 404 || (await isPeerAbsent(call));
    return { answer, found: absent ? "absent" : "unknown", ...(lacking ? { lacking } : {}) };
  });
}

/** Whether a status may come from a place where there is no operation. */
function saysNothing(status: number): boolean {
  return ABSENT.has(status) || IN_FRONT.has(status) || status >= 500;
}

/** A valid request or, if the target has no data for one, the nearest to it. */
async function bestRequest(call: Call): Promise<{ plan: RequestPlan; lacking?: Untestable }> {
  try {
    return { plan: await call.valid() };
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    const { operation, version } = call;
    const bare = requestTo(operation, version);
    const named = operation.pathParameter === undefined ? bare : { ...bare, path: NO_ID };
    return { plan: operation.body === undefined ? named : withBody(named, {}), lacking: error };
  }
}

/** Whether the operation that makes or lists the resources is absent: then none of them can be there either. */
async function isPeerAbsent(call: Call): Promise<boolean> {
  const peer = peerOf(call);
  if (peer === undefined || call.target.answers.hasAccepted(peer)) return false;
  return (await look(call.to(peer))).found === "absent";
}

function peerOf({ target, operation }: Call): Operation | undefined {
  const id = operation.pathParameter?.madeBy ?? operation.sameRecord?.list ?? operation.readBack?.read;
  return id === undefined ? undefined : operationById(target.spec, id);
}
