/**
 * Right after a resource was made or changed, a service may reject an update for a moment. The specification sets
 * no time, so the update is sent again a little later.
 */

import type { Operation } from "../../spec/model/spec.ts";
import { SIMULTANEOUS } from "../target.ts";
import { wait } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

/** Conflict, Locked, Too Early: answers of a service that is still busy with another write. */
export const IN_THE_WAY: ReadonlySet<number> = new Set([409, 423, 425]);

/** Milliseconds before an update is sent again. Each further pause is twice as long. */
const FIRST_PAUSE = 40;
/** After this many refusals in a row that outlasted the wait, a refusal counts at once. */
const LASTING_AFTER = 2;

/** Sends an update again while the resource is busy, for at most `patience` milliseconds. */
export function overBusyResources(next: Sender, patience: number, signal: AbortSignal): Sender {
  const outlasted = new Map<Operation, number>();
  return async (outgoing, use) => {
    const { operation } = outgoing.plan;
    const times = outlasted.get(operation) ?? 0;
    let answer = await next(outgoing, use);
    if (operation.kind !== "update" || use.role === SIMULTANEOUS || times >= LASTING_AFTER) return answer;
    const isBusy = () => IN_THE_WAY.has(answer.status);
    if (!isBusy()) return answer;
    const end = Date.now() + patience;
    for (let pause = FIRST_PAUSE; isBusy() && Date.now() < end && !signal.aborted; pause *= 2) {
      await wait(Math.min(pause, end - Date.now()), signal);
      answer = await next(outgoing, use);
    }
    outlasted.set(operation, isBusy() ? times + 1 : 0);
    return answer;
  };
}
