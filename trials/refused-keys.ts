/** Creating calls with a key, and keys that must be rejected. */

import type { Call } from "../client/call.ts";
import { hasForm, keyOfLength } from "../client/keys.ts";
import type { Target } from "../client/target.ts";
import { type RequestPlan, withHeaders } from "../generators/request.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { operationsOf, type Place } from "./rule.ts";

/** A creating call with a key. */
export interface KeyPlace extends Place {
  key: Parameter;
}

/** Every creating call with a key and a body. */
export function keyPlaces(spec: Spec, detail?: string): KeyPlace[] {
  return operationsOf(spec, "create").flatMap((operation) => {
    const key = operation.idempotencyKey;
    return key && operation.body ? [{ operation, key, ...(detail === undefined ? {} : { detail }) }] : [];
  });
}

export function withKey(plan: RequestPlan, key: Parameter, value: string | null): RequestPlan {
  return withHeaders(plan, { [key.name]: value });
}

export interface WrongKey extends KeyPlace {
  requirement: string;
  title: string;
  value(target: Target): string | null;
}

export function wrongKeys(place: KeyPlace): WrongKey[] {
  const { key } = place;
  const { maxLength } = key.schema;
  const missing: WrongKey[] = [
    { ...place, requirement: "KEY-MISSING", title: "without an idempotency key", value: () => null },
    { ...place, requirement: "KEY-EMPTY", title: "with an empty idempotency key", value: () => "" },
  ];
  // A length without other rules is tested by itself.
  const lengths = maxLength === undefined || hasForm(key) ? [] : [maxLength + 1, maxLength * 4];
  const tooLong = lengths.map((length) => ({
    ...place,
    requirement: "KEY-TOO-LONG",
    detail: String(length),
    title: `with an idempotency key of ${length} characters`,
    value: (target: Target) => keyOfLength(target, length),
  }));
  return [...(key.required ? missing : []), ...tooLong];
}

/**
 * A wrong key is the same in each attempt. A service that accepted it may reject it later for another body, so the
 * very first request with it is sent again as well.
 */
export async function mustRefuse(call: Call, at: WrongKey): Promise<void> {
  const { target, operation, version } = call;
  await call.control();
  const probe = withKey(await call.fresh(), at.key, at.value(target));
  const what = `${operation.key} ${at.title}`;
  const first = await target.remember(`${what} ${version ?? "none"}`, async () => probe);
  const answer = await call.send(probe);
  call.mustReject(answer, what);
  if (first !== probe) call.mustReject(await call.send(first), what, null);
}
