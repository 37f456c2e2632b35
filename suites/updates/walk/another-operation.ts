import type { Call } from "../../../client/call.ts";
import { isAccepted } from "../../../client/target.ts";
import { kindOfUpdate } from "../../../history/resource-kinds.ts";
import type { JsonObject } from "../../../spec/json.ts";
import type { Operation, Spec } from "../../../spec/model/spec.ts";
import { withOneFault } from "../../cancellation/rejected-changes.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { otherBody } from "../bodies.ts";
import type { Effect, KnownResource } from "./requests.ts";

/** Returns the other operations that update the same resource. */
export function otherUpdatesOf(spec: Spec, update: Operation): Operation[] {
  const { updates = [] } = kindOfUpdate(spec, update) ?? {};
  return updates.filter((other) => other !== update && other.body !== undefined);
}

/** Updates the resource by each other operation. A faulty service may overwrite what this operation changed. */
export function updateByAnother(known: KnownResource): Promise<Effect> {
  return sendByOthers(known, async (_, body) => body);
}

/** Sends a faulty update by each other operation: a faulty service may then reject valid ones by this one. */
export function rejectedByAnother(known: KnownResource): Promise<Effect> {
  return sendByOthers(known, withOneFault);
}

async function sendByOthers(
  { call, id, shown }: KnownResource,
  bodyOf: (other: Call, valid: JsonObject) => Promise<JsonObject | undefined>,
): Promise<Effect> {
  const { spec } = call.target;
  const touched: string[] = [];
  for (const operation of otherUpdatesOf(spec, call.operation)) {
    const other = call.to(operation);
    const body = await bodyOf(other, await otherBody(other, shown));
    const answer = body && (await sendUpdate(other, id, body, "probe"));
    if (answer && isAccepted(answer)) touched.push(...spec.schemas.fieldNames(operation.body));
  }
  return { touched };
}
