/** Reads without a documented shape as witnesses of rejected calls. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { type Answer, isAccepted, resourceOf } from "../client/target.ts";
import * as header from "../generators/credentials.ts";
import { sameJson } from "../spec/json.ts";
import type { Credential } from "./wrong-credentials.ts";

export const STRANGERS: Credential[] = [
  { title: "without Authorization", make: header.noHeader },
  { title: "with an unknown token", make: header.unknownToken },
];

/** So that two readings fall into different seconds. */
const SLOW_PAUSE = 1_100;

/** An answer with a single result. @throws Untestable otherwise, since nothing promises one */
export function shown(answer: Answer): Answer {
  if (isAccepted(answer) && resourceOf(answer)) return answer;
  throw new Untestable("not-shown", "what it may change is not shown", [answer]);
}

/** @throws Untestable if the read data changes by itself */
export async function mustStandStill(call: Call, last: Answer): Promise<void> {
  const { target } = call;
  for (let count = 0; count < 2; count++) {
    await target.pause(SLOW_PAUSE);
    const again = await target.send(last.plan, { role: "again", valid: true });
    if (!sameJson(resourceOf(again), resourceOf(last)))
      throw new Untestable("drift", "what is read changes by itself", [last, again]);
  }
}
