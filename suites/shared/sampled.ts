import { Call } from "../../client/call.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import type { Probe, Target } from "../../client/target.ts";
import { allowedOf, sampledVersion, sendsAll } from "../../client/version-choice.ts";
import type { Stage } from "../../spec/model/check.ts";
import type { Operation } from "../../spec/model/spec.ts";

export function versionsToSend(target: Target, operation: Operation, purpose: string): (string | null)[] {
  return sendsAll(target) ? allowedOf(target, operation) : [sampledVersion(target, operation, purpose)];
}

export function plainProbe(
  name: string,
  operation: Operation,
  stage: Stage,
  send: (call: Call) => Promise<unknown>,
): Probe {
  return {
    id: `${name} ${operation.id}`,
    stage,
    run: async (target) => void (await send(new Call(target, operation))),
  };
}

export function writesUnder(
  name: string,
  operation: Operation,
  send: (call: Call) => Promise<unknown>,
): Probe {
  return {
    id: `${name} ${operation.id}`,
    stage: "write",
    run: (target) =>
      sideBySide(versionsToSend(target, operation, name), (version) =>
        send(new Call(target, operation, version)),
      ),
  };
}

/** True if the target gets the version. Every target gets a version, and every version a target. */
export function shareOf(number: number, targets: number, index: number, versions: number): boolean {
  return targets < versions ? index % targets === number : number % versions === index;
}
