import { Call } from "../../client/call.ts";
import { NotTested, stageOf } from "../../client/check.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { type Answer, isAccepted, type Probe, resourceOf } from "../../client/target.ts";
import { undocumentedRequest } from "../../client/undocumented.ts";
import { allowedOf, sampledVersion, sendsAll } from "../../client/version-choice.ts";
import { MISSING, UNKNOWN, withCredentialFault } from "../../generators/credentials.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { differenceOf } from "./differences.ts";

/** Other clients may cause a difference, so reads are repeated. */
export const MOST_REPEATS = 4;

export function plainRequests(operation: Operation): Probe {
  return {
    id: `undocumented ${operation.id}`,
    stage: stageOf(operation),
    async run(target) {
      if (operation.method !== "GET" && !target.settings.postNamedOnly)
        throw new NotTested("not-shown", "it may do anything, so it is sent only with --post-named-only");
      const sampled = sampledVersion(target, operation, "named");
      const versions = sendsAll(target) ? allowedOf(target, operation) : [sampled];
      await sideBySide(versions, async (version) => {
        const call = new Call(target, operation, version);
        const plan = await undocumentedRequest(call);
        if (operation.method !== "GET") return call.send(plan, "named only");
        let last = await call.target.ask(plan);
        for (let repeat = 0; repeat < MOST_REPEATS && isAccepted(last); repeat++) {
          const next = await call.send(plan, "again");
          if (next.status === last.status && !differenceOf(call.target.spec, last.json, next.json))
            return last;
          last = next;
        }
        return last;
      });
    },
  };
}

export function wrongTokensBetweenReads(write: Operation, read: Operation): Probe {
  return {
    id: `wrong tokens ${write.id}`,
    // Later, writes with a valid token would show in the reads.
    stage: "prepare",
    async run(target) {
      const call = new Call(target, write);
      const there = call.to(read);
      const plan = await undocumentedRequest(there);
      const before = await there.target.ask(plan);
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
    },
  };
}

const SLOW_PAUSE = 1_100;
