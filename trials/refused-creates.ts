/** Creating calls that must be rejected, to search for their effects. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { refusedHeaders } from "../client/controls.ts";
import { uniqueFields } from "../client/supply.ts";
import { isAccepted, isRejected } from "../client/target.ts";
import { bodyViolations, isConfirmed } from "../generators/body-faults.ts";
import { type RequestPlan, requestTo, withBody, withHeaders } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import type { RejectedCreation } from "./left-behind.ts";

export interface Cause {
  requirement: string;
  detail: string;
  title(operation: Operation): string;
  /** Calls that must all be rejected for that reason alone. The tag of the body stays in them. */
  calls(call: Call, valid: JsonObject, parts: Parts): Promise<RequestPlan[]>;
  /** True if the rejected calls of other rules are judged with it. */
  others: boolean;
}

interface Parts {
  headersAlone?: boolean;
  /** True to break every place that has a rule, also at depth quick. */
  everywhere?: boolean;
  /** Fields of the valid body that every broken one keeps. */
  kept?: readonly string[];
}

/** Sends calls that must be rejected; none if one was accepted, which is the finding of another rule. */
export async function rejections(
  call: Call,
  cause: Cause,
  valid: JsonObject,
  parts: Parts,
): Promise<RejectedCreation[]> {
  await call.control();
  const refused: RejectedCreation[] = [];
  for (const plan of await cause.calls(call, valid, parts)) {
    const answer = await call.target.send(plan, { role: "rejected" });
    const sent = plan.body?.kind === "json" ? (plan.body.value as JsonObject) : {};
    if (isRejected(answer)) refused.push({ sent, answer });
    else if (isAccepted(answer)) return [];
  }
  return refused;
}

function plain(call: Call, valid: JsonObject): RequestPlan {
  const { operation, version } = call;
  return withBody(requestTo(operation, version), valid);
}

const ENOUGH = 8;

/** The valid body with one fault, for places with a rule (all of them at depth full), and without required headers. */
export async function brokenCalls(call: Call, valid: JsonObject, parts: Parts): Promise<RequestPlan[]> {
  const { operation } = call;
  return [
    ...(parts.headersAlone ? [] : await brokenBodies(call, valid, parts)).map((sent) => plain(call, sent)),
    ...refusedHeaders(operation).map((headers) => withHeaders(plain(call, valid), headers)),
  ];
}

/** The valid body with one fault each: at depth full for each place with a rule, at depth quick for a few. */
async function brokenBodies(
  call: Call,
  valid: JsonObject,
  { kept = [], everywhere = false }: Parts,
): Promise<JsonObject[]> {
  const { target, operation } = call;
  const body = operation.body ?? {};
  const supply = await call.supply();
  const places = new Map<string, JsonObject>();
  for (const violation of bodyViolations(body, supply)) {
    const [, name = ""] = violation.pointer.split("/");
    if (kept.includes(name) || !isConfirmed(violation, valid, body, supply)) continue;
    const place = `${violation.pointer} ${violation.constraint}`;
    if (!places.has(place)) places.set(place, violation.breaking(valid));
  }
  const bodies = [...places.values()];
  const step =
    everywhere || target.settings.depth === "full" ? 1 : Math.max(1, Math.ceil(bodies.length / ENOUGH));
  const turn = target.settings.seed % step;
  return bodies.filter((_, index) => index % step === turn);
}

export async function unauthenticatedCalls(call: Call, valid: JsonObject): Promise<RequestPlan[]> {
  return [null, `Bearer conformance-unknown-${call.target.runId}`].map((authorization) => ({
    ...withHeaders(plain(call, valid), { authorization }),
    authorizationLabel: "an unknown token",
  }));
}

/** Another body with a used key, if it is rejected, which is only a SHOULD. */
export async function underUsedKey(call: Call): Promise<RejectedCreation[]> {
  const { target, operation } = call;
  if (!operation.idempotencyKey) return [];
  const { plan, answer: first } = await call.plain("full");
  if (!isAccepted(first)) return [];
  const sent = await call.body("full", 2);
  const answer = await target.send(withBody(plan, sent), { role: "rejected" });
  return isRejected(answer) ? [{ sent, answer }] : [];
}

export function nothingRejected(): Untestable {
  return new Untestable("no-data", "nothing was rejected, so nothing can be left behind");
}

/** Sends one body in calls that must be rejected for some causes, and then in a valid call. */
export async function freed(call: Call, causes: Cause[]) {
  const valid = await call.body();
  const refused = new Map<Cause, RejectedCreation[]>();
  for (const cause of causes) {
    const rejected = await rejections(call, cause, valid, {
      kept: uniqueFields(call.target.spec, call.operation.body ?? {}),
    });
    if (rejected.length > 0) refused.set(cause, rejected);
  }
  const answer = await call.send(plain(call, valid), "create");
  return { valid, refused, answer };
}
