import { Call } from "../../client/call.ts";
import { NotTested, unlessNotTested } from "../../client/check.ts";
import { type Creation, idOf, keyedPlan } from "../../client/creations.ts";
import { freshKey, keyOfLength } from "../../client/keys.ts";
import { sendBody } from "../../client/resources.ts";
import { isAccepted, isRejected, type Probe, SIMULTANEOUS, type Target } from "../../client/target.ts";
import { allowedOf, defaultVersion } from "../../client/version-choice.ts";
import { type KeyFault, keyVariations } from "../../generators/keys.ts";
import { type RequestPlan, withBody, withHeaders } from "../../generators/request.ts";
import { uniqueFields } from "../../spec/identity.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { allowsNull } from "../../spec/schema.ts";
import { acceptedCreations, fullCreation, spareCreation, spareVariation } from "../shared/creation.ts";
import { minimalAgain } from "../shared/creation-again.ts";
import {
  ofRejected,
  oneVersionProbe,
  probeOf,
  sampledProbe,
  versionsProbe,
  versionsToSend,
} from "../shared/sampled.ts";
import { halfOfFields } from "../shared/update-fields.ts";
import type { KeyedCreate, WrongKeyTarget } from "./targets.ts";

/** Sends a missing key under each version, because one alone may not check for it. */
export function wrongKeys({ operation, requirement, faults }: WrongKeyTarget): Probe {
  const versionsOf = requirement === "KEY-MISSING" ? allowedOf : sampledAndDefault(requirement);
  const probe = versionsProbe(versionsOf, `wrong keys ${requirement}`, operation, "write", async (call) => {
    for (const fault of faults) await sendWrongKey(call, operation, fault);
  });
  return ofRejected(probe, operation);
}

/** Sends a valid create with a key that must be rejected. */
async function sendWrongKey(call: Call, operation: KeyedCreate, { title, value }: KeyFault): Promise<void> {
  const { target, version } = call;
  await call.control();
  const text = typeof value === "number" ? keyOfLength(target, operation.idempotencyKey, value) : value;
  const body = await call.body(call.isDefaultVersion ? "full" : "minimal");
  const plan = withKey(withBody(await call.valid(), body), operation, text);
  // A confirmation repeats the first request, because with a new body the key may count as used.
  const first = await target.memoizeUnjudged(`${operation.id} ${title} ${version}`, async () => plan);
  await call.send(plan);
  if (first !== plan) await call.send(first);
}

/** Sends a key of the greatest allowed length. A short key shows if length explains a rejection. */
export function longestKeys(operation: KeyedCreate): Probe {
  return sampledProbe("longest key", operation, "write", async (call) => {
    const { target, version } = call;
    const { name, schema } = operation.idempotencyKey;
    const { maxLength = 0 } = schema;
    target.exercised(`${operation.key} header/${name} maxLength`, "valid");
    const made = await acceptedCreations(call);
    const isLongest = ({ plan }: Creation) =>
      plan.version === version && plan.headers[name.toLowerCase()]?.length === maxLength;
    if (made.some(isLongest)) return;
    const plan = call.requestWith(await call.body("minimal"));
    const answer = await call.send(
      withKey(plan, operation, keyOfLength(target, operation.idempotencyKey, maxLength)),
    );
    const short = freshKey(target, operation.idempotencyKey, SHORT_KEY);
    if (!isAccepted(answer)) await call.send(withKey(plan, operation, short));
  });
}

const SHORT_KEY = 20;

/** Repeats an accepted create with its key and body, under its version and another, and after another body. */
export function replays(operation: KeyedCreate): Probe {
  return versionsProbe(sampledAndDefault("replays"), "replays", operation, "write", async (call) => {
    const { target, allowed, isDefaultVersion, sendsAll } = call;
    const creation = await repeatableCreation(call);
    const { plan, answer } = creation;
    if (idOf(target, creation) === undefined)
      throw new NotTested("control-rejected", "the first call with the key made no resource", [
        answer.exchange,
      ]);
    const other = allowed[(allowed.indexOf(plan.version) + 1) % allowed.length] ?? plan.version;
    // At depth quick, the default version begins with another one, and a sampled version stays alone.
    if (sendsAll || !isDefaultVersion) await sendBody(target, plan, "again");
    if (sendsAll || isDefaultVersion) await sendBody(target, { ...plan, version: other }, "and again");
    if (!isDefaultVersion) return;
    // A service may keep the other body for the key, although it rejected it.
    await target.send(withBody(plan, await call.body("full", 2)), { role: "probe" });
    await sendBody(target, plan, "again");
  });
}

/** Returns a function that chooses the versions of `versionsToSend` and the default one. */
function sampledAndDefault(purpose: string) {
  return (target: Target, operation: Operation) => [
    ...new Set([...versionsToSend(target, operation, purpose), defaultVersion(target, operation)]),
  ];
}

/** Returns an accepted create that can be repeated, at depth quick of any version. */
async function repeatableCreation(call: Call): Promise<Creation> {
  const { spec } = call.target;
  const required = spec.schemas.required(call.operation.body);
  // It needs optional fields, but no unique values.
  const made = (await acceptedCreations(call)).filter(
    ({ sent }) =>
      !Object.keys(sent).every((name) => required.includes(name)) &&
      uniqueFields(spec, call.operation).every((name) => (sent[name] ?? null) === null),
  );
  const [first] = made;
  const own = made.find((each) => each.plan.version === call.version);
  const found = call.sendsAll ? own : (own ?? first);
  if (found) return found;
  return call.create(await repeatableBody(call)).catch((error: unknown) => {
    if (first !== undefined && error instanceof NotTested) return first;
    throw error;
  });
}

const FIELDS_AT_QUICK = 2;

/** Sends a used key with all or single fields changed. */
export function otherBodies(operation: KeyedCreate): Probe {
  return sampledProbe("other bodies", operation, "write", async (call) => {
    const { target } = call;
    const { sent, plan } = await fullCreation(call);
    const other = await call.body("full", 2);
    const names = Object.keys(sent).filter((name) => !sameJson(other[name], sent[name]));
    const { seed } = target.settings;
    const fields =
      call.sendsAll && call.isDefaultVersion
        ? names
        : names.filter((_, index) => (index + seed) % Math.ceil(names.length / FIELDS_AT_QUICK) === 0);
    // A service may store a rejected body for the key.
    const bodies = [other, ...fields.map((name) => ({ ...sent, [name]: other[name] })), other];
    for (const body of bodies) if (!sameJson(body, sent)) await call.send(withBody(plan, body));
  });
}

/** Sends simultaneous creates with one key and body, and another afterwards. */
export const bursts = probeOf("bursts", "race", async (call) => {
  await call.control();
  const rounds = call.sendsAll ? call.allowed.length : 1;
  for (let round = 0; round < rounds; round++) {
    const { plan, answers, sent } = await burst(call, round);
    // Rejected simultaneous calls may have freed the key.
    if (answers.some(isAccepted)) await sendBody(call.target, plan, "again");
    else {
      const under = call.under(burstVersion(call, round));
      const { answer } = await under.create(sent, { role: "probe" });
      // Another body shows if a quota is the reason.
      if (isRejected(answer)) await under.create(await call.body(), { role: "probe" });
    }
  }
});

/** Sends creates whose keys differ in each of the ways. */
export const differentKeys = probeOf("different keys", "write", async (call, operation: KeyedCreate) => {
  const made = await acceptedCreations(call);
  for (const variation of keyVariations(operation.idempotencyKey).slice(1)) {
    if (made.some((each) => each.variation === variation)) continue;
    await (variation === spareVariation(call)
      ? spareCreation(call)
      : call.create(await call.body(), { key: variation }));
  }
  if (!call.sendsAll) return;
  for (const version of call.allowed) {
    await call.under(version).plain("minimal");
    await minimalAgain(call.under(version));
  }
});

/** Sends a key again whose first create was rejected. */
export function keyAfterRejection(operation: KeyedCreate): Probe {
  return reuseProbe("after a rejection", operation, async (call) => {
    const key = freshKey(call.target, operation.idempotencyKey);
    await call.target.send(withKey(call.requestWith({}), operation, key));
    await sendWithKey(call, operation, key);
  });
}

/** Hangs up on a create, and repeats it, as a client does that lost the answer. */
export const repeatedAfterHangUp = probeOf(
  "repeated after hanging up",
  "write",
  async (call, operation: KeyedCreate) => {
    await call.control();
    const key = freshKey(call.target, operation.idempotencyKey);
    const plan = withKey(call.requestWith(await call.body("minimal")), operation, key);
    await unlessNotTested(() => call.target.send({ ...plan, hangsUp: true }, { role: "lost" }));
    await call.target.pause(RETRY_AFTER_MS);
    await call.target.send(plan, { role: "again" });
  },
);

/** The service has time to carry out the first call. */
const RETRY_AFTER_MS = 200;

/** Sends a key that another operation has used. */
export function keyOfAnother(operation: KeyedCreate, other: KeyedCreate): Probe {
  return reuseProbe("used on another operation", operation, async (call) => {
    const { plan, answer } = await fullCreation(new Call(call.target, other));
    const used = plan.headers[other.idempotencyKey.name.toLowerCase()];
    if (typeof used !== "string") throw new NotTested("no-data", `no key was sent to ${other.key}`);
    await sendWithKey(call, operation, used);
    // Using the key again may have replaced its stored answer.
    if (isAccepted(answer)) await sendBody(call.target, plan, "again");
  });
}

async function sendWithKey(call: Call, operation: KeyedCreate, key: string): Promise<void> {
  await call.send(withKey(call.requestWith(await call.body()), operation, key));
}

function reuseProbe(name: string, operation: KeyedCreate, use: (call: Call) => Promise<void>): Probe {
  return oneVersionProbe(`key ${name}`, operation, "write", use, name);
}

function withKey(plan: RequestPlan, { idempotencyKey }: KeyedCreate, key: string | null): RequestPlan {
  return withHeaders(plan, { [idempotencyKey.name]: key });
}

/** Returns a body for two creates: optional unique fields are null or absent. */
export async function repeatableBody(call: Call): Promise<JsonObject> {
  const { target, operation } = call;
  const { schemas } = target.spec;
  const required = schemas.required(operation.body);
  const unique = uniqueFields(target.spec, operation).filter((name) => !required.includes(name));
  const body = await call.body();
  const entries = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    if (!unique.includes(name)) return [[name, value]];
    return allowsNull(schemas.field(operation.body, name)) ? [[name, null]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns another version for each round. */
export function burstVersion(call: Call, round: number): string | null {
  const { target, operation } = call;
  const { seed, serviceVersion } = target.settings;
  const versions = serviceVersion === "all" ? call.versions : [defaultVersion(target, operation)];
  return versions[(seed + round) % versions.length] ?? null;
}

const CONCURRENT_CREATES = 5;

/** Sends five equal creates with one key at the same time, once for all probes. */
export function burst(call: Call, round: number) {
  const { target, operation } = call;
  return target.memoize(`burst ${operation.id} ${round}`, async () => {
    if (target.settings.concurrency < 2)
      throw new NotTested("budget", "with --concurrency 1 nothing is simultaneous", [], {
        raise: "--concurrency",
      });
    const body = await repeatableBody(call);
    const sent = halfOfFields(target.spec, operation, body, target.settings.seed + round);
    // Rejections in a race would hide that keys are confused, so only the first burst uses similar ones.
    const family = round === 0 ? "" : `burst ${round}`;
    const plan = await keyedPlan(call.under(burstVersion(call, round)), sent, "unlike", family);
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CREATES }, () => sendBody(target, plan, SIMULTANEOUS)),
    );
    return { plan, sent, answers };
  });
}
