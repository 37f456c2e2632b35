import { type Entry, isAccepted, isRejected, requestJson, resourceIn } from "../history/entry.ts";
import type { History } from "../history/history.ts";
import type { ListPage } from "../history/lists.ts";
import { pathId } from "../history/resource-kinds.ts";
import type { Violation } from "../history/result.ts";
import { identityOf } from "../spec/identity.ts";
import { isObject, sameJson } from "../spec/json.ts";
import { preferredFirst } from "../spec/ordered.ts";
import { isCreation, ownTexts } from "./sent-again.ts";

const MOST_CAUSES = 2;
/** Faults, and sets of query parameters, that are tried as the cause. */
const MOST_KINDS = 10;

/** The violation needs the `core`. */
export interface Steps {
  core: Entry[];
  offending: Entry | undefined;
  /** The likeliest first. */
  causes: Entry[];
  /** An earlier request after which the operation may answer as before the cause. */
  reset: Entry | undefined;
  /** Writes before and after the last write of the core, and all other requests. */
  earlier: Entry[];
  later: Entry[];
  between: Entry[];
  /** The run made the resource, so nobody else writes it. */
  isOwn: boolean;
}

export function stepsOf(violation: Violation, history: History): Steps {
  const { spec, entries } = history;
  const shown = violation.shownBy.map(({ entry }) => entry);
  const ids = new Set(shown.flatMap((entry) => pathId(entry) ?? []));
  // Only the first create counts, because a repetition of its key shows the same id.
  const made = [...ids].flatMap(
    (id) =>
      entries.find(
        (entry) => isCreation(entry) && String(resourceIn(entry)?.[identityOf(spec, entry.operation)]) === id,
      ) ?? [],
  );
  const offending = violation.shownBy.find((each) => each.offending !== undefined);
  const setting = offending ? settingWrite(offending, made, history) : [];
  const begun = shown.flatMap((entry) => firstPageOf(entry, history) ?? []);
  const core = [...new Set([...made, ...setting, ...begun, ...shown])].sort(
    (one, other) => one.index - other.index,
  );
  const [begin, end] = [core[0]?.index ?? 0, core.at(-1)?.index ?? 0];
  const operations = new Set(core.filter(isWrite).map(({ operation }) => operation));
  const probes = new Set(shown.map(({ probe }) => probe));
  const between = entries.filter(
    ({ index, probe, operation, repeats }) =>
      index > begin &&
      index < end &&
      repeats === undefined &&
      (probes.has(probe) || operations.has(operation)),
  );
  const others = between.filter((entry) => !core.includes(entry));
  const writes = others.filter(isWrite);
  const isOfSame = (entry: Entry) => ids.has(pathId(entry) ?? "");
  const likeliestLast = (all: Entry[]) => [
    ...all.filter((entry) => !isOfSame(entry)),
    ...all.filter(isOfSame),
  ];
  const lastWrite = core.findLast(isWrite)?.index ?? end;
  const last = offending?.entry ?? shown.at(-1);
  return {
    core,
    offending: last,
    causes: last ? causesOf(last, core, history) : [],
    reset: shown[0] && resetOf(shown[0], history),
    earlier: likeliestLast(writes.filter(({ index }) => index < lastWrite)),
    later: writes.filter(({ index }) => index > lastWrite),
    between: others,
    isOwn: made.length > 0,
  };
}

/** The update is not needed if the create set the same value. */
function settingWrite(
  { entry, offending = "" }: Violation["shownBy"][number],
  made: readonly Entry[],
  { entries }: History,
): Entry[] {
  const [, , field = ""] = offending.split("/");
  const sentIn = (write: Entry) => {
    const body = requestJson(write);
    return isObject(body) ? body[field] : undefined;
  };
  const setting = entries.findLast(
    (write) =>
      isWrite(write) &&
      write.ended < entry.begun &&
      pathId(write) === pathId(entry) &&
      isAccepted(write) &&
      sentIn(write) !== undefined,
  );
  const isSame = made.some((create) => setting && sameJson(resourceIn(create)?.[field], sentIn(setting)));
  return setting && !isSame ? [setting] : [];
}

/** A service may remember how far a client has read, so reading starts at the first page. */
function firstPageOf({ index, request, operation }: Entry, { lists }: History): Entry | undefined {
  const [, cursor] = request.query.find(([name]) => name === operation?.list?.after?.name) ?? [];
  if (!operation || cursor === undefined) return undefined;
  const leads = ({ entry, next }: ListPage) => next === cursor && entry.index < index;
  return lists.reads(operation).findLast(({ pages }) => pages.some(leads))?.pages[0]?.entry;
}

function resetOf(one: Entry, { entries }: History): Entry | undefined {
  return entries.findLast(
    (entry) =>
      entry.index < one.index &&
      entry.operation === one.operation &&
      entry.request.url !== one.request.url &&
      isAccepted(entry) &&
      isBeside(one, entry),
  );
}

function isBeside(one: Entry, other: Entry): boolean {
  return one.space === other.space && one.credential.token === other.credential.token;
}

/** A request with the same unique text proves nothing, because a service must reject it. */
function causesOf(offending: Entry, core: readonly Entry[], { entries, answers, head }: History): Entry[] {
  const texts = ownTexts(offending);
  const sharesText = (entry: Entry) =>
    (isCreation(entry) || pathId(entry) !== pathId(offending)) &&
    ownTexts(entry).some((text) => texts.includes(text));
  const before = entries.filter(
    (entry) =>
      entry.index < offending.index &&
      entry.repeats === undefined &&
      (isWrite(offending) || !isWrite(entry)) &&
      !sharesText(entry) &&
      ["list", "read", "create", "update"].includes(entry.operation?.kind ?? "") &&
      !core.includes(entry),
  );
  const pathOf = ({ request }: Entry) => request.url.split("?")[0];
  const faultOf = (entry: Entry): string[] => {
    if (entry.space !== offending.space && head.spaces.includes(entry.space ?? "")) return ["other space"];
    const found = answers.classification(entry);
    const fault = "faults" in found ? found.faults[0] : undefined;
    return fault ? [fault.place, fault.requirement, fault.constraint] : [""];
  };
  const isNear = [
    ({ request }: Entry) => request.url === offending.request.url,
    ({ operation }: Entry) => operation === offending.operation,
    (entry: Entry) =>
      pathOf(entry) === pathOf(offending) || pathOf(offending)?.startsWith(`${pathOf(entry)}/`),
    (entry: Entry) => isWrite(offending) || entry.operation === offending.operation,
  ];
  const [same = [], ...near] = isNear.map((isMeant) => before.filter(isMeant).slice(-MOST_CAUSES).reverse());
  const alike = before.filter((entry) => entry.operation === offending.operation);
  const isOfSame = (entry: Entry) => pathOf(entry) === pathOf(offending);
  const rejected = preferredFirst(alike.filter(isRejected).toReversed(), isOfSame);
  const accepted = alike.filter((entry) => !isRejected(entry) && isBeside(offending, entry));
  const placeOf = (entry: Entry) => faultOf(entry)[0] ?? "";
  // A run sends many wrong tokens and spaces, so faults in headers come last.
  const each = firstOfEach(rejected, (entry) => faultOf(entry).join());
  const faulty = [
    ...firstOfEach(rejected, placeOf),
    ...preferredFirst(each, (entry) => !placeOf(entry).startsWith("header/")),
  ];
  const isFirstPage = ({ request }: Entry) =>
    request.query.every(([name]) => name !== offending.operation?.list?.after?.name);
  const asked = preferredFirst(accepted.toReversed(), isFirstPage);
  const faults = [...new Set(faulty)].slice(0, MOST_KINDS);
  const queries = firstOfEach(asked, queryOf).slice(0, MOST_KINDS);
  // A rejection mostly follows from another one, and a wrong answer from any request.
  const likeliest = isRejected(offending)
    ? [same, faults, ...near, queries]
    : [same, ...near, alternately(queries, faults)];
  return [...new Set(likeliest.flat())];
}

function alternately<T>(ones: readonly T[], others: readonly T[]): T[] {
  const length = Math.max(ones.length, others.length);
  return Array.from({ length }, (_, at) => [...ones.slice(at, at + 1), ...others.slice(at, at + 1)]).flat();
}

function queryOf({ request }: Entry): string {
  return request.query
    .map(([name]) => name)
    .sort()
    .join();
}

function firstOfEach<T>(items: readonly T[], kindOf: (item: T) => string): T[] {
  const kinds = items.map(kindOf);
  return items.filter((_, index) => kinds.indexOf(kinds[index] ?? "") === index);
}

export function isWrite({ request }: Entry): boolean {
  return request.method !== "GET";
}
