/** Sends updates one after the other, with a read between them. Rules judge the steps and send nothing. */

import type { Call } from "../../client/call.ts";
import { type Evidence, Untestable } from "../../client/check.ts";
import { sendBody } from "../../client/subjects.ts";
import { type Answer, isAccepted, resourceOf } from "../../client/target.ts";
import { isNamedBy } from "../../client/verdicts.ts";
import type { Difference } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { echoFaults } from "../shared/echo.ts";
import { optionalFields } from "./fields.ts";
import { type LastSeen, readBack, readerOf } from "./read-back.ts";
import { readNow, readSettled } from "./settled-reads.ts";
import { nextVariation, pick, requiredAnd, restartVariations, updateRequest } from "./updating.ts";

export interface Step {
  what: string;
  version: string | null;
  before?: LastSeen;
  sent: JsonObject;
  answer: Answer;
  /** The read after the update. Undefined if the update was rejected, or if nothing was read after it. */
  after?: LastSeen;
  unread?: Untestable;
  unshown?: Difference[];
  /** Differences only in order or casing, which a service may cause by cleaning up its input. */
  respelled?: Difference[];
  unstored?: Difference[];
}

export interface StepPlan {
  what: string;
  version?: string | null;
  make(before: JsonObject, earlier: readonly Step[]): Promise<JsonObject | undefined>;
  doubtful?: true;
  /** True if nothing reads the resource after the update, so that only the answer is judged. */
  blind?: true;
}

/**
 * Sends several updates to one resource; the caller holds its lock. If no operation shows the resource, only
 * the answers are judged. With `anew` the resource is read first, unless a read since the last write exists.
 */
export async function updatesInTurn(
  call: Call,
  id: string,
  plans: readonly StepPlan[],
  { anew = false } = {},
): Promise<Step[]> {
  const { target } = call;
  const earlier: Step[] = [];
  restartVariations(target);
  const first = plans.every(({ blind }) => blind)
    ? undefined
    : await unlessUntestable(() => (anew ? readBack(call, id) : readNow(call, id)));
  let before = first instanceof Untestable ? undefined : first;
  for (const plan of plans) {
    const sent = await plan.make(before?.resource ?? {}, earlier);
    if (!sent) continue;
    const step = await oneUpdate(call, id, plan, sent, before);
    earlier.push(step);
    before = step.after ?? before;
  }
  return earlier;
}

async function oneUpdate(
  call: Call,
  id: string,
  plan: StepPlan,
  sent: JsonObject,
  before: LastSeen | undefined,
): Promise<Step> {
  const { target, operation } = call;
  const version = plan.version === undefined ? call.version : plan.version;
  const request = updateRequest(operation, id, version, sent);
  const answer = await sendBody(target, request, plan.doubtful ? "probe" : "update");
  const step: Step = { what: plan.what, version, sent, answer, ...(before ? { before } : {}) };
  if (!isAccepted(answer)) return step;
  const reader = readerOf(target.spec, operation);
  const shown = resourceOf(answer);
  if (shown) {
    const unshown = await echoFaults(target, operation, sent, shown);
    const lacking = new Set(unshown.map(({ pointer }) => pointer));
    const exact = await echoFaults(target, operation, sent, shown, operation, true);
    step.unshown = unshown;
    step.respelled = exact.filter(({ pointer }) => !lacking.has(pointer));
  }
  if (plan.blind) return step;
  // A value that an update does not accept never shows, so no read waits for it.
  const taken = new Set(Object.keys(target.spec.schemas.flatten(operation.body ?? {}).properties ?? {}));
  const after = await unlessUntestable(() => readSettled(call, id, pick(sent, taken)));
  if (after instanceof Untestable) step.unread = after;
  else {
    step.after = after;
    step.unstored = await echoFaults(target, operation, sent, after.resource, reader);
  }
  return step;
}

async function unlessUntestable<T>(work: () => Promise<T>): Promise<T | Untestable> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Untestable) return error;
    throw error;
  }
}

export function switchesOf(spec: Spec, body: Schema): string[] {
  const switches = spec.schemas.fields(body).filter(([, field]) => typesOf(field).includes("boolean"));
  return switches.map(([name]) => name);
}

/** The optional fields of an update that are no switches. */
export function plainFields(spec: Spec, operation: Operation): string[] {
  const switches = new Set(switchesOf(spec, operation.body ?? {}));
  return optionalFields(spec, operation).filter((name) => !switches.has(name));
}

const VARIATIONS_TRIED = 4;

export async function otherBody(call: Call, before: JsonObject): Promise<JsonObject> {
  const { target, operation } = call;
  const variation = nextVariation(target);
  const body = await call.body("full", variation);
  for (const name of switchesOf(target.spec, operation.body ?? {}))
    if (name in body) body[name] = before[name] !== true;
  for (let other = 1; other < VARIATIONS_TRIED; other++) {
    const faults = await echoFaults(target, operation, body, before);
    const differing = new Set(faults.map(({ pointer }) => pointer.split("/")[1]));
    const same = Object.keys(body).filter((name) => name in before && !differing.has(name));
    if (same.length === 0) break;
    const next = await call.body("full", variation + other);
    for (const name of same) if (typeof body[name] !== "boolean" && name in next) body[name] = next[name];
  }
  return body;
}

export async function otherValues(call: Call, before: JsonObject, names: string[]): Promise<JsonObject> {
  const full = await otherBody(call, before);
  return requiredAnd(call.target.spec, call.operation, full, names);
}

export function stepEvidence({ before, answer, after }: Step): Evidence {
  return [before, answer, after];
}

export function mustBeShown(step: Step): void {
  const { before, answer, after } = step;
  const { path = "" } = answer.plan;
  const shown = [before?.resource, resourceOf(answer), after?.resource];
  if (!shown.some((resource) => resource && isNamedBy(path, resource)))
    throw new Untestable("no-data", `nothing shows ${path}, before or after`, stepEvidence(step));
}
