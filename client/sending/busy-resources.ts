/** Repeats updates: after a write, a service may briefly reject one. */

import type { Operation } from "../../spec/model/spec.ts";
import { SIMULTANEOUS } from "../target.ts";
import { wait } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

export const IN_THE_WAY: ReadonlySet<number> = new Set([409, 423, 425]);

const FIRST_PAUSE_MS = 40;
const LASTING_AFTER = 2;

export function overBusyResources(next: Sender, timeoutMs: number, signal: AbortSignal): Sender {
  const outlasted = new Map<Operation, number>();
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    const times = outlasted.get(operation) ?? 0;
    let answer = await next(outgoing, use);
    if (operation.kind !== "update" || use.role === SIMULTANEOUS || times >= LASTING_AFTER) return answer;
    const isBusy = () => IN_THE_WAY.has(answer.status);
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
