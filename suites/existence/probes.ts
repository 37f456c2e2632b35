import type { Call } from "../../client/call.ts";
import { NotTested, stageOf } from "../../client/check.ts";
import { comparedAnswer, onUnknownPath } from "../../client/other-paths.ts";
import type { Probe } from "../../client/target.ts";
import { type RequestPlan, withBody, withHeaders } from "../../generators/request.ts";
import { isAnsweredAlike, UNKNOWN } from "../../history/answers/unknown-paths.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { plainProbe, probeOf } from "../shared/sampled.ts";
import { absenceDespiteId, fixtureOf, peerOf } from "./absence.ts";

/** Sends a valid request, or one for an unknown resource if no valid one is known. */
export const oneCall = probeOf("one call", "finish", async (call) => {
  try {
    await call.send(await call.valid());
  } catch (error) {
    if (error instanceof NotTested) await call.send(invalidRequest(call, UNKNOWN));
    throw error;
  }
});

/** Sends an invalid request, which creates nothing even if the operation exists. */
export function invalidCall(operation: Operation): Probe {
  return plainProbe("invalid call", operation, stageOf(operation), async (call) => {
    const { target } = call;
    const plan = invalidRequest(call, target.settings.fixtures[fixtureOf(operation) ?? ""] ?? UNKNOWN);
    const answer = await call.send(plan);
    const peer = peerOf(target.spec, operation);
    if (peer && !(target.settings.readOnly && peer.method !== "GET")) await target.probe(invalidCall(peer));
    if (answer.status !== 404 || absenceDespiteId(target.history(), operation)) return;
    const nowhere = onUnknownPath(plan, target.settings, target.spec);
    if (!isAnsweredAlike(comparedAnswer(await call.send(nowhere)), comparedAnswer(answer))) return;
    for (const request of [nowhere, plan]) await call.send(withHeaders(request, { authorization: null }));
  });
}

function invalidRequest(call: Call, path: string): RequestPlan {
  const plan = call.requestAt(path);
  return call.operation.body === undefined ? plan : withBody(plan, {});
}
