/** A pack is a body with special values in many fields. If it is rejected, smaller ones follow. */

import type { Call } from "../../client/call.ts";
import { NotTested, unlessNotTested } from "../../client/check.ts";
import { withResourceWriteLock } from "../../client/controls.ts";
import { type Creation, idOf, keyFamily } from "../../client/creations.ts";
import { sendBody } from "../../client/resources.ts";
import { isAccepted, type Target } from "../../client/target.ts";
import { sampledFrom, sendsAll } from "../../client/version-choice.ts";
import type { KeyVariation } from "../../generators/keys.ts";
import { withBody } from "../../generators/request.ts";
import type { ValueSource } from "../../generators/values.ts";
import { uniqueFields } from "../../spec/identity.ts";
import { fieldAt, type JsonObject } from "../../spec/json.ts";
import { type BodyPart, bodyPartsOf, packedParts } from "./body-parts.ts";
import { unusualSwitches } from "./update-fields.ts";

export interface TriedPart {
  part: BodyPart;
  creation: Creation;
  doubtful: boolean;
}

function partsFor({ target: { spec, settings }, operation }: Call): BodyPart[] {
  const kinds = operation.kind === "create" ? undefined : ["edge", "null"];
  const parts = bodyPartsOf(spec, operation, settings.seed);
  return parts.filter(({ kind }) => kinds?.includes(kind) ?? true);
}

const PACK_VARIATIONS: KeyVariation[] = ["casing", "first character", "any keys"];

const FAMILY_VARIATIONS: KeyVariation[] = ["hyphens", "first character", "casing", "any keys"];

/**
 * Returns a create of a full resource for this one purpose. No other rule changes this resource. Its key
 * variation differs from those of packs.
 */
export function spareCreation(call: Call): Promise<Creation> {
  const { target, operation } = call;
  return target.memoize(`spare ${operation.id}`, async () => {
    const body = { ...(await call.body()), ...(await uniqueTextsLikeOthers(call)) };
    return call.underDefaultVersion.create(body, { key: spareVariation(call) });
  });
}

/**
 * Returns values for unique fields. A faulty service may take an underscore for any character, as SQL's LIKE does, and find
 * that they are used.
 */
async function uniqueTextsLikeOthers(call: Call): Promise<JsonObject> {
  const { target, operation } = call;
  const made = await unlessNotTested(() => call.underDefaultVersion.plain("full"));
  const texts = uniqueFields(target.spec, operation).flatMap((name): [string, string][] => {
    const used = made?.sent[name];
    if (typeof used !== "string") return [];
    const text = used.replace(/-(?=[^-]*$)/, "_");
    const schema = target.spec.schemas.field(operation.body, name);
    const isOpen =
      schema["x-references"] === undefined && target.spec.schemas.validate(schema, text).length === 0;
    return isOpen && text !== used ? [[name, text]] : [];
  });
  return Object.fromEntries(texts);
}

/** Returns a key variation that no pack uses, if there is one. */
export function spareVariation(call: Call): KeyVariation {
  const { target } = call;
  return variationsFor(target)[packedParts(partsFor(call)).length] ?? "unlike";
}

function variationsFor(target: Target): KeyVariation[] {
  return sendsAll(target) ? FAMILY_VARIATIONS : PACK_VARIATIONS;
}

function versionsOfPack(call: Call, index: number): (string | null)[] {
  const versions = call.allowed;
  const sampled = (index + call.target.settings.seed) % versions.length;
  return call.sendsAll ? versions : versions.slice(sampled, sampled + 1);
}

/** Returns the parts of one pack, each with the create that sent it. Later calls send nothing. */
function sentPack(call: Call, index: number): Promise<TriedPart[]> {
  const { target, operation, version } = call;
  return target.memoize(`pack ${operation.id} ${index} ${version ?? "none"}`, async () => {
    const pack = packedParts(partsFor(call))[index] ?? [];
    const source = await call.valueSource();
    const known = pack.filter((part) => part.put({}, source) !== undefined);
    if (known.length === 0) return [];
    return triedTogether(call, known, source, variationsFor(target)[index]);
  });
}

/** Sends the parts in one create, and in halves as long as that is rejected. */
async function triedTogether(
  call: Call,
  parts: BodyPart[],
  source: ValueSource,
  key: KeyVariation = "unlike",
): Promise<TriedPart[]> {
  const plain = await call.body();
  const sent = parts.reduce<JsonObject>((body, part) => part.put(body, source) ?? body, plain);
  const creation = await sentOnce(call, sent, key);
  const doubtful = parts.filter((part) => part.isDoubtful(source));
  if (isAccepted(creation.answer) || parts.length === 1)
    return parts.map((part) => ({ part, creation, doubtful: doubtful.includes(part) }));
  const certain = parts.filter((part) => !doubtful.includes(part));
  const isMixed = certain.length > 0 && certain.length < parts.length;
  const first = isMixed ? certain : parts.slice(0, parts.length / 2);
  const others = parts.filter((part) => !first.includes(part));
  return [...(await triedTogether(call, first, source)), ...(await triedTogether(call, others, source))];
}

async function sentOnce(call: Call, sent: JsonObject, key: KeyVariation): Promise<Creation> {
  const { target, operation } = call;
  if (operation.kind === "create") return call.create(sent, { key, family: keyFamily(call) });
  const plan = withBody(await call.valid(), sent);
  const answer = await withResourceWriteLock(target, operation, () => sendBody(target, plan));
  return { sent, plan, answer };
}

/** Sends the wanted parts in packs. Omits creates that a quota stopped. */
export async function triedParts(call: Call, pick: (part: BodyPart) => boolean): Promise<TriedPart[]> {
  const packs = packedParts(partsFor(call)).map((pack, index) => ({ pack, index }));
  const hasNull = ({ pack }: (typeof packs)[number]) => Number(pack.some(({ kind }) => kind === "null"));
  // A faulty service may use a null for the next resource, too.
  const sends = packs
    .sort((one, other) => hasNull(other) - hasNull(one))
    .filter(({ pack }) => pack.some(pick))
    .map(({ index }) =>
      versionsOfPack(call, index).map((version) => () => sentPack(call.under(version), index)),
    );
  // A quota may stop creates, so each pack gets one version before any gets a second.
  const tried = await untilDeclined([
    sends.flatMap((each) => each.slice(0, 1)),
    sends.flatMap((each) => each.slice(1)),
  ]);
  return tried.flat().filter(({ part }) => pick(part));
}

/**
 * Omits creates that a quota stopped.
 * @throws the first failure if nothing succeeded, or any error other than NotTested
 */
async function untilDeclined<T>(waves: (() => Promise<T>)[][]): Promise<T[]> {
  const settled: PromiseSettledResult<T>[] = [];
  for (const wave of waves) settled.push(...(await Promise.allSettled(wave.map((call) => call()))));
  const done = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  for (const each of settled) {
    if (each.status !== "rejected") continue;
    if (done.length === 0 || !(each.reason instanceof NotTested)) throw each.reason;
  }
  return done;
}

/** Returns accepted creates with all fields, few fields and special values. */
export async function acceptedCreations(call: Call): Promise<Creation[]> {
  const { target } = call;
  const alone = call.sendsAll ? undefined : call.underDefaultVersion.version;
  const versions = call.allowed;
  const minimal = versions.filter((version) => version !== alone || versions.length === 1);
  const plain = [
    () => call.underDefaultVersion.plain("full"),
    ...minimal.map((version, index) => async () => {
      if (index === 0) await rejectedFirst(call.under(version));
      return call.under(version).plain("minimal");
    }),
  ].map((make) => async () => [await make()]);
  const packs = async () => (await triedParts(call, () => true)).map(({ creation }) => creation);
  const waves = alone === undefined ? [plain, [packs]] : [[...plain, packs]];
  const all = new Set((await untilDeclined(waves)).flat());
  return [...all].filter((creation) => idOf(target, creation) !== undefined);
}

/** Sends a rejected create before the first accepted one, which may take over its unusual booleans. */
function rejectedFirst(call: Call): Promise<void> {
  const { target, operation } = call;
  return target.memoize(`rejected before ${operation.id}`, async () => {
    const switches = unusualSwitches(target.spec, operation);
    if (operation.kind !== "create" || Object.keys(switches).length === 0) return;
    const valid = { ...(await call.body("full")), ...switches };
    const faults = (await call.bodyFaults(valid)).filter(({ pointer }) => !(fieldAt(pointer) in switches));
    const [fault] = sampledFrom(target.settings.seed, `rejected ${operation.id}`, faults);
    if (!fault) return;
    await target.send(call.requestWith(fault.breaking(valid)), { role: "rejected" });
  });
}

/** Returns an accepted create with all fields, for other versions than the default one of a pack. */
export async function fullCreation(call: Call): Promise<Creation> {
  const { target, version } = call;
  if (call.isDefaultVersion) return call.plain("full");
  const fields = Object.keys(await call.body());
  const parts = await triedParts(call, () => true);
  const other = parts.find(
    ({ creation }) =>
      creation.plan.version === version &&
      (!call.sendsAll || fields.every((name) => (creation.sent[name] ?? null) !== null)) &&
      idOf(target, creation) !== undefined,
  );
  return other?.creation ?? call.plain("full");
}

/** Returns a minimal create, at depth quick under another version than the default. */
export function minimalCreation(call: Call): Promise<Creation> {
  const other = call.allowed.find((each) => each !== call.underDefaultVersion.version);
  const own = call.sendsAll || other === undefined;
  return (own ? call : call.under(other)).plain("minimal");
}
