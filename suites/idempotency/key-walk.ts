/** Repeats a create after requests that may make a service forget its key or unique values. */

import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import type { Creation } from "../../client/creations.ts";
import { freshKey } from "../../client/keys.ts";
import { listOf, updatesOfMade } from "../../client/relations.ts";
import type { Probe } from "../../client/target.ts";
import { MISSING, withCredentialFault } from "../../generators/credentials.ts";
import { type RequestPlan, requestTo, withBody, withHeaders } from "../../generators/request.ts";
import { uniqueFields } from "../../spec/identity.ts";
import type { Operation, Parameter, Spec } from "../../spec/model/spec.ts";
import { actionsOnMade, isAction } from "../../spec/operations.ts";
import { acceptedCreations } from "../shared/creation.ts";
import { probeOf } from "../shared/sampled.ts";
import { readsAroundAction } from "../updates/actions/probes.ts";
import { walkOf } from "../updates/probes.ts";
import { shuffled, walkOrder } from "../updates/walk/order.ts";

/** Returns the walks that send the create again: those of updates and actions, or one of its own if it has none. */
export function walksWith(spec: Spec, create: Operation): Probe[] {
  const actions = actionsOnMade(spec, create.id).map(readsAroundAction);
  const walks = updatesOfMade(spec, create).map(walkOf);
  return [...(walks.length > 0 || isAction(spec, create) ? walks : [keyWalkOf(create)]), ...actions];
}

/** Sends events between uses of one key that may make a service forget it, and the create again after each. */
export const keyWalkOf = probeOf("key walk", "write", async (call) => {
  const { target, operation } = call;
  const { seed } = target.settings;
  const uniqueNames = uniqueFields(target.spec, operation);
  const creations = await acceptedCreations(call);
  const sendsUniqueTexts = ({ sent }: Creation) =>
    uniqueNames.every((name) => typeof sent[name] === "string");
  const creation = creations.find(sendsUniqueTexts) ?? creations[0];
  if (!creation || !operation.idempotencyKey)
    throw new NotTested("control-rejected", `no ${operation.key} was accepted`);
  const events = eventsBetween(call, creation, operation.idempotencyKey, uniqueNames);
  const revealing = ["sent again", uniqueNames.length > 0 ? "taken values" : "another body"];
  const kinds = [...events.keys()].map((name) => ({ name, times: 1 }));
  // The list is read often. Repeating the create may free unique values, so it comes last.
  const once = [...events.keys()].filter((name) => name !== "a list" && name !== "sent again");
  const order = call.sendsAll
    ? walkOrder({ kinds, revealing, passes: 2, seed })
    : [...shuffled(once, seed), ...revealing];
  for (const name of order) await events.get(name)?.();
});

/** Returns the events by name. Some send a faulty body, or taken values under another key. */
function eventsBetween(
  call: Call,
  { plan, sent }: Creation,
  key: Parameter,
  uniqueNames: readonly string[],
): Map<string, () => Promise<unknown>> {
  const { target, operation } = call;
  const probe = async (request: RequestPlan | undefined) =>
    request && target.send(request, { role: "probe" });
  const underAnotherKey = (request: RequestPlan) =>
    withHeaders(request, { [key.name]: freshKey(target, key) });
  // A rejected body may make a service forget its key, or free its unique value.
  let faultyCount = Math.abs(target.settings.seed);
  const isOwnKey = () => faultyCount++ % 2 === 0;
  // With one taken value at a time, no other one is the reason for a rejection.
  let takenCount = Math.abs(target.settings.seed);
  const taken = () => {
    const name = uniqueNames[takenCount++ % uniqueNames.length] ?? "";
    return { [name]: sent[name] };
  };
  const events = new Map<string, () => Promise<unknown>>([
    ["sent again", () => target.send(plan, { role: "again" })],
    ["another body", async () => probe(withBody(plan, await call.body()))],
    [
      "a faulty body",
      async () => probe(await faultyRequest(call, isOwnKey() ? plan : underAnotherKey(plan))),
    ],
    ["no token", () => probe(withCredentialFault(plan, target.settings.token, target.runId, MISSING))],
  ]);
  if (uniqueNames.length > 0)
    events.set("taken values", async () =>
      probe(underAnotherKey(withBody(plan, { ...(await call.body()), ...taken() }))),
    );
  const list = listOf(target.spec, operation);
  if (list)
    events.set("a list", () =>
      target.send(requestTo(list, plan.version), { role: "read back", valid: true }),
    );
  return events;
}

async function faultyRequest(call: Call, plan: RequestPlan): Promise<RequestPlan | undefined> {
  const body = await call.body();
  const [fault] = await call.bodyFaults(body);
  return fault && withBody(plan, fault.breaking(body));
}
