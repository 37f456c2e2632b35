import type { Call } from "../../client/call.ts";
import { NotTested, stageOf } from "../../client/check.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { type Answer, isAccepted, type Probe, resourceOf } from "../../client/target.ts";
import { undocumentedRequest } from "../../client/undocumented.ts";
import { MISSING, UNKNOWN, withCredentialFault } from "../../generators/credentials.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { plainProbe, sampledProbe } from "../shared/sampled.ts";
import { differenceOf } from "./answers.ts";

/** Other clients may cause a difference, so reads are repeated. */
export const MOST_REPEATS = 4;

/** Sends a likely request, a GET again until two answers agree. */
export function plainRequests(operation: Operation): Probe {
  const send = async (call: Call) => {
    if (operation.method !== "GET" && !call.target.settings.postNamedOnly)
      throw new NotTested("not-shown", "it may do anything, so it is sent only with --post-named-only");
    const plan = await undocumentedRequest(call);
    if (operation.method !== "GET") return call.send(plan, "named only");
    let last = await call.target.ask(plan);
    for (let repeat = 0; repeat < MOST_REPEATS && isAccepted(last); repeat++) {
      const next = await call.send(plan, "again");
      if (next.status === last.status && !differenceOf(call.target.spec, last.json, next.json)) return last;
      last = next;
    }
    return last;
  };
  return sampledProbe("undocumented", operation, stageOf(operation), send, "named");
}

/** Sends writes without a valid token between reads that would show their effect. */
export function wrongTokensBetweenReads(write: Operation, read: Operation): Probe {
  // Later, writes with a valid token would show in the reads.
  return plainProbe("wrong tokens", write, "prepare", async (call) => {
    const { target } = call;
    const plan = await undocumentedRequest(call.to(read));
    const before = await target.ask(plan);
    if (!isAccepted(before) || !resourceOf(before)) return;
    const request = await undocumentedRequest(call);
    const { token } = target.settings;
    await sideBySide([MISSING, UNKNOWN], async (fault) => {
      const faulty = withCredentialFault(request, token, target.runId, fault);
      if (faulty) await call.send(faulty);
    });
    const look = () => target.send(plan, { role: "again", valid: true });
    const isSame = (answer: Answer) => sameJson(resourceOf(answer), resourceOf(before));
    // One equal read is enough: replicas may differ, and the record may change by itself.
    for (let count = 0; count <= MOST_REPEATS; count++) if (isSame(await look())) return;
    for (let count = 0; count < 2; count++) {
      await target.pause(SLOW_PAUSE);
      await look();
    }
  });
}

const SLOW_PAUSE = 1_100;
