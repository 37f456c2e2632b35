/**
 * A resource may need a moment: right after it was made, or after it was changed, a service may say that it is at it
 * still. How soon a change may follow another is not specified: it is asked for again a little later.
 */

import type { Operation } from "../../spec/model/spec.ts";
import { SIMULTANEOUS } from "../target.ts";
import { wait } from "./load-limits.ts";
import type { Sender } from "./sender.ts";

/** Conflict, Locked, Too Early: what a service may say to a write while it is at another. */
export const IN_THE_WAY: ReadonlySet<number> = new Set([409, 423, 425]);

/** Milliseconds before an update is asked for again; twice as many before each next time. */
const FIRST_PAUSE = 40;
/** Refusals that outlast the patience this often, with none between that did not, are taken for an answer at once. */
const LASTING_AFTER = 2;

/** Asks again, equal in everything, for an update that is told to wait: for so many milliseconds in all, at the most. */
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
