/** Quotas of what is active, which are not specified: a service may take more that is inactive, and no more that is not. */

import type { RequestPlan } from "../generators/request.ts";
import { requestTo, withBody } from "../generators/request.ts";
import type { Operation } from "../spec/model/spec.ts";
import { activeField, switchesOn } from "./deactivation.ts";
import { makerOf } from "./relations.ts";
import { validBody } from "./supply.ts";
import { isAccepted, isRejected, type Target } from "./target.ts";
import { usualVersion } from "./version-choice.ts";

/** Each time that it is asked for and not met costs a resource. */
const MOST_ASKED = 2;

interface Quota {
  /** Whether the operation has made something active in this run. */
  taken: boolean;
  asked: number;
  met: boolean;
}

function quotaOf(target: Target, create: Operation): Promise<Quota> {
  return target.remember(`active quota ${create.id}`, async () => ({ taken: false, asked: 0, met: false }));
}

/** Takes note that an operation was accepted with something that is active. */
export async function seeActive(target: Target, { operation, body }: RequestPlan): Promise<void> {
  if (operation.kind !== "create" || !switchesOn(target, operation, sentBody(body))) return;
  (await quotaOf(target, operation)).taken = true;
}

/** Whether a call that was refused would have made something active, and none is taken any more that is created active. */
export async function takesNoMoreActive(
  target: Target,
  operation: Operation,
  sent: string | null,
): Promise<boolean> {
  const create = makerOf(target.spec, operation);
  if (!create || !switchesOn(target, operation, sent)) return false;
  const quota = await quotaOf(target, create);
  if (!quota.taken) return false;
  if (!quota.met && quota.asked++ < MOST_ASKED) quota.met = await takesOnlyInactive(target, create);
  return quota.met;
}

/** The JSON that a request sends. */
export function sentBody(body: RequestPlan["body"]): string | null {
  return body?.kind === "json" ? JSON.stringify(body.value) : null;
}

async function takesOnlyInactive(target: Target, create: Operation): Promise<boolean> {
  const active = activeField(target, create) ?? "";
  const send = async (value: boolean) => {
    const body = { ...(await validBody(target, create, "full")), [active]: value };
    const plan = withBody(requestTo(create, usualVersion(target, create)), body);
    return target.send(plan, { role: "control", valid: true });
  };
  return isRejected(await send(true)) && isAccepted(await send(false));
}
