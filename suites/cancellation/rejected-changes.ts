import type { Call } from "../../client/call.ts";
import { rejectedHeaders } from "../../client/controls.ts";
import { hasUnknownSpace, unknownSpace } from "../../client/spaces.ts";
import type { BodyFault } from "../../generators/body-faults.ts";
import { type RequestPlan, withBody, withHeaders } from "../../generators/request.ts";
import { requirementOf } from "../../history/request-faults/body.ts";
import { fieldAt, type JsonObject } from "../../spec/json.ts";
import { rotated } from "../../spec/ordered.ts";
import { nextVariation } from "../updates/bodies.ts";
import type { OneWay } from "./targets.ts";

const OF_TYPE: ReadonlySet<string> = new Set(["type", "required"]);

/**
 * Returns changes that must be rejected, each with another body: faulty ones, after which a service may show a wrong
 * state for a moment, and some with an unknown token or in another space.
 */
export async function rejectedChanges(call: Call, { name, value }: OneWay, id: string) {
  const { target, operation } = call;
  const { space } = operation;
  const { seed, secondSpace } = target.settings;
  const newBody = async () => ({ ...(await call.body("full", nextVariation(target))), [name]: value });
  const change = (body: JsonObject) => withBody(call.requestAt(id), body);
  const validChange = async () => change(await newBody());
  const body = await newBody();
  const headers = rotated(rejectedHeaders(operation), seed).slice(0, 1);
  const [authorization = null] = rotated([null, `Bearer conformance-unknown-${target.runId}`], seed);
  const faulty = [
    ...headers.map((header) => withHeaders(change(body), header)),
    ...(await faultyBodies(call, name, body)).map(change),
  ];
  const unauthorised: RequestPlan[] = [
    { ...withHeaders(await validChange(), { authorization }), authorizationLabel: "an unknown token" },
  ];
  if (space && hasUnknownSpace(target, space.schema))
    unauthorised.push(withHeaders(await validChange(), { [space.name]: unknownSpace(target, space.schema) }));
  if (space && secondSpace !== undefined) unauthorised.push({ ...(await validChange()), space: "second" });
  return { faulty, unauthorised };
}

/** Returns bodies that break a MUST in another field: a type, or a limit, which a service may check late. */
async function faultyBodies(call: Call, name: string, sent: JsonObject): Promise<JsonObject[]> {
  const { target } = call;
  const faults = (await faultsIn(call, sent)).filter(({ pointer }) => fieldAt(pointer) !== name);
  const ofType = faults.filter(({ constraint }) => OF_TYPE.has(constraint));
  const beyondLimits = faults.filter(({ constraint }) => !OF_TYPE.has(constraint));
  return [ofType, beyondLimits]
    .flatMap((kind) => rotated(kind, target.settings.seed).slice(0, 1))
    .map((fault) => fault.breaking(sent));
}

/** Returns the body with one fault that the seed picks, or `undefined` if none is known. */
export async function withOneFault(call: Call, sent: JsonObject): Promise<JsonObject | undefined> {
  const [fault] = rotated(await faultsIn(call, sent), call.target.settings.seed);
  return fault?.breaking(sent);
}

/** Returns the faults of fields that break a MUST in a body like this one. */
async function faultsIn(call: Call, sent: JsonObject): Promise<BodyFault[]> {
  const { operation } = call;
  const { spec } = call.target;
  const { body = {} } = operation;
  // A service may accept a fault that breaks no MUST, which uses the fixture up.
  return (await call.bodyFaults(sent)).filter(({ pointer, constraint }) => {
    const schema = spec.schemas.at(body, pointer) ?? {};
    const requirement = requirementOf(spec, operation, body, { pointer, schema, keyword: constraint });
    return pointer !== "" && spec.requirements.get(requirement)?.level === "MUST";
  });
}
