import fc from "fast-check";
import { Call } from "../../client/call.ts";
import { NotTested, unlessNotTested } from "../../client/check.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { asText, type Probe, type Target } from "../../client/target.ts";
import { allowedOf, sampledAtQuick, sampledFrom, sendsAll } from "../../client/version-choice.ts";
import { awkwardId } from "../../generators/text.ts";
import { identityOf } from "../../spec/identity.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById, operationsOf } from "../../spec/operations.ts";
import { preferredFirst } from "../../spec/ordered.ts";
import { knownPath, listedRecords, pathReadLater } from "../shared/listed-records.ts";
import { plainProbe, probeOf } from "../shared/sampled.ts";

interface UnknownId {
  detail: string;
  /** Depth quick reads one id of each sort, and all with blanks. */
  sort: "nearly known" | "blanks" | "characters";
  /** Depth full shares numbered ids over the versions, and sends others under each. */
  number?: number;
  make(known: string, target: Target): string;
}

const NEARLY_KNOWN: readonly UnknownId[] = [
  { detail: "cut short", sort: "nearly known", make: (known) => known.slice(0, -1) },
  { detail: "appended", sort: "nearly known", make: (known) => `${known}x` },
  // Some databases ignore trailing spaces.
  { detail: "space behind", sort: "blanks", number: 1, make: (known) => `${known} ` },
  { detail: "space before", sort: "nearly known", number: 2, make: (known) => ` ${known}` },
];

const UNKNOWN_IDS: readonly UnknownId[] = [
  { detail: "made up", sort: "nearly known", make: (_, { runId }) => `conformance-${runId}` },
  ...NEARLY_KNOWN,
  { detail: "long", sort: "characters", number: 0, make: () => "a".repeat(300) },
  { detail: "very long", sort: "characters", number: 1, make: () => "a".repeat(2000) },
  { detail: "encoded slash", sort: "characters", number: 2, make: (known) => `${known}/x` },
  { detail: "quotes", sort: "nearly known", number: 3, make: () => `'"' OR '1'='1` },
  { detail: "spaces", sort: "characters", number: 4, make: () => "no such id" },
  { detail: "non-ASCII", sort: "characters", number: 5, make: () => "идентификатор-💸" },
  { detail: "percent", sort: "characters", number: 6, make: () => "100%" },
  { detail: "wildcard", sort: "characters", number: 7, make: () => "*" },
  { detail: "markup", sort: "characters", number: 8, make: () => "<b>id</b>" },
  { detail: "NUL", sort: "characters", number: 9, make: (known) => `${known}\u0000` },
  {
    detail: "any text",
    sort: "characters",
    number: 10,
    make: (_, { settings: { seed }, runId }) =>
      `${fc.sample(awkwardId(), { seed, numRuns: 1 })[0] ?? ""}-${runId}`,
  },
];

/** Returns the names of the unknown ids: each had its own check in earlier releases, and still selects it. */
export function unknownIdDetails({ sameRecord }: Operation, isMeant: (sort: string) => boolean): string[] {
  const others = sameRecord?.by.slice(1) ?? [];
  const fits = ({ sort }: UnknownId) => isMeant(sort);
  return [
    ...UNKNOWN_IDS.filter(fits).map(({ detail }) => detail),
    ...others.flatMap((field) => NEARLY_KNOWN.filter(fits).map(({ detail }) => `${field} ${detail}`)),
  ];
}

/** Reads ids that name nothing. */
export const unknownIds = probeOf("unknown ids", "read", (call) =>
  readUnknownIds(call, ["nearly known", "characters"]),
);

/** Reads a known id with a space behind it. */
export const blanksBehind = probeOf("blanks behind", "read", (call) => readUnknownIds(call, ["blanks"]));

/** Reads with ids that no resource has, each made from a known one. */
function readUnknownIds(byDefault: Call, sorts: readonly UnknownId["sort"][]): Promise<void> {
  return sideBySide(casesToRead(byDefault, sorts), async ({ unknown, field, version }) => {
    const call = byDefault.under(version);
    const { plan } = await call.control();
    const known = field === undefined ? plan.path : await knownPath(call, field);
    const id = unknown.make(known ?? "", call.target);
    if (id !== "" && id !== known) await readUnknown(call, id);
  });
}

interface Case {
  unknown: UnknownId;
  field?: string;
  version: string | null;
}

/** Returns the unknown ids of these sorts to send, each under one version. */
function casesToRead({ target, operation }: Call, sorts: readonly UnknownId["sort"][]): Case[] {
  const { settings } = target;
  const otherFields = operation.sameRecord?.by.slice(1) ?? [];
  const ids = [
    ...UNKNOWN_IDS.map((unknown) => ({ unknown })),
    ...otherFields.flatMap((field) => NEARLY_KNOWN.map((unknown) => ({ unknown, field }))),
  ].filter(({ unknown }) => sorts.includes(unknown.sort));
  const versions = allowedOf(target, operation);
  if (sendsAll(target))
    return ids.flatMap((each) => {
      const { number } = each.unknown;
      const own = versions.filter((_, index) => number === undefined || number % versions.length === index);
      return own.map((version) => ({ ...each, version }));
    });
  const pick = <T>(words: string, from: readonly T[]) =>
    sampledFrom(settings.seed, `${operation.id} ${words}`, from);
  return sorts.flatMap((sort) => {
    const ofSort = ids.filter(({ unknown }) => unknown.sort === sort);
    // The one with a letter appended is sent most often, as beginnings may match.
    const weighed = ofSort.flatMap((each) =>
      each.unknown.detail === "appended" ? [each, each, each] : [each],
    );
    const sampled = sort === "blanks" ? ofSort : pick(sort, weighed);
    const [version = null] = pick(`version ${sort}`, versions);
    return sampled.map((each) => ({ ...each, version }));
  });
}

async function readUnknown(call: Call, id: string): Promise<void> {
  await call.target.send(call.requestAt(id), { role: "probe" });
}

/** Reads ids of a list whose records look alike (banks and momos). */
export function idsOfOtherList(operation: Operation, own: Operation, other: Operation, field: string): Probe {
  return plainProbe(`${field} of ${other.id} in`, operation, "read", async (call) => {
    const { target } = call;
    await call.control();
    const valuesIn = async (list: Operation) =>
      (await listedRecords(target, list, call.version)).map(({ item }) => asText(item[field]));
    const known = new Set(await valuesIn(own));
    const later = await pathReadLater(target, other, field, call.version);
    const candidates = [later, ...(await valuesIn(other))];
    const path = candidates.find((value) => value !== undefined && !known.has(value));
    if (path === undefined)
      throw new NotTested("no-data", `${other.key} shows nothing that ${own.key} does not`);
    await readUnknown(call, path);
  });
}

/** Reads an id of another kind of resource. */
// Comes before the reads of stage `read`, which show if the record is still found.
export const idOfAnotherKind = probeOf("id of another kind", "repeat", async (byDefault) => {
  const { target, allowed: versions } = byDefault;
  const sampled = sampledAtQuick(target, `another kind ${byDefault.operation.id}`, versions);
  await sideBySide(sampled, async (version) => {
    const call = byDefault.under(version);
    const { path: own } = (await call.control()).plan;
    for (const other of readsOfOtherKinds(target.spec, byDefault.operation)) {
      const path = await idOrCodeOf(new Call(target, other));
      if (path !== undefined && path !== own) return readUnknown(call, path);
    }
    throw new NotTested("no-data", "no other id is known");
  });
});

/** Returns the id or code of a known resource, from which unknown ones are made. */
function idOrCodeOf(call: Call): Promise<string | undefined> {
  const { target, operation, version } = call;
  const { sameRecord } = operation;
  return unlessNotTested(async () => {
    const list = sameRecord && operationById(target.spec, sameRecord.list);
    const later = list && (await pathReadLater(target, list, sameRecord.by[0] ?? "", version));
    return later ?? (await call.control()).plan.path;
  });
}

/** Returns the reads of other kinds, to send their ids here. Both or neither in a space are confused more easily. */
export function readsOfOtherKinds(spec: Spec, operation: Operation): Operation[] {
  const shape = ({ resource }: Operation) => resource && spec.schemas.flatten(resource);
  const { properties = {} } = shape(operation) ?? {};
  const by = operation.sameRecord?.by ?? [identityOf(spec, operation)];
  if (!by.every((field) => field in properties)) return [];
  const collection = ({ path }: Operation) => path.slice(0, path.indexOf("{"));
  const others = spec.operations.filter(
    (other) =>
      other.kind === "read" &&
      other.pathParameter &&
      other.outer.length === 0 &&
      shape(other) !== shape(operation) &&
      collection(other) !== collection(operation),
  );
  const isNear = ({ space }: Operation) => (space === undefined) === (operation.space === undefined);
  return preferredFirst(others, isNear);
}

/** Returns probes of other operations that read the same ids, which a faulty service may then reject here. */
export function readsOfTheseIds(spec: Spec, operation: Operation): Probe[] {
  const list = operation.sameRecord?.list;
  const reads = operationsOf(spec, "read").filter(({ pathParameter }) => pathParameter);
  return reads.flatMap((other) => [
    ...listsOfSameShape(spec, other)
      .filter((lists) => lists.other.id === list)
      .flatMap((lists) =>
        (other.sameRecord?.by ?? []).map((field) => idsOfOtherList(other, lists.own, lists.other, field)),
      ),
    ...(readsOfOtherKinds(spec, other)[0] === operation ? [idOfAnotherKind(other)] : []),
  ]);
}

/** Reads a known id in another letter case. */
export const inOtherCasing = probeOf("other casing", "read", async (call) => {
  const { target, operation } = call;
  const fields = operation.sameRecord?.by ?? [];
  for (const field of sampledAtQuick(target, `${operation.id} casing`, fields)) {
    const known = await knownPath(call, field);
    const other = known === known.toUpperCase() ? known.toLowerCase() : known.toUpperCase();
    if (other !== known) await readUnknown(call, other);
  }
});

/** Returns other lists whose items have the same fields, such as banks and momos. */
export function listsOfSameShape(spec: Spec, { sameRecord, resource }: Operation) {
  if (!sameRecord || !resource) return [];
  const own = operationById(spec, sameRecord.list);
  const shape = spec.schemas.flatten(resource);
  return spec.operations
    .filter(
      (list) =>
        list.kind === "list" &&
        list.resource &&
        list.resource.$ref !== own.resource?.$ref &&
        spec.schemas.flatten(list.resource) === shape,
    )
    .map((other) => ({ own, other }));
}
