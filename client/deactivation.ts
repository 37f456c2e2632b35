import { isObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { makerOf } from "./relations.ts";
import type { Target } from "./target.ts";

/** Returns the field that says if a webhook is active, such as `active`. */
export function activeField(target: Target, create: Operation): string | undefined {
  return create.body && target.spec.schemas.flatten(create.body)["x-deliveries"]?.active;
}

/** True if the body sets the webhook active. */
export function switchesOn(target: Target, operation: Operation, body: string | null): boolean {
  const create = makerOf(target.spec, operation);
  const active = create && activeField(target, create);
  if (active === undefined || body === null) return false;
  try {
    const sent: unknown = JSON.parse(body);
    return isObject(sent) && sent[active] === true;
  } catch {
    return false;
  }
}
