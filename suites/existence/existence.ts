import type { Call } from "../../client/call.ts";
import { offending, Untestable, Violation } from "../../client/check.ts";
import { type Answer, hasAccepted, isAccepted, isRejected } from "../../client/target.ts";
import { isAnsweredAlike, onUnknownPath, UNKNOWN } from "../../client/unknown-paths.ts";
import { type RequestPlan, requestTo, withBody, withHeaders } from "../../generators/request.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation } from "../../spec/model/spec.ts";

const ABSENT = new Set([404, 405, 501]);
/** Statuses that a gateway may answer before the service is asked. */
const IN_FRONT = new Set([401, 403, 407, 429]);

interface Look {
  answer: Answer;
  /** `unknown` if either the operation or only the resource is missing. */
  found: "there" | "absent" | "unknown";
  lacking?: Untestable;
}

/**
 * @throws Violation if the operation is not implemented; Untestable if nothing was accepted, or only the
 * resource may be missing
 */
export async function mustExist(call: Call): Promise<void> {
  const { target, operation } = call;
  if (hasAccepted(target, operation)) return mustServeControl(call);
  const { answer, found, lacking } = await look(call);
  if (isAccepted(answer)) return mustServeControl(call);
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

export async function mustBeAbsent(call: Call): Promise<void> {
  const { target, operation } = call;
  const { pathParameter, kind } = operation;
  const name = pathParameter?.fixture?.[kind === "read" ? "read" : "write"];
  const given = name === undefined ? undefined : target.settings.fixtures[name];
  // The request is invalid, so that an existing operation creates nothing.
  const plan = { ...bareRequest(call), ...(given === undefined ? {} : { path: given }) };
  const answer = await call.send(plan);
  const { status } = answer;
  if (ABSENT.has(status)) {
    if (pathParameter === undefined || given !== undefined || status !== 404) return;
    if ((await isPeerMissing(call)) || (await isLikeNothing(call, plan, answer))) return;
    const offer = name === undefined ? "" : `; name a resource that exists: --fixture ${name}=ID`;
    throw new Untestable("no-data", `perhaps only the resource does not exist${offer}`, [answer]);
  }
  if (saysNothing(status))
    throw new Untestable("control-rejected", `status ${status} does not show whether the operation exists`, [
      answer,
    ]);
  throw new Violation(
    `${operation.key}, which is not offered, to be absent (404, 405 or 501)`,
    `status ${status}`,
    [offending(answer, "status")],
  );
}

/** True if the operation that creates or lists the resources is missing. Then this one probably is, too. */
async function isPeerMissing(call: Call): Promise<boolean> {
  const peer = peerOf(call);
  if (peer === undefined || peer.pathParameter !== undefined) return false;
  const there = call.to(peer);
  return ABSENT.has((await there.send(bareRequest(there))).status);
}

async function isLikeNothing(call: Call, plan: RequestPlan, answer: Answer): Promise<boolean> {
  const openly = (each: RequestPlan) => call.send(withHeaders(each, { authorization: null }));
  const unknown = onUnknownPath(plan);
  if (!isAnsweredAlike(await call.send(unknown), answer)) return false;
  return (await openly(unknown)).status === (await openly(plan)).status;
}

/** @throws Violation unless the answer has the shape of the operation: a success alone proves nothing */
async function mustServeControl(call: Call): Promise<void> {
  const answer = await call.controlAnswer();
  if (isRejected(answer)) throw new Untestable("control-rejected", "a valid call was rejected", [answer]);
  call.mustServe(answer, "a valid call");
}

function look(call: Call): Promise<Look> {
  const { target, operation } = call;
  return target.once(`existence ${operation.id}`, async () => {
    const { plan, lacking } = await bestRequest(call);
    const answer = await call.send(plan);
    const named = operation.pathParameter === undefined || lacking === undefined;
    const others = target.history().answers.statusesOf(operation);
    const isThere = [answer.status, ...others].some((status) => !saysNothing(status));
    if (isThere || !ABSENT.has(answer.status)) return { answer, found: "there" };
    const absent = named || answer.status !== 404 || (await isPeerAbsent(call));
    return { answer, found: absent ? "absent" : "unknown", ...(lacking ? { lacking } : {}) };
  });
}

function saysNothing(status: number): boolean {
  return ABSENT.has(status) || IN_FRONT.has(status) || status >= 500;
}

async function bestRequest(call: Call): Promise<{ plan: RequestPlan; lacking?: Untestable }> {
  try {
    return { plan: await call.valid() };
  } catch (error) {
    if (!(error instanceof Untestable)) throw error;
    return { plan: bareRequest(call), lacking: error };
  }
}

function bareRequest({ operation, version }: Call): RequestPlan {
  const bare = requestTo(operation, version);
  const named = operation.pathParameter === undefined ? bare : { ...bare, path: UNKNOWN };
  return operation.body === undefined ? named : withBody(named, {});
}

async function isPeerAbsent(call: Call): Promise<boolean> {
  const peer = peerOf(call);
  if (peer === undefined || hasAccepted(call.target, peer)) return false;
  return (await look(call.to(peer))).found === "absent";
}

function peerOf({ target, operation }: Call): Operation | undefined {
  const id = operation.pathParameter?.madeBy ?? operation.sameRecord?.list ?? operation.readBack?.read;
  return id === undefined ? undefined : operationById(target.spec, id);
}
