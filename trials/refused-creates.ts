/** Creating calls that must be rejected, so that what is left of them can be looked for. */

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
  /** Calls with a body that must all be rejected, for that reason alone; what is to be looked for stays in them. */
  calls(call: Call, valid: JsonObject, parts: Parts): Promise<RequestPlan[]>;
  /** Whether what other rules had rejected is judged with it. */
  others: boolean;
}

interface Parts {
  headersAlone?: boolean;
  /** Whether every place that has a rule is broken, at depth quick too. */
  everywhere?: boolean;
  /** Fields of the valid body that every broken one has as well. */
  kept?: readonly string[];
}

/** Sends what must be rejected; none where something was accepted, which is the finding of another rule. */
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

/** The valid body with one fault, for places that have a rule (all of them at depth full), and without what headers must say. */
export async function brokenCalls(call: Call, valid: JsonObject, parts: Parts): Promise<RequestPlan[]> {
  const { operation } = call;
  return [
    ...(parts.headersAlone ? [] : await brokenBodies(call, valid, parts)).map((sent) => plain(call, sent)),
    ...refusedHeaders(operation).map((headers) => withHeaders(plain(call, valid), headers)),
  ];
}

/** The valid body with one fault each: at depth full one for each place that has a rule, at depth quick a few of them. */
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

/** Another body under a key that was used, where it is rejected: that it is, is no more than expected. */
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

/** Has calls with one body rejected for some causes, and then sends it as it should be. */
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
