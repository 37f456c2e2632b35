import type { Call } from "../../client/call.ts";
import { rejectedHeaders } from "../../client/controls.ts";
import { hasUnknownSpace, unknownSpace } from "../../client/spaces.ts";
import { bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import { type RequestPlan, withHeaders } from "../../generators/request.ts";
import type { JsonObject } from "../../spec/json.ts";
import { rotated } from "../../spec/ordered.ts";
import { nextVariation, updateRequest } from "../updates/updating.ts";
import { breaksMust, type OneWay } from "./targets.ts";

const FAULTS = 2;

/** Returns requests that ask for the change and must be rejected, in one list for each reason. */
export async function attempts(call: Call, { name, value }: OneWay, id: string): Promise<RequestPlan[][]> {
  const { target, operation, version } = call;
  const { space } = operation;
  const { seed, secondSpace } = target.settings;
  const sent = async () => ({ ...(await call.body("full", nextVariation(target))), [name]: value });
  const plain = async (body?: JsonObject) => updateRequest(operation, id, version, body ?? (await sent()));
  const withFault = await sent();
  const headers = rotated(rejectedHeaders(operation), seed).slice(0, 1);
  const [authorization = null] = rotated([null, `Bearer conformance-unknown-${target.runId}`], seed);
  return [
    // After a faulty body, a service may show a wrong state for a short time, so faulty requests come first.
    await Promise.all([
      ...headers.map(async (each) => withHeaders(await plain(withFault), each)),
      ...(await faulty(call, name, withFault)).map(plain),
    ]),
    [{ ...withHeaders(await plain(), { authorization }), authorizationLabel: "an unknown token" }],
    space && hasUnknownSpace(target, space.schema)
      ? [withHeaders(await plain(), { [space.name]: unknownSpace(target, space.schema) })]
      : [],
    space && secondSpace !== undefined ? [{ ...(await plain()), space: "second" }] : [],
  ];
}

async function faulty(call: Call, name: string, sent: JsonObject): Promise<JsonObject[]> {
  const { target, operation } = call;
  const { body = {} } = operation;
  const source = await call.valueSource();
  const faults = bodyViolations(body, source).filter(
    (fault) =>
      fault.pointer !== "" &&
      fault.pointer.split("/")[1] !== name &&
      breaksMust(target.spec, operation, fault) &&
      isConfirmed(fault, sent, body, source),
  );
  return rotated(faults, target.settings.seed)
    .slice(0, FAULTS)
    .map((fault) => fault.breaking(sent));
}
