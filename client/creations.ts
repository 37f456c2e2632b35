import type { KeyVariation } from "../generators/keys.ts";
import { objectSent, type RequestPlan, requestTo, withBody, withHeaders } from "../generators/request.ts";
import { identityOf, uniqueFields } from "../spec/identity.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { versionsOf } from "../spec/versions.ts";
import { NotTested } from "./check.ts";
import { firstKey, variedKey } from "./keys.ts";
import { sendBody } from "./resources.ts";
import {
  type Answer,
  asText,
  isAccepted,
  isRejected,
  resourceOf,
  type Target,
  type VersionedOperation,
} from "./target.ts";
import { triedValuesOf } from "./tried-values.ts";
import { validBody } from "./value-source.ts";
import { defaultVersion, sendsAll } from "./version-choice.ts";

export interface Creation {
  sent: JsonObject;
  plan: RequestPlan;
  answer: Answer;
  variation?: KeyVariation;
}

/** Returns the id of the created resource, or `undefined` if the create was rejected, or showed no id. */
export function idOf({ spec }: Target, { answer }: Pick<Creation, "answer">): string | undefined {
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  return asText(resource?.[identityOf(spec, answer.plan.operation)]);
}

/** Returns a create whose key differs from those before as the variation says. A family has keys of its own. */
export async function keyedPlan(
  { target, operation, version }: VersionedOperation,
  sent: JsonObject,
  key: KeyVariation | "first",
  family = "",
): Promise<RequestPlan> {
  const plan = withBody(requestTo(operation, version), sent);
  const header = operation.idempotencyKey;
  if (!header) return plan;
  const value =
    key === "first"
      ? await firstKey(target, operation, family)
      : await variedKey(target, operation, key, family);
  return withHeaders(plan, { [header.name]: value });
}

export interface CreateOptions {
  key?: KeyVariation | "first";
  role?: string;
  family?: string;
}

/** Sends a create. If its similar key is rejected, sends it again with a key unlike all others. */
export async function create(
  call: VersionedOperation,
  sent: JsonObject,
  { key = "unlike", role = "create", family = "" }: CreateOptions = {},
): Promise<Creation> {
  const { target, operation } = call;
  const plan = await keyedPlan(call, sent, key, family);
  if (!operation.idempotencyKey || key === "unlike" || key === "first") {
    const answer = await sendBody(target, plan, role);
    return { sent, plan, answer, ...(operation.idempotencyKey && key !== "first" ? { variation: key } : {}) };
  }
  const answer = await sendBody(target, plan, "probe", { valid: true });
  if (!isRejected(answer)) return { sent, plan, answer, variation: key };
  const other = await keyedPlan(call, sent, "unlike");
  const again = await sendBody(target, other, role);
  return { sent, plan: other, answer: again, variation: key };
}

/** Returns the name of the first key, which others vary. At depth full, each version has its own. */
export function keyFamily({ target, operation, version }: VersionedOperation): string {
  const own = sendsAll(target) && version !== defaultVersion(target, operation);
  return own ? (version ?? "none") : "";
}

const PLAIN_VARIATIONS: KeyVariation[] = ["last character", "hyphens"];

/**
 * Returns the one create that all callers share. Minimal creates send equal values, except unique ones.
 * @throws NotTested (no-fixture) if the service may need values that can't be generated
 */
export async function plainCreation(call: VersionedOperation, extent: "minimal" | "full"): Promise<Creation> {
  const { target, operation, version } = call;
  return target.memoize(`creation ${operation.id} ${extent} ${version ?? "none"}`, async () => {
    const { full, blocked } = await triedValuesOf(target, operation);
    if (blocked !== undefined)
      throw new NotTested("no-fixture", `give --fixture ${blocked}=…: what was made up for it is rejected`);
    if (extent === "minimal") return minimalCreation(call);
    const isDefault = version === defaultVersion(target, operation);
    if (full && isDefault) return { sent: objectSent(full.plan) ?? {}, ...full };
    const sent = await validBody(target, operation, "full", isDefault ? 1 : 0);
    return create(call, sent, { key: isDefault ? "first" : "unlike" });
  });
}

/** Creates a resource with the required fields only, and tries new values once if the first ones are rejected. */
async function minimalCreation(call: VersionedOperation): Promise<Creation> {
  const { target, operation, version } = call;
  const byDefault = defaultVersion(target, operation);
  const others = versionsOf(target.spec, operation).filter((each) => each !== byDefault);
  const family = keyFamily(call);
  const variation = PLAIN_VARIATIONS[Math.max(others.indexOf(version), 0)] ?? "unlike";
  const key = family === "" ? variation : "first";
  const sent = await minimalBody(target, operation);
  const made = await create(call, sent, { key, family });
  if (!isRejected(made.answer)) return made;
  // The service may accept a value (an address) only once, so new values follow.
  const body = await validBody(target, operation, "minimal");
  const other = await create(call, body);
  return isAccepted(other.answer) ? other : made;
}

/** Returns a body in which only unique values differ from call to call. */
export async function minimalBody(target: Target, operation: Operation): Promise<JsonObject> {
  const body = await target.memoize(`minimal body ${operation.id}`, () =>
    validBody(target, operation, "minimal"),
  );
  const unique = uniqueFields(target.spec, operation).filter((name) => name in body);
  if (unique.length === 0) return body;
  const fresh = await validBody(target, operation, "minimal");
  return { ...body, ...Object.fromEntries(unique.map((name) => [name, fresh[name]])) };
}
