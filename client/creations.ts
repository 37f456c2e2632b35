/**
 * Plain creations: calls that break no rule and try nothing, each sent once in a run. They are the controls of all
 * that is rejected, and the first resources that rules about creating look at.
 */

import { type RequestPlan, requestTo, withBody, withHeaders } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { Untestable } from "./check.ts";
import { firstKey, type KeyTwist, twistedKey } from "./keys.ts";
import { identityOf, sendBody } from "./subjects.ts";
import { uniqueFields, validBody } from "./supply.ts";
import { type Answer, asText, isAccepted, isRejected, resourceOf, type Target } from "./target.ts";
import { trialOf } from "./tried-values.ts";
import { usualVersion, versionsOf } from "./version-choice.ts";

/** A creating call, and what came of it. */
export interface Creation {
  operation: Operation;
  version: string | null;
  sent: JsonObject;
  plan: RequestPlan;
  answer: Answer;
  /** How its key differs from the first key of its family; undefined for that one, and where no key is sent. */
  twist?: KeyTwist;
  /** Which family its key is of. */
  family?: string;
  /** The rejection of the same call under a key that differs so, where a fresh key was accepted then. */
  refusedKey?: Answer;
}

/** The id of the resource that a creation made; undefined where it shows none. */
export function idOf({ spec }: Target, { operation, answer }: Creation): string | undefined {
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  return asText(resource?.[identityOf(spec, operation)]);
}

/** A creating call under a key that differs from the first one of a family; `first` is that one itself. */
export async function keyedPlan(
  target: Target,
  operation: Operation,
  version: string | null,
  sent: JsonObject,
  key: KeyTwist | "first",
  family = "",
): Promise<RequestPlan> {
  const plan = withBody(requestTo(operation, version), sent);
  const header = operation.idempotencyKey;
  if (!header) return plan;
  const value =
    key === "first"
      ? await firstKey(target, operation, family)
      : await twistedKey(target, operation, key, family);
  return withHeaders(plan, { [header.name]: value });
}

/** Sends a creating call under such a key; where it is rejected, once more under a fresh one. */
export async function create(
  target: Target,
  operation: Operation,
  version: string | null,
  sent: JsonObject,
  use: { key?: KeyTwist | "first"; role?: string; family?: string } = {},
): Promise<Creation> {
  const { key = "unlike", role = "create", family = "" } = use;
  const plan = await keyedPlan(target, operation, version, sent, key, family);
  const made = { operation, version, sent, family };
  if (!operation.idempotencyKey || key === "unlike" || key === "first") {
    const answer = await sendBody(target, plan, role);
    return { ...made, plan, answer, ...(operation.idempotencyKey && key !== "first" ? { twist: key } : {}) };
  }
  const answer = await sendBody(target, plan, "probe", true);
  if (!isRejected(answer)) return { ...made, plan, answer, twist: key };
  // It may be the key that it does not like.
  const other = await keyedPlan(target, operation, version, sent, "unlike");
  const again = await sendBody(target, other, role);
  return {
    ...made,
    plan: other,
    answer: again,
    twist: key,
    ...(isAccepted(again) ? { refusedKey: answer } : {}),
  };
}

/**
 * The family that the keys of calls under a version are of: one for all at depth quick; at depth full one for each, so
 * that two keys differ in one way under every version.
 */
export function keyFamily(target: Target, operation: Operation, version: string | null): string {
  const own = target.settings.depth === "full" && version !== usualVersion(target, operation);
  return own ? (version ?? "none") : "";
}

/** How the keys of the plain calls with required fields alone differ from the first one, in the order of versions. */
const PLAIN_TWISTS: KeyTwist[] = ["last character", "hyphens"];

/**
 * A valid call with the required fields alone, or with all: once in a run for each version. Those with required
 * fields alone are equal but for their keys, as far as values may repeat.
 * Throws Untestable (no-fixture) where the service may know better values than can be made up.
 */
export async function plainCreation(
  target: Target,
  operation: Operation,
  extent: "minimal" | "full",
  version: string | null,
): Promise<Creation> {
  const usual = usualVersion(target, operation);
  return target.once(`creation ${operation.id} ${extent} ${version ?? "none"}`, async () => {
    const { full, blocked } = await trialOf(target, operation);
    if (blocked !== undefined)
      throw new Untestable("no-fixture", `give --fixture ${blocked}=…: what was made up for it is rejected`);
    if (extent === "full") {
      if (full && version === usual) {
        const sent = full.plan.body?.kind === "json" ? (full.plan.body.value as JsonObject) : {};
        return { operation, version, sent, ...full };
      }
      const sent = await validBody(target, operation, "full", version === usual ? 1 : 0);
      return create(target, operation, version, sent, { key: version === usual ? "first" : "unlike" });
    }
    const others = versionsOf(target.spec, operation).filter((each) => each !== usual);
    const family = keyFamily(target, operation, version);
    const twist = PLAIN_TWISTS[Math.max(others.indexOf(version), 0)] ?? "unlike";
    const made = await create(target, operation, version, await minimalBody(target, operation), {
      key: family === "" ? twist : "first",
      family,
    });
    if (!isRejected(made.answer)) return made;
    // What it shares with the ones before, an address perhaps, may be good for one resource only.
    const anew = await validBody(target, operation, "minimal");
    const other = await create(target, operation, version, anew, { key: "unlike" });
    return isAccepted(other.answer) ? other : made;
  });
}

/** The body of all plain calls with required fields alone: the same one, as far as values may repeat. */
export async function minimalBody(target: Target, operation: Operation): Promise<JsonObject> {
  const body = await target.once(`minimal body ${operation.id}`, () =>
    validBody(target, operation, "minimal"),
  );
  const unique = uniqueFields(target.spec, operation.body ?? {}).filter((name) => name in body);
  if (unique.length === 0) return body;
  const fresh = await validBody(target, operation, "minimal");
  return { ...body, ...Object.fromEntries(unique.map((name) => [name, fresh[name]])) };
}

/** The plain call that stands for all valid ones under a version: with all fields under the usual one. */
export function plainControl(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<Creation> {
  const extent = version === usualVersion(target, operation) ? "full" : "minimal";
  return plainCreation(target, operation, extent, version);
}
