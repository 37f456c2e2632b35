/** Sends updates one after the other, with a read between them. Rules judge the steps and send nothing. */

import type { Call } from "../../client/call.ts";
import { type Evidence, Untestable } from "../../client/check.ts";
import { sendBody } from "../../client/subjects.ts";
import { type Answer, isAccepted, resourceOf } from "../../client/target.ts";
import { isNamedBy } from "../../client/verdicts.ts";
import { changes, type Difference, headerFields } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { typesOf } from "../../spec/schema.ts";
import { echoFaults } from "../shared/echo.ts";
import { movingByThemselves, volatileFields } from "./moving-fields.ts";
import { documentedResource, type LastSeen, readBack, readerOf } from "./read-back.ts";
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
  /** Changes of fields that were not sent, in the answer or the next read, without volatile fields. */
  moved: Difference[];
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
  const step: Step = { what: plan.what, version, sent, answer, moved: [], ...(before ? { before } : {}) };
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
  if (before) step.moved = await movedBy(call, id, step, before);
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

/**
 * Changes of fields that were not sent, in the next read or in the answer, unless they also change without an
 * update.
 */
async function movedBy(call: Call, id: string, step: Step, { resource }: LastSeen): Promise<Difference[]> {
  const { target, operation, version } = call;
  const { spec } = target;
  const { compared: names, secret } = unsentFields(spec, operation, step.sent);
  const headers = headerFields(spec.schemas, operation.body);
  const before = pick(resource, names);
  const shown = documentedResource(spec, operation, resourceOf(step.answer) ?? {});
  // Under another version the answer may have fewer fields than the read.
  const comparable = [...names].filter(
    (name) => sameShape(spec, operation, name) && (step.version === version || shown[name] !== undefined),
  );
  const inAnswer = resourceOf(step.answer)
    ? changes(pick(before, new Set(comparable)), pick(shown, new Set(comparable)), headers)
    : [];
  // Answers may leave secrets out, but a read that masked a secret before must mask it in the same way again.
  const read = new Set([...names, ...secret]);
  const inRead = step.after ? changes(pick(resource, read), pick(step.after.resource, read), headers) : [];
  const moved = [...inRead, ...inAnswer];
  if (moved.length === 0) return [];
  const look = async () => (await readBack(call, id)).resource;
  const volatileNames = step.after ? await volatileFields(target, look) : new Set<string>();
  const blamed = moved.filter(
    ({ pointer }, index) =>
      !volatileNames.has(pointer) && moved.findIndex((other) => other.pointer === pointer) === index,
  );
  const lively = blamed.map(({ pointer }) => pointer).filter((pointer) => !isKept(spec, operation, pointer));
  if (lively.length === 0 || !step.after) return blamed;
  const moving = await movingByThemselves(target, operation, lively, look);
  return blamed.filter(({ pointer }) => !moving.has(pointer));
}

/** True if only an update of a field changes it. Volatile fields are left out. */
function isKept(spec: Spec, operation: Operation, pointer: string): boolean {
  const name = pointer.split("/")[1] ?? "";
  const sent = spec.schemas.flatten(operation.body ?? {}).properties?.[name];
  if (sent) return spec.schemas.flatten(sent)["x-consumes"] === undefined;
  return lastingFields(spec, operation).has(name);
}

/**
 * Documented fields that were not sent and must stay, without defaults, volatile fields and times of the
 * update. Secrets are listed apart.
 */
function unsentFields(
  spec: Spec,
  operation: Operation,
  sent: JsonObject,
): { compared: Set<string>; secret: Set<string> } {
  const taken = spec.schemas.flatten(operation.body ?? {}).properties ?? {};
  const resource = spec.schemas.flatten(readerOf(spec, operation)?.resource ?? {});
  const lasting = lastingFields(spec, operation);
  const compared = new Set<string>();
  const secret = new Set<string>();
  for (const [name, child] of Object.entries(resource.properties ?? {})) {
    const body = taken[name] && spec.schemas.flatten(taken[name]);
    const telling = spec.schemas.flatten(child).format === "date-time" && !body && !lasting.has(name);
    if (name in sent || body?.default !== undefined || telling) continue;
    (body && spec.schemas.holdsSecret(body) ? secret : compared).add(name);
  }
  return { compared, secret };
}

export function lastingFields(spec: Spec, operation: Operation): Set<string> {
  const resource = operation.resource && spec.schemas.flatten(operation.resource);
  const taken = spec.schemas.flatten(operation.body ?? {}).properties ?? {};
  const lasting = [...(resource?.["x-fixed"] ?? []), ...(resource?.["x-settled"] ?? [])];
  return new Set(lasting.filter((name) => !(name in taken)));
}

/** True if an answer has the same schema as the read for a field, so that both can be compared. */
function sameShape(spec: Spec, operation: Operation, name: string): boolean {
  const reader = readerOf(spec, operation);
  const own = operation.resource && spec.schemas.flatten(operation.resource).properties?.[name];
  const other = reader?.resource && spec.schemas.flatten(reader.resource).properties?.[name];
  return own !== undefined && own === other;
}

export function switchesOf(spec: Spec, body: Schema): string[] {
  const switches = spec.schemas.fields(body).filter(([, field]) => typesOf(field).includes("boolean"));
  return switches.map(([name]) => name);
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
