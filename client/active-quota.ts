/** A service may limit the number of active resources (webhooks with `isActive: true`). */

import type { RequestPlan } from "../generators/request.ts";
import { requestTo, withBody } from "../generators/request.ts";
import type { Operation } from "../spec/model/spec.ts";
import { activeField, switchesOn } from "./deactivation.ts";
import { makerOf } from "./relations.ts";
import { isAccepted, isRejected, type Target } from "./target.ts";
import { validBody } from "./value-source.ts";
import { defaultVersion } from "./version-choice.ts";

const MOST_ASKED = 2;

interface Quota {
  taken: boolean;
  asked: number;
  met: boolean;
}

function quotaOf(target: Target, create: Operation): Promise<Quota> {
  return target.memoizeUnjudged(`active quota ${create.id}`, async () => ({
    taken: false,
    asked: 0,
    met: false,
  }));
}

export async function seeActive(target: Target, { operation, body }: RequestPlan): Promise<void> {
  if (operation.kind !== "create" || !switchesOn(target, operation, sentBody(body))) return;
  (await quotaOf(target, operation)).taken = true;
}

/** True if active resources were accepted before, and now only inactive ones are. */
export async function takesNoMoreActive(
  target: Target,
  operation: Operation,
  sent: string | null,
  wasTaken = false,
): Promise<boolean> {
  const create = makerOf(target.spec, operation);
  if (!create || !switchesOn(target, operation, sent)) return false;
  const quota = await quotaOf(target, create);
  if (!quota.taken && !wasTaken) return false;
  if (!quota.met && quota.asked++ < MOST_ASKED) quota.met = await takesOnlyInactive(target, create);
  return quota.met;
}

export function sentBody(body: RequestPlan["body"]): string | null {
  return body?.kind === "json" ? JSON.stringify(body.value) : null;
}

async function takesOnlyInactive(target: Target, create: Operation): Promise<boolean> {
  const active = activeField(target, create) ?? "";
  const send = async (value: boolean) => {
    const body = { ...(await validBody(target, create, "full")), [active]: value };
    const plan = withBody(requestTo(create, defaultVersion(target, create)), body);
    return target.send(plan, { role: "control", valid: true });
  };
  return isRejected(await send(true)) && isAccepted(await send(false));
}
