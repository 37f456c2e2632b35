/** A service may limit the number of active resources (webhooks with `isActive: true`). */

import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import { isObject, jsonIn } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { makerOf } from "./relations.ts";
import { isAccepted, isRejected, type Target } from "./target.ts";
import { validBody } from "./value-source.ts";
import { defaultVersion } from "./version-choice.ts";

interface Quota {
  asked: number;
  isExhausted: boolean;
  asking: Promise<boolean> | undefined;
}

/** Asks if the quota is exhausted, at most `most` times until it is. Simultaneous callers share an answer. */
export async function isExhausted(
  target: Target,
  name: string,
  most: number,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const quota = await target.memoizeUnjudged<Quota>(`quota ${name}`, async () => ({
    asked: 0,
    isExhausted: false,
    asking: undefined,
  }));
  if (quota.isExhausted || (!quota.asking && quota.asked >= most)) return quota.isExhausted;
  if (!quota.asking) {
    quota.asked++;
    quota.asking = ask();
  }
  try {
    quota.isExhausted = await quota.asking;
  } finally {
    quota.asking = undefined;
  }
  return quota.isExhausted;
}

/** Returns the field that says if a webhook is active, such as `active`. */
export function activeField(target: Target, create: Operation): string | undefined {
  return create.body && target.spec.schemas.flatten(create.body)["x-deliveries"]?.active;
}

/** True if the body sets the webhook active. */
export function switchesOn(target: Target, operation: Operation, body: string | null): boolean {
  const create = makerOf(target.spec, operation);
  const active = create && activeField(target, create);
  const sent = body === null ? undefined : jsonIn(body);
  return active !== undefined && isObject(sent) && sent[active] === true;
}

const MOST_ASKED = 2;

function createsOfActive(target: Target): Promise<Set<Operation>> {
  return target.memoizeUnjudged("creates of active resources", async () => new Set<Operation>());
}

/** Remembers a create that made an active resource. */
export async function seeActive(target: Target, { operation, body }: RequestPlan): Promise<void> {
  if (operation.kind !== "create" || !switchesOn(target, operation, sentBody(body))) return;
  (await createsOfActive(target)).add(operation);
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
  if (!wasTaken && !(await createsOfActive(target)).has(create)) return false;
  return isExhausted(target, `of active ${create.id}`, MOST_ASKED, () => takesOnlyInactive(target, create));
}

/** Returns a JSON body as text, and null for any other body. */
export function sentBody(body: RequestPlan["body"]): string | null {
  return body?.kind === "json" ? JSON.stringify(body.value) : null;
}

async function takesOnlyInactive(target: Target, create: Operation): Promise<boolean> {
  const active = activeField(target, create) ?? "";
  const send = async (isActive: boolean) => {
    const body = { ...(await validBody(target, create, "full")), [active]: isActive };
    const plan = withBody(requestTo(create, defaultVersion(target, create)), body);
    return target.send(plan, { role: "control", valid: true });
  };
  return isRejected(await send(true)) && isAccepted(await send(false));
}
