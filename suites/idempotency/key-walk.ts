/**
 * Sends an accepted create again after requests that may make a service forget its key or free its unique values.
 */

import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { freshKey } from "../../client/keys.ts";
import { listOf } from "../../client/relations.ts";
import type { Probe } from "../../client/target.ts";
import { bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import { MISSING, withCredentialFault } from "../../generators/credentials.ts";
import { type RequestPlan, requestTo, withBody, withHeaders } from "../../generators/request.ts";
import { uniqueFields } from "../../spec/identity.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { acceptedCreations } from "../shared/creation.ts";
import { plainProbe } from "../shared/sampled.ts";
import { shuffled, walkOrder } from "../updates/walk-order.ts";

export function keyWalkOf(create: Operation): Probe {
  return plainProbe("key walk", create, "write", keyWalk);
}

async function keyWalk(call: Call): Promise<void> {
  const { target, operation } = call;
  const { idempotencyKey: key } = operation;
  const names = uniqueFields(target.spec, operation);
  const made = await acceptedCreations(call);
  const first = made.find(({ sent }) => names.every((name) => typeof sent[name] === "string")) ?? made[0];
  if (!first || !key) throw new NotTested("control-rejected", `no ${operation.key} was accepted`);
  const { plan, sent } = first;
  const list = listOf(target.spec, operation);
  const rejected = (request: RequestPlan | undefined) => request && target.send(request, { role: "probe" });
  const anotherKey = (request: RequestPlan) => withHeaders(request, { [key.name]: freshKey(target, key) });
  const taken = Object.fromEntries(names.map((name) => [name, sent[name]]));
  const events: Record<string, () => Promise<unknown> | undefined> = {
    "sent again": () => target.send(plan, { role: "again" }),
    "another body": async () => rejected(withBody(plan, await call.body())),
    "a faulty body under another key": async () => rejected(await faulty(call, anotherKey(plan))),
    "no token": () => rejected(withCredentialFault(plan, target.settings.token, target.runId, MISSING)),
    "taken values": async () => rejected(anotherKey(withBody(plan, { ...(await call.body()), ...taken }))),
    "a list": async () =>
      list && target.send(requestTo(list, plan.version), { role: "read back", valid: true }),
  };
  const isThere = (name: string) =>
    name === "taken values" ? names.length > 0 : name !== "a list" || list !== undefined;
  const there = Object.keys(events).filter(isThere);
  const judging = ["sent again", names.length > 0 ? "taken values" : "another body"];
  const { depth, seed } = target.settings;
  const order =
    depth === "full" ? judgedAfterEach(there, judging, seed) : judgedAtTheEnd(there, judging, seed);
  for (const name of order) await events[name]?.();
}

function judgedAfterEach(events: readonly string[], judging: readonly string[], seed: number): string[] {
  const kinds = events.map((name) => ({ name, times: 1, isJudged: true }));
  return walkOrder({ kinds, judging, passes: 2, sampledCount: 0, seed });
}

/**
 * Returns all events except the list, which other probes often read. The create is sent again next to last. This may
 * free its unique values, so their second use comes last.
 */
function judgedAtTheEnd(events: readonly string[], judging: readonly string[], seed: number): string[] {
  const once = events.filter((name) => name !== "a list" && name !== judging[0]);
  return [...shuffled(once, seed), ...judging];
}

async function faulty(call: Call, plan: RequestPlan): Promise<RequestPlan | undefined> {
  const { body: schema = {} } = call.operation;
  const source = await call.valueSource();
  const body = await call.body();
  const fault = bodyViolations(schema, source).find((each) => isConfirmed(each, body, schema, source));
  return fault && withBody(plan, fault.breaking(body));
}
