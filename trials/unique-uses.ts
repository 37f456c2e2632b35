/** Uses of values that are unique in a space. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { type Creation, idOf } from "../client/creations.ts";
import { uniqueFields } from "../client/supply.ts";
import { type Answer, isAccepted } from "../client/target.ts";
import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import { sameJson } from "../spec/json.ts";
import type { Spec } from "../spec/model/spec.ts";
import { allowsNull } from "../spec/schema.ts";
import { acceptedCreations } from "./creation.ts";
import { burst, repeatableBody } from "./key-replay.ts";
import { operationsOf, type Place } from "./rule.ts";

/** A field of a creating call whose values are unique in a space. */
export interface UniquePlace extends Place {
  name: string;
  required: boolean;
  nullable: boolean;
}

/** Every such field. */
export function uniquePlaces(spec: Spec): UniquePlace[] {
  return operationsOf(spec, "create").flatMap((operation) => {
    const flat = spec.schemas.flatten(operation.body ?? {});
    return uniqueFields(spec, operation.body ?? {}).map((name) => ({
      operation,
      name,
      detail: name,
      required: flat.required?.includes(name) ?? false,
      nullable: allowsNull(spec.schemas.flatten(flat.properties?.[name] ?? {})),
    }));
  });
}

/** A creating call with a body, in the first space or in the second. */
export function planWith({ operation, version }: Call, body: JsonObject, space?: "second"): RequestPlan {
  return { ...withBody(requestTo(operation, version), body), ...(space ? { space } : {}) };
}

/** The use of a value: `first` is followed by others, so that it is not also the latest. */
export type Use = "first" | "latest" | "longest";

/**
 * A creation that used a value. The latest is not the first if there is another, since other rules send the first
 * to other spaces.
 */
export async function firstUse(call: Call, { name }: UniquePlace, which: Use = "first"): Promise<Creation> {
  const { operation, version } = call;
  const made = await acceptedCreations(call);
  const used = made.filter((creation) => isUse(creation, name));
  const [first, ...later] = used;
  const latest = later.filter((each) => each.version === version).at(-1) ?? later.at(-1) ?? first;
  const lengthOf = ({ sent }: Creation) => String(sent[name]).length;
  const [longest] = [...used].sort((one, other) => lengthOf(other) - lengthOf(one));
  const chosen = { first, latest, longest }[which];
  if (chosen) return chosen;
  throw new Untestable("control-rejected", `no ${operation.key} with ${name} was accepted`);
}

/** The first call of the scenario as a use of a value, if it has one; else another one. */
export async function plainUse(call: Call, at: UniquePlace): Promise<Creation> {
  const { target } = call;
  const plain = await call.usual.plain("full");
  return idOf(target, plain) !== undefined && isUse(plain, at.name) ? plain : firstUse(call, at);
}

function isUse({ sent }: Creation, name: string): boolean {
  return typeof sent[name] === "string" || typeof sent[name] === "number";
}

/** A full body that shares as few values as possible with another one. */
export async function bodyUnlike(call: Call, other: JsonObject): Promise<JsonObject> {
  const bodies = await Promise.all([2, 3].map((salt) => call.body("full", salt)));
  const shared = (body: JsonObject) =>
    Object.keys(body).filter((name) => sameJson(body[name], other[name])).length;
  return bodies.reduce((best, body) => (shared(body) < shared(best) ? body : best));
}

/** The answer to another call with null in the unique field: one of a burst that was accepted, or a new one. */
export async function nullAgain(call: Call, round: number): Promise<Answer> {
  const several = await burst(call, round).catch((error: unknown) => {
    if (!(error instanceof Untestable)) throw error;
    return undefined;
  });
  const accepted = several?.answers.find(isAccepted);
  return accepted ?? call.send(planWith(call, await repeatableBody(call)));
}
