/** Repeats updates: after a write, a service may briefly reject one, or not find a new resource. */

import { NOT_FOUND } from "../../history/entry.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { SIMULTANEOUS } from "../target.ts";
import { wait } from "./load-limits.ts";
import type { Outgoing, Sender } from "./sender.ts";

export const IN_THE_WAY: ReadonlySet<number> = new Set([409, 423, 425]);

const FIRST_PAUSE_MS = 40;
const LASTING_AFTER = 2;

/** Sends an update again while its resource is busy (409), or not yet known (404), until the timeout in milliseconds. */
export function overBusyResources(
  next: Sender,
  timeoutMs: number,
  signal: AbortSignal,
  isJustCreated: (outgoing: Outgoing) => boolean = () => false,
): Sender {
  const outlasted = new Map<Operation, number>();
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    const times = outlasted.get(operation) ?? 0;
    let answer = await next(outgoing, use);
    if (operation.kind !== "update" || use.role === SIMULTANEOUS || times >= LASTING_AFTER) return answer;
    // A request that must be rejected may get the same status.
    const mayBeUnknown = use.valid && isJustCreated(outgoing);
    const isBusy = () => IN_THE_WAY.has(answer.status) || (mayBeUnknown && NOT_FOUND.has(answer.status));
    if (!isBusy()) return answer;
    const end = Date.now() + timeoutMs;
    for (let pause = FIRST_PAUSE_MS; isBusy() && Date.now() < end && !signal.aborted; pause *= 2) {
      await wait(Math.min(pause, end - Date.now()), signal);
      answer = await next(outgoing, use);
    }
    outlasted.set(operation, isBusy() ? times + 1 : 0);
    return answer;
  };
}
