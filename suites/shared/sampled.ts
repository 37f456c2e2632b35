import { Call } from "../../client/call.ts";
import { stageOf } from "../../client/check.ts";
import { sideBySide, underVersions } from "../../client/side-by-side.ts";
import type { Probe, Target } from "../../client/target.ts";
import { allowedOf, sampledVersion, sendsAll } from "../../client/version-choice.ts";
import type { Stage } from "../../spec/model/check.ts";
import type { Operation } from "../../spec/model/spec.ts";

type Version = string | null;
type Send = (call: Call) => Promise<unknown>;

/** Returns one version that the seed picks, at depth full each allowed one. */
export function versionsToSend(target: Target, operation: Operation, purpose: string): Version[] {
  return sendsAll(target) ? allowedOf(target, operation) : [sampledVersion(target, operation, purpose)];
}

/** Sends under the default version. */
export function plainProbe(name: string, operation: Operation, stage: Stage, send: Send): Probe {
  return {
    id: `${name} ${operation.id}`,
    stage,
    run: async (target) => void (await send(new Call(target, operation))),
  };
}

/** Returns a function that makes this probe of an operation. It sends under the default version. */
export function probeOf<O extends Operation = Operation>(
  name: string,
  stage: Stage | ((operation: Operation) => Stage),
  send: (call: Call, operation: O) => Promise<unknown>,
): (operation: O) => Probe {
  return (operation) => {
    const own = typeof stage === "function" ? stage(operation) : stage;
    return plainProbe(name, operation, own, (call) => send(call, operation));
  };
}

/** Reads under each allowed version. */
export function eachVersionProbe(name: string, operation: Operation, send: Send): Probe {
  return versionsProbe(allowedOf, name, operation, "read", send);
}

/** Sends under the versions of `versionsToSend`. Probes of equal `purpose` get the same version. */
export function sampledProbe(
  name: string,
  operation: Operation,
  stage: Stage,
  send: Send,
  purpose = name,
): Probe {
  const versionsOf = (target: Target) => versionsToSend(target, operation, purpose);
  return versionsProbe(versionsOf, name, operation, stage, send);
}

/** Returns a probe that sends under each of these versions at the same time. */
export function versionsProbe(
  versionsOf: (target: Target, operation: Operation) => Version[],
  name: string,
  operation: Operation,
  stage: Stage,
  send: Send,
): Probe {
  return {
    id: `${name} ${operation.id}`,
    stage,
    run: (target) =>
      sideBySide(versionsOf(target, operation), (version) => send(new Call(target, operation, version))),
  };
}

/** Sends under one version that the seed picks, at depth full, too. */
export function oneVersionProbe(
  name: string,
  operation: Operation,
  stage: Stage,
  send: Send,
  purpose = name,
): Probe {
  const versionOf = (target: Target) => [sampledVersion(target, operation, purpose)];
  return versionsProbe(versionOf, name, operation, stage, send);
}

/** Sends each item under a version that the seed picks. At depth full, `underVersions` says how many it gets. */
export function itemsProbe<T>(
  name: string,
  operation: Operation,
  items: readonly T[],
  send: (call: Call, item: T) => Promise<unknown>,
): Probe {
  const id = `${name} ${operation.id}`;
  return {
    id,
    stage: stageOf(operation),
    run: (target) =>
      underVersions(target, operation, id, items, (item, version) =>
        send(new Call(target, operation, version), item),
      ),
  };
}

/** Sends each item as `itemsProbe` does. All must be rejected. */
export function rejectedProbe<T>(
  name: string,
  operation: Operation,
  items: readonly T[],
  send: (call: Call, item: T) => Promise<unknown>,
): Probe {
  return ofRejected(itemsProbe(name, operation, items, send), operation);
}

/** Marks a probe whose creates must all be rejected. The plan sends some of these before any accepted create. */
export function ofRejected(probe: Probe, { kind }: Operation): Probe {
  return { ...probe, sendsRejectedCreates: kind === "create" };
}

/** True if the target gets the version. Every target gets a version, and every version a target. */
export function shareOf(number: number, targets: number, index: number, versions: number): boolean {
  return targets < versions ? index % targets === number : number % versions === index;
}
