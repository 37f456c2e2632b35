import { isAtOrBelow, pathOf } from "../../history/creates/deletions.ts";
import { type Entry, hasSameCaller, isAccepted, isRejected, isWrite, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { interleaved, preferredFirst } from "../../spec/ordered.ts";
import { isCreation, isFirstOfItsResource, ownTexts } from "./sent-again.ts";

const MOST_OF_NEAREST = 2;
const MOST_FAULTS = 10;
const MOST_QUERIES = 10;

/** Returns earlier requests that may cause the violation, the likeliest first. */
export function likelyCauses(offending: Entry, core: readonly Entry[], history: History): Entry[] {
  const earlier = possibleCauses(offending, core, history);
  const latest = (isMeant: (entry: Entry) => boolean) =>
    earlier.filter(isMeant).slice(-MOST_OF_NEAREST).reverse();
  const isOfOperation = ({ operation }: Entry) => operation === offending.operation;
  const isNear = (entry: Entry) => isAtOrBelow(pathOf(offending), { path: pathOf(entry) });
  const sameUrl = latest(({ request }) => request.url === offending.request.url);
  const near = [
    ...latest(isOfOperation),
    ...latest(isNear),
    ...firstOfEach(earlier.filter(isNear).reverse(), ({ operation }) => operation?.key ?? ""),
    ...latest((entry) => isWrite(offending) || isOfOperation(entry)),
  ];
  const alike = earlier.filter(isOfOperation).reverse();
  // A service may remember its last success over later rejections.
  const inSameSpace = preferredFirst(alike.filter(isAccepted), ({ space }) => space === offending.space);
  const accepted = preferredFirst(inSameSpace, (entry) => hasSameCaller(offending, entry));
  const lastAccepted = accepted.slice(0, 1);
  const isReplay = (entry: Entry) => isCreation(entry) && !isFirstOfItsResource(entry, history);
  const lastReplay = isWrite(offending) ? accepted.filter(isReplay).slice(0, 1) : [];
  const faults = withDifferentFaults(alike, offending, history);
  const notRejected = alike.filter((entry) => !isRejected(entry));
  const queries = withDifferentQueries(notRejected, offending);
  const headers = withDifferentHeaders(notRejected, offending);
  // Wrong rejections mostly follow rejections, but wrong answers follow any request.
  const others = isRejected(offending)
    ? [...faults, ...near, ...headers, ...queries]
    : [...near, ...headers, ...interleaved(queries, faults)];
  return [...new Set([...sameUrl, ...lastAccepted, ...lastReplay, ...others])];
}

/** Returns the entries before the offending one that can be sent again and may have changed its answer. */
function possibleCauses(offending: Entry, core: readonly Entry[], { entries }: History): Entry[] {
  const texts = ownTexts(offending);
  // A service must reject the second use of a unique text.
  const sharesText = (entry: Entry) =>
    (isCreation(entry) || pathId(entry) !== pathId(offending)) &&
    ownTexts(entry).some((text) => texts.includes(text));
  return entries.filter(
    (entry) =>
      // A service may handle simultaneous requests in another order than they were sent.
      entry.begun < offending.ended &&
      entry !== offending &&
      entry.repeats === undefined &&
      // A rejected write changes nothing, so it may be sent again.
      (isWrite(offending) || !isWrite(entry) || isRejected(entry)) &&
      !sharesText(entry) &&
      ["list", "read", "create", "update"].includes(entry.operation?.kind ?? "") &&
      !core.includes(entry),
  );
}

/** Returns rejected requests of different faults, those at the same path first. */
export function withDifferentFaults(
  latestFirst: readonly Entry[],
  offending: Entry,
  history: History,
): Entry[] {
  const rejected = preferredFirst(
    latestFirst.filter(isRejected),
    (entry) => pathOf(entry) === pathOf(offending),
  );
  const faults = new Map(rejected.map((entry) => [entry, faultOf(entry, offending, history)]));
  const faultyPlaceOf = (entry: Entry) => faults.get(entry)?.[0] ?? "";
  const ofEachPlace = firstOfEach(rejected, faultyPlaceOf);
  const ofEachFault = firstOfEach(rejected, (entry) => String(faults.get(entry)));
  // Faults in headers come last, because a run sends many wrong tokens and spaces.
  const headersLast = preferredFirst(ofEachFault, (entry) => !faultyPlaceOf(entry).startsWith("header/"));
  return [...new Set([...ofEachPlace, ...headersLast])].slice(0, MOST_FAULTS);
}

function faultOf(entry: Entry, offending: Entry, { answers, head }: History): readonly string[] {
  if (entry.space !== offending.space && head.spaces.includes(entry.space ?? "")) return ["other space"];
  const classified = answers.classification(entry);
  const [fault] = "faults" in classified ? classified.faults : [];
  return fault ? [fault.place, fault.requirement, fault.constraint] : [];
}

function withDifferentQueries(latestFirst: readonly Entry[], offending: Entry): Entry[] {
  const ofCaller = latestFirst.filter((entry) => hasSameCaller(offending, entry));
  const cursor = offending.operation?.list?.after?.name;
  const isFirstPage = ({ request }: Entry) => request.query.every(([name]) => name !== cursor);
  return firstOfEach(preferredFirst(ofCaller, isFirstPage), parametersOf).slice(0, MOST_QUERIES);
}

/** Returns the latest request of another caller, and the latest under each other version: at this path and any. */
function withDifferentHeaders(latestFirst: readonly Entry[], offending: Entry): Entry[] {
  const ofOtherCaller = latestFirst.filter((entry) => !hasSameCaller(offending, entry)).slice(0, 1);
  const underOthers = latestFirst.filter(({ version }) => version !== offending.version);
  const atSamePath = underOthers.filter((entry) => pathOf(entry) === pathOf(offending));
  const ofEachVersion = (some: readonly Entry[]) => firstOfEach(some, ({ version }) => version ?? "");
  return [...ofOtherCaller, ...ofEachVersion(atSamePath), ...ofEachVersion(underOthers)];
}

function parametersOf({ request }: Entry): string {
  return request.query
    .map(([name]) => name)
    .sort()
    .join();
}

function firstOfEach<T>(items: readonly T[], groupOf: (item: T) => string): T[] {
  const groups = items.map(groupOf);
  return items.filter((_, index) => groups.indexOf(groups[index] ?? "") === index);
}
