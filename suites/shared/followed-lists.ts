import { statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { skippedOver, without } from "../../history/lists/left-out.ts";
import type { ListPage, ListRead } from "../../history/lists/lists.ts";
import {
  comparedLists,
  type ListComparison,
  type ListPair,
  MIN_DIFFERENCES,
  pairedWithReferences,
} from "../../history/lists/pairs.ts";
import {
  type Described,
  judged,
  notExercised,
  type RuleResult,
  type Violation,
  violationBy,
  violationMessage,
} from "../../history/result.ts";
import { counted } from "../../spec/counted.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { wholeSize } from "../../spec/page-sizes.ts";
import { describeValue } from "../../spec/schema.ts";
import { driftUnlessDecided, lastPage, pagesOf } from "./compared-lists.ts";
import { type RuleTarget, targetsAt } from "./history-rule.ts";

const MOST_EMPTY_PAGES = 3;

export type FollowingFault =
  | "CURSOR-ACCEPTED"
  | "CURSOR-END"
  | "CURSOR-ONCE"
  | "CURSOR-COMPLETE"
  | "LIST-ORDER";

interface FollowingFinding extends Described {
  fault: FollowingFault;
  /** A second violated requirement: an early end also omits items. */
  also?: FollowingFault;
}

/** True if the read has only required filters. */
export function isUnfiltered({ list }: Operation, { filters }: Pick<ListRead, "filters">): boolean {
  return filters.every(([name]) => list?.filters.every((filter) => filter.required || filter.name !== name));
}

/** Returns the reads compared with that of the largest pages, which must show the same items, order and end. */
export function comparedSizes(history: History, list: Operation): ListComparison<FollowingFinding>[] {
  const isSized = list.list?.limit !== undefined;
  const reads = history.lists
    .reads(list)
    .filter((read) => (read.size !== null || !isSized) && isUnfiltered(list, read));
  const largest = wholeSize(list);
  const smaller = reads.filter(({ size }) => size !== largest);
  const isCompared = (read: ListRead) => smaller.length === 0 || read.size !== largest;
  const pairs = pairedWithReferences(reads, { isReference: ({ size }) => size === largest, isCompared });
  const differenceOf = ({ before, read }: ListPair) =>
    faultOf(before) ?? faultOf(read) ?? differenceBetween(before, read);
  return comparedLists(pairs, differenceOf, agreesInWhatStayed);
}

/** True if the list can't be followed. Another order alone does not matter. */
export function isFaulty({ verdict, difference }: ListComparison<FollowingFinding>): boolean {
  return verdict === "differs" && difference?.fault !== "LIST-ORDER";
}

/** Leaves other faults to their own requirements. */
export function followingFits(
  compared: readonly ListComparison<FollowingFinding>[],
  fault: FollowingFault,
  isProven: (pair: ListPair) => boolean = () => false,
): RuleResult {
  const isOf = ({ difference, pair }: ListComparison<FollowingFinding>) =>
    difference?.fault === fault ||
    difference?.also === fault ||
    ((pair.read.pages[0]?.entry.round ?? 1) > 1 &&
      difference !== null &&
      KINDRED_FAULTS.has(difference.fault) &&
      KINDRED_FAULTS.has(fault));
  const rejected = rejectedEachTime(compared);
  const violations = compared.filter(
    (each) => isOf(each) && (each.verdict === "differs" || rejected.includes(each)),
  );
  const fitting = compared.filter((each) => hasNoFault(each, fault));
  return judged(
    violations.map((violation) => violationOf(violation, isProven(violation.pair) ? "proven" : "suspected")),
    fitting.filter(({ pair }) => pair.read.pages.length > 1).flatMap(({ pair }) => lastPage(pair.read)),
    whyUnexercised(compared, fault),
  );
}

/** Faults that confirm each other: a faulty cursor may first repeat an item and later omit one. */
const KINDRED_FAULTS: ReadonlySet<FollowingFault> = new Set(["CURSOR-ONCE", "CURSOR-COMPLETE"]);

/** Returns nothing if any read reached a second page: changes of the list may then explain a rejection. */
function rejectedEachTime(
  compared: readonly ListComparison<FollowingFinding>[],
): ListComparison<FollowingFinding>[] {
  const rejected = compared.filter(({ pair }) => pair.read.rejected !== undefined);
  const isFollowed = compared.some(({ pair: { before, read } }) =>
    [before, read].some(({ pages }) => pages.length > 1),
  );
  return rejected.length < MIN_DIFFERENCES || isFollowed ? [] : rejected;
}

/** True if the list lacks this fault. Another order of whole lists violates only LIST-ORDER. */
function hasNoFault(
  { verdict, difference, pair }: ListComparison<FollowingFinding>,
  fault: FollowingFault,
): boolean {
  if (verdict === "agrees") return true;
  const bothEnded = pair.before.end === "last-page" && pair.read.end === "last-page";
  return fault !== "LIST-ORDER" && difference?.fault === "LIST-ORDER" && bothEnded;
}

/** Returns that nothing was judged, because another fault keeps the list from being followed. */
export function notFollowed(fault: Described): RuleResult {
  return notExercised("control-rejected", `the list can't be followed: ${violationMessage(fault)}`);
}

/** Returns why the reads do not show whether the list has this fault. */
function whyUnexercised(
  compared: readonly ListComparison<FollowingFinding>[],
  fault: FollowingFault,
): RuleResult {
  const rejected = rejectedEachTime(compared);
  const blocking = compared.find(
    (each) => (each.verdict === "differs" || rejected.includes(each)) && each.difference?.fault !== fault,
  )?.difference;
  return blocking
    ? notFollowed(blocking)
    : driftUnlessDecided(
        compared,
        notExercised("no-data", "the list has one page only, whatever the page size"),
      );
}

/** Judges the pages before the last ones, which must have as many items as were asked for. */
export function pagesAreFull(reads: readonly ListRead[], otherwise: RuleResult): RuleResult {
  const followed = reads.filter((read) => faultOf(read) === null).flatMap(({ pages }) => pages);
  const leading = followed.filter(({ next, size }) => next !== null && size !== null);
  const short = leading.filter(({ ids, size }) => ids.length < (size ?? 0));
  return judged(
    short.map(({ entry, ids, size }) => {
      const expected = `${counted(size ?? 0, "item")}, because there is a next`;
      const facts = { difference: "too-few", expected, actual: counted(ids.length, "item") } as const;
      return violationBy("suspected", facts, entry);
    }),
    leading.map(({ entry }) => entry),
    otherwise,
  );
}

/** Returns the violation that two reads of one list differ, shown by their pages. */
function violationOf(
  { pair, difference }: ListComparison<FollowingFinding>,
  certainty: Violation["certainty"],
): Violation {
  const { expected = "", actual = "" }: Partial<FollowingFinding> = difference ?? {};
  const reads = faultOf(pair.read) ? [pair.read] : [pair.before, pair.read];
  const facts = { difference: difference?.difference, expected, actual };
  return violationBy(certainty, facts, ...pagesOf(...reads));
}

/** Returns the fault that a read shows by itself, without another read. */
export function faultOf({ rejected, end, ids, pages }: ListRead): FollowingFinding | null {
  if (rejected) {
    const actual = `status ${statusOf(rejected)}`;
    return { fault: "CURSOR-ACCEPTED", expected: "the list's own next to be accepted", actual };
  }
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (end === "loop") {
    const cursor = describeValue(pages.at(-1)?.next, 60);
    const actual = `the cursor ${cursor} again: following it never ends`;
    const also = twice === undefined ? {} : { also: "CURSOR-ONCE" as const };
    const expected = "a next that leads to further items";
    return { fault: "CURSOR-END", ...also, difference: "repeated", expected, actual };
  }
  const expected = "each item once";
  if (twice !== undefined)
    return { fault: "CURSOR-ONCE", difference: "repeated", expected, actual: `${twice} twice` };
  if (ids.length === 0 && end !== "last-page" && pages.length > MOST_EMPTY_PAGES) {
    const actual = `a next on ${pages.length} empty pages`;
    return { fault: "CURSOR-END", expected: "an empty list to end", actual };
  }
  return null;
}

/** Returns the first difference between two reads of one list, or null if both show the same items. */
function differenceBetween(whole: ListRead, part: ListRead): FollowingFinding | null {
  const bothEnded = whole.end === "last-page" && part.end === "last-page";
  const common = bothEnded ? undefined : Math.min(whole.ids.length, part.ids.length);
  const a = whole.ids.slice(0, common);
  const b = part.ids.slice(0, common);
  const early = endedEarly(whole, part);
  if (early || sameJson(a, b)) return early;
  const size = part.size ?? 0;
  const lost = bothEnded ? without(whole.ids, part.ids) : skippedOver(whole.ids, b);
  if (lost.length > 0) return leftOutFinding(lost, size);
  const added = bothEnded ? without(part.ids, whole.ids) : skippedOver(part.ids, a);
  if (added.length > 0) return leftOutFinding(added, whole.size ?? 0);
  const at = a.findIndex((id, index) => id !== b[index]);
  return {
    fault: "LIST-ORDER",
    expected: `${a[at]} as item ${at + 1}`,
    actual: `${b[at]} with pages of ${size}`,
  };
}

function leftOutFinding(lost: string[], size: number): FollowingFinding {
  return {
    fault: "CURSOR-COMPLETE",
    difference: "missing",
    expected: `${lost[0]} among the items with pages of ${size} too`,
    actual: `${lost.length} items left out`,
  };
}

/** Returns a finding if one read ended and the other shows further items, else null. */
function endedEarly(whole: ListRead, part: ListRead): FollowingFinding | null {
  const ends = [
    { ended: part, other: whole },
    { ended: whole, other: part },
  ];
  const early = ends.find(
    ({ ended: { end, ids }, other }) =>
      end === "last-page" &&
      ids.length < other.ids.length &&
      ids.every((id, index) => id === other.ids[index]),
  );
  if (!early) return null;
  const { ids, size } = early.ended;
  return {
    fault: "CURSOR-END",
    also: "CURSOR-COMPLETE",
    difference: "too-few",
    expected: `a next after item ${ids.length}, because there are more`,
    actual: `next null with pages of ${size}`,
  };
}

/** True if the items that stayed kept their order over more than one page. */
export function agreesInWhatStayed({ before, read, after }: ListPair): boolean {
  if (!after || [before, read, after].some((each) => faultOf(each) !== null)) return false;
  const left = new Set(after.ids);
  const stayed = before.ids.filter((id) => left.has(id));
  const kept = new Set(stayed);
  const inOrder = (ids: string[]) => ids.filter((id) => kept.has(id));
  const shown = inOrder(read.ids);
  const due = read.end === "last-page" ? stayed : stayed.slice(0, shown.length);
  return shown.length > (read.size ?? 0) && sameJson(shown, due) && sameJson(inOrder(after.ids), stayed);
}

export function followableLists(spec: Spec): RuleTarget[] {
  return targetsAt(operationsOf(spec, "list").filter(({ list }) => list?.after));
}

/** Returns the lists with a cursor and a page size. */
export function sizedFollowableLists(spec: Spec): RuleTarget[] {
  return followableLists(spec).filter(({ operation }) => operation.list?.limit !== undefined);
}

/** Returns the unfiltered first pages of the list. */
export function firstPages({ lists }: History, list: Operation): ListPage[] {
  return lists.pages(list).filter((page) => page.cursor === null && isUnfiltered(list, page));
}

/** Returns the unfiltered first pages of this round alone. */
export function firstPagesOfRound(history: History, list: Operation): ListPage[] {
  return firstPages(history, list).filter(history.lists.isOfRound);
}
