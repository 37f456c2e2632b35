/** Which requests of the run may be sent again to show a violation. */

import { type Entry, isAccepted, isRejected, requestJson, resourceIn } from "../history/entry.ts";
import type { History } from "../history/history.ts";
import type { ListPage } from "../history/lists.ts";
import { pathId } from "../history/resource-kinds.ts";
import type { Violation } from "../history/result.ts";
import { identityOf } from "../spec/identity.ts";
import { isObject, sameJson } from "../spec/json.ts";
import { isCreation, ownTexts } from "./sent-again.ts";

/** The most earlier requests of one kind that are tried as the cause of a violation. */
const MOST_CAUSES = 2;
/** The most rejected requests, each with another fault, and accepted ones, each with other query parameters. */
const MOST_KINDS = 10;

/** Requests that may be sent again, in the order of the run. */
export interface Steps {
  core: Entry[];
  offending: Entry | undefined;
  /** Requests before the offending one that may cause the violation, the likeliest first. */
  causes: Entry[];
  /** A request before the first shown one, after which the answer was right. */
  reset: Entry | undefined;
  /** Writes before the last write of the core, those to the same resource at the end, and after it. */
  earlier: Entry[];
  later: Entry[];
  between: Entry[];
  /** The run made the resource, so nobody else writes to it. */
  isOwn: boolean;
}

/** The requests that the violation always needs, and others before each of them that it may need. */
export function stepsOf(violation: Violation, history: History): Steps {
  const { spec, entries } = history;
  const shown = violation.shownBy.map(({ entry }) => entry);
  const ids = new Set(shown.flatMap((entry) => pathId(entry) ?? []));
  // If a creation was sent twice with one key, both answers show the same id.
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

/**
 * The update that set the field which the offending answer shows wrongly, unless the resource was made with
 * that value.
 */
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

/** The first page of the list that the cursor of a page continues: a service may keep the place in a list. */
function firstPageOf({ index, request, operation }: Entry, { lists }: History): Entry | undefined {
  const [, cursor] = request.query.find(([name]) => name === operation?.list?.after?.name) ?? [];
  if (!operation || cursor === undefined) return undefined;
  const leads = ({ entry, next }: ListPage) => next === cursor && entry.index < index;
  return lists.reads(operation).findLast(({ pages }) => pages.some(leads))?.pages[0]?.entry;
}

/** The last other request of the operation before one, in the same space and with the same token. */
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

/**
 * The last requests before the offending one: to its resource or list, of its operation, and of any; then one
 * for each fault and set of query parameters. A service may want each text for one resource only, so requests
 * that give it to another are left out.
 */
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
  const rejections = alike.filter(isRejected).toReversed();
  const isOfSame = (entry: Entry) => pathOf(entry) === pathOf(offending);
  const rejected = [...rejections.filter(isOfSame), ...rejections.filter((entry) => !isOfSame(entry))];
  const accepted = alike.filter((entry) => !isRejected(entry) && isBeside(offending, entry));
  const placeOf = (entry: Entry) => faultOf(entry)[0] ?? "";
  // Each place comes before other faults there. A run sends many wrong tokens and spaces, so headers come last.
  const atHeader = (entry: Entry) => placeOf(entry).startsWith("header/");
  const each = firstOfEach(rejected, (entry) => faultOf(entry).join());
  const faulty = [
    ...firstOfEach(rejected, placeOf),
    ...each.filter((entry) => !atHeader(entry)),
    ...each.filter(atHeader),
  ];
  const isFirstPage = ({ request }: Entry) =>
    request.query.every(([name]) => name !== offending.operation?.list?.after?.name);
  const latest = accepted.toReversed();
  const asked = [...latest.filter(isFirstPage), ...latest.filter((entry) => !isFirstPage(entry))];
  const faults = [...new Set(faulty)].slice(0, MOST_KINDS);
  const queries = firstOfEach(asked, queryOf).slice(0, MOST_KINDS);
  // A rejection mostly follows from another one, and a wrong answer from any request.
  const likeliest = isRejected(offending)
    ? [same, faults, ...near, queries]
    : [same, ...near, inTurn(queries, faults)];
  return [...new Set(likeliest.flat())];
}

function inTurn<T>(ones: readonly T[], others: readonly T[]): T[] {
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
