/**
 * The creation story of an operation: plain calls, and full ones that each hold as many special parts as they have
 * fields for, sent once in a run for all rules that look at what creating comes to. A body that is refused is taken
 * apart until it shows which of its parts is to blame.
 */

import { Untestable } from "../client/check.ts";
import { inTurn } from "../client/controls.ts";
import { type Creation, create, idOf, keyFamily, plainCreation } from "../client/creations.ts";
import type { KeyTwist } from "../client/keys.ts";
import { sendBody, validRequest } from "../client/subjects.ts";
import { supplyFor, validBody } from "../client/supply.ts";
import { isAccepted, type Target } from "../client/target.ts";
import { allowedOf, usualVersion } from "../client/version-choice.ts";
import { withBody } from "../generators/request.ts";
import type { Supply } from "../generators/values.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Part, packed, partsOf } from "./body-parts.ts";

/** A part of a body, and the call that it was sent in: with others where that was accepted, else as alone as must be. */
export interface TriedPart {
  part: Part;
  creation: Creation;
  /** Whether the service may have been right to refuse it: it stands on names that are not known to be good. */
  doubtful: boolean;
}

/** A supply without a target, for planning: names and lengths are the same, values are not sent. */
export function planningSupply(spec: Spec): Supply {
  return {
    schemas: spec.schemas,
    unique: () => "pc-00000000-0000",
    known: () => ["known"],
    references: () => ["known"],
    seed: 0,
  };
}

/** The parts of an operation's body that this run tries; of an update those at its limits, and null. */
function partsFor({ spec, settings }: Target, operation: Operation): Part[] {
  const kinds = operation.kind === "create" ? undefined : ["edge", "null"];
  const parts = partsOf(spec, operation, planningSupply(spec), settings.seed);
  return parts.filter(({ kind }) => kinds?.includes(kind) ?? true);
}

/** How the keys of packed bodies differ from the first key of their family, in their order. */
const PACK_TWISTS: KeyTwist[] = ["casing", "first character", "any keys"];

/** The same at depth full, where every version has a family of its own. */
const FAMILY_TWISTS: KeyTwist[] = ["hyphens", "first character", "casing", "any keys"];

/**
 * A plain full call beside the story, under the first of the keys that no pack is there for. It is one that nobody else
 * changes: for who needs another resource of the run's own, and for who needs a call under that key.
 */
export function spareCreation(target: Target, operation: Operation): Promise<Creation> {
  return target.once(`spare ${operation.id}`, async () => {
    const body = await validBody(target, operation, "full");
    return create(target, operation, usualVersion(target, operation), body, {
      key: spareTwist(target, operation),
    });
  });
}

/** How the key of the spare call differs from the first key of its operation. */
export function spareTwist(target: Target, operation: Operation): KeyTwist {
  return twistsFor(target)[packed(partsFor(target, operation)).length] ?? "unlike";
}

function twistsFor({ settings }: Target): KeyTwist[] {
  return settings.depth === "full" ? FAMILY_TWISTS : PACK_TWISTS;
}

/** The versions that a pack is sent under: at depth full each, at depth quick the packs take them in turn. */
function versionsOfPack(target: Target, operation: Operation, index: number): (string | null)[] {
  const versions = allowedOf(target, operation);
  const { depth, seed } = target.settings;
  return depth === "full"
    ? versions
    : versions.filter((_, turn) => turn === (index + seed) % versions.length);
}

/** A pack of parts as it was sent under a version. */
function sentPack(
  target: Target,
  operation: Operation,
  index: number,
  version: string | null,
): Promise<TriedPart[]> {
  return target.once(`pack ${operation.id} ${index} ${version ?? "none"}`, async () => {
    const pack = packed(partsFor(target, operation))[index] ?? [];
    const supply = await supplyFor(target, operation.body ?? {});
    const known = pack.filter((part) => part.put({}, supply) !== undefined);
    if (known.length === 0) return [];
    return triedTogether(target, operation, version, known, supply, twistsFor(target)[index]);
  });
}

async function triedTogether(
  target: Target,
  operation: Operation,
  version: string | null,
  parts: Part[],
  supply: Supply,
  key: KeyTwist = "unlike",
): Promise<TriedPart[]> {
  const plain = await validBody(target, operation, "full");
  const sent = parts.reduce<JsonObject>((body, part) => part.put(body, supply) ?? body, plain);
  const creation = await sentOnce(target, operation, version, sent, key);
  const doubtful = parts.filter((part) => part.isDoubtful(supply));
  if (isAccepted(creation.answer) || parts.length === 1)
    return parts.map((part) => ({ part, creation, doubtful: doubtful.includes(part) }));
  const apart = doubtful.length > 0 && doubtful.length < parts.length;
  const first = apart ? parts.filter((part) => !doubtful.includes(part)) : parts.slice(0, parts.length / 2);
  const rest = parts.filter((part) => !first.includes(part));
  return [
    ...(await triedTogether(target, operation, version, first, supply)),
    ...(await triedTogether(target, operation, version, rest, supply)),
  ];
}

async function sentOnce(
  target: Target,
  operation: Operation,
  version: string | null,
  sent: JsonObject,
  key: KeyTwist,
): Promise<Creation> {
  const family = keyFamily(target, operation, version);
  if (operation.kind === "create") return create(target, operation, version, sent, { key, family });
  const plan = withBody(await validRequest(target, operation, version), sent);
  const answer = await inTurn(target, operation, () => sendBody(target, plan));
  return { operation, version, sent, plan, answer };
}

/** Some of the parts, as they were sent; those for which no value is known are left out. */
export async function triedParts(
  target: Target,
  operation: Operation,
  pick: (part: Part) => boolean,
): Promise<TriedPart[]> {
  const packs = packed(partsFor(target, operation)).map((pack, index) => ({ pack, index }));
  const calls = packs
    .filter(({ pack }) => pack.some(pick))
    .map(({ index }) => ({ index, versions: versionsOfPack(target, operation, index) }));
  const send = (all: typeof calls) =>
    all.flatMap(({ index, versions }) =>
      versions.map((version) => () => sentPack(target, operation, index, version)),
    );
  // Each once, and only then under other versions: a quota may leave no room for more.
  const tried = await untilDeclined([
    send(calls.map(({ index, versions }) => ({ index, versions: versions.slice(0, 1) }))),
    send(calls.map(({ index, versions }) => ({ index, versions: versions.slice(1) }))),
  ]);
  return tried.flat().filter(({ part }) => pick(part));
}

/**
 * What came of some calls, those of a wave side by side: a service that has had enough is judged by those before. Throws
 * where there were none.
 */
async function untilDeclined<T>(waves: (() => Promise<T>)[][]): Promise<T[]> {
  const settled: PromiseSettledResult<T>[] = [];
  for (const wave of waves) settled.push(...(await Promise.allSettled(wave.map((call) => call()))));
  const done = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  for (const each of settled) {
    if (each.status !== "rejected") continue;
    if (done.length === 0 || !(each.reason instanceof Untestable)) throw each.reason;
  }
  return done;
}

/** All plain calls and packs of the story, each that was accepted and made a resource with an id. */
export async function acceptedCreations(target: Target, operation: Operation): Promise<Creation[]> {
  const usual = usualVersion(target, operation);
  const alone = target.settings.depth === "full" ? undefined : usual;
  const versions = allowedOf(target, operation);
  const minimal = versions.filter((version) => version !== alone || versions.length === 1);
  const plain = [
    () => plainCreation(target, operation, "full", usual),
    ...minimal.map((version) => () => plainCreation(target, operation, "minimal", version)),
  ].map((make) => async () => [await make()]);
  const packs = async () => (await triedParts(target, operation, () => true)).map(({ creation }) => creation);
  // At depth full the plain ones come first, as there may be room for so many only.
  const waves = alone === undefined ? [plain, [packs]] : [[...plain, packs]];
  const all = new Set((await untilDeclined(waves)).flat());
  return [...all].filter((creation) => idOf(target, creation) !== undefined);
}

/**
 * A full call under a version that was accepted: the plain one under the usual version, else a packed one that was sent
 * under it, at depth full one with a value in every field. Where there is none, the plain one is sent.
 */
export async function fullCreation(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<Creation> {
  const plain = () => plainCreation(target, operation, "full", version);
  if (version === usualVersion(target, operation)) return plain();
  const fields = Object.keys(await validBody(target, operation, "full"));
  const parts = await triedParts(target, operation, () => true);
  const other = parts.find(
    ({ creation }) =>
      creation.version === version &&
      (target.settings.depth === "quick" || fields.every((name) => (creation.sent[name] ?? null) !== null)) &&
      idOf(target, creation) !== undefined,
  );
  return other?.creation ?? plain();
}

/** A plain call with required fields alone: at depth full under a version, else under any that it was sent under. */
export function minimalCreation(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<Creation> {
  const usual = usualVersion(target, operation);
  const other = allowedOf(target, operation).find((each) => each !== usual);
  const taken = target.settings.depth === "full" || other === undefined ? version : other;
  return plainCreation(target, operation, "minimal", taken);
}

/** The resource of a creation. Throws Untestable where none with an id is shown: then there is nothing to look at. */
export function mustHaveMade(target: Target, creation: Creation): void {
  if (!isAccepted(creation.answer)) {
    throw new Untestable(
      "control-rejected",
      `${creation.operation.key} was answered ${creation.answer.status}`,
      [creation.answer],
    );
  }
  if (idOf(target, creation) === undefined) {
    throw new Untestable(
      "no-data",
      `${creation.operation.key} was accepted and showed no resource with an id`,
      [creation.answer],
    );
  }
}
