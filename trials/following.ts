/** What following a list shows: whether next leads to its end, to each item once, in the same order in pages of any size. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { itemsOf, nextOf, queryOf } from "../client/target.ts";
import { sameJson } from "../spec/json.ts";
import { describeValue } from "../spec/schema.ts";
import { pagesWorth, sizesTried, type Walk, walk } from "./corpus.ts";
import { ensureItems } from "./own-items.ts";
import {
  allowedSizes,
  compareStill,
  evidenceOf,
  largestSize,
  mustHaveBegun,
  type Reading,
  stoodStill,
} from "./pages.ts";

/** So many items in the same order are no coincidence. */
const FEWEST_IN_ORDER = 5;
/** An empty list that goes on for so many pages does not end. */
const MOST_EMPTY_PAGES = 3;

/** The requirements that following a list can break. */
export type FollowingFault =
  | "CURSOR-ACCEPTED"
  | "CURSOR-END"
  | "CURSOR-ONCE"
  | "CURSOR-COMPLETE"
  | "LIST-ORDER";

/** What is wrong with a list that was followed. */
export interface FollowingFinding {
  fault: FollowingFault;
  /** What is broken along with it: a list that ends too early is not complete either. */
  also?: FollowingFault;
  expected: string;
  actual: string;
  readings: Reading[];
}

/** A list that was followed in the largest pages and in each size that is tried. */
export interface Followed {
  findings: FollowingFinding[];
  /** In the largest pages. */
  whole: Reading;
  /** In each other size, the sizes that were accepted alone. */
  others: Reading[];
}

/** Follows a list under a version, once for all the rules that ask. Throws Untestable where it can't be followed at all. */
export function followed(call: Call): Promise<Followed> {
  const { target, operation, version } = call;
  return target.once(`followed ${operation.id} ${version ?? "none"}`, async () => {
    await ensureItems(target, operation);
    const whole = await walk(call);
    mustHaveBegun(whole);
    mustBeReadable(whole);
    const smaller = [...sizesTried(call), ...halfOf(call, whole)];
    // Where there is but one size, that is what the list is followed in.
    const sizes = smaller.length > 0 ? smaller : [largestSize(operation)];
    const sized = sizes.map((size) => walkSized(call, size, whole));
    const readings = await Promise.all(sized.map((options) => walk(call, options)));
    const findings = new Map<FollowingFault, FollowingFinding>();
    const others: Reading[] = [];
    for (const [index, options] of sized.entries()) {
      const reading = readings[index];
      // A size that is not accepted is a finding of its own, elsewhere.
      if (!reading || (reading.refused && reading.answers.length === 1)) continue;
      mustBeReadable(reading);
      others.push(reading);
      // What was wrong at one size is likely to be wrong at the next, and would be told of twice.
      if ([...findings.keys()].some((fault) => fault !== "LIST-ORDER")) continue;
      const finding = await settledFinding(call, whole, reading, options);
      if (finding && !findings.has(finding.fault)) findings.set(finding.fault, finding);
    }
    return { findings: [...findings.values()], whole, others };
  });
}

/** Throws Untestable where a list can't be followed: then what else is wrong with its pages says nothing. */
export function mustBeFollowable({ findings }: Followed): void {
  const blocking = findings.find(({ fault }) => fault !== "LIST-ORDER");
  if (!blocking) return;
  const { expected, actual } = blocking;
  throw new Untestable("control-rejected", `the list can't be followed: expected ${expected}, got ${actual}`);
}

/** A page with a next that holds fewer items than were asked for, or undefined. */
export function shortPage(
  { operation }: Call,
  readings: Reading[],
): { size: number; answer: Reading["answers"][number] } | undefined {
  for (const answer of readings.flatMap(({ answers }) => answers)) {
    const size = Number(queryOf(answer.plan, operation.list?.limit?.name));
    if (nextOf(answer) !== null && itemsOf(answer).length < size) return { size, answer };
  }
  return undefined;
}

/** What two walks show to be wrong; where they show anything, both are done again until the list stands still. */
async function settledFinding(
  call: Call,
  whole: Reading,
  reading: Reading,
  options: Walk,
): Promise<FollowingFinding | null> {
  const size = options.size ?? 0;
  if (difference(whole, reading, size) === null) return null;
  const anew = (how: Walk) => () => walk(call, { ...how, anew: true });
  const differs = (large: Reading, small: Reading) => difference(large, small, size);
  const agrees = (before: Reading, small: Reading, after: Reading) =>
    agreeInWhatStayed(before, small, after, size);
  return compareStill(call.target, anew({}), anew(options), stoodStill, differs, call.operation.id, agrees);
}

/**
 * Whether a walk in pages of `size`, made while others changed the list, met nothing twice, and showed what was in the
 * list before and after it whole and in the same order: as far as the walk went, where it was not to the end. Less than
 * a page of that tells nothing.
 */
export function agreeInWhatStayed(before: Reading, part: Reading, after: Reading, size: number): boolean {
  const readings = [before, part, after];
  if (!readings.every((reading) => faultOf(reading) === null)) return false;
  const left = new Set(after.ids);
  const stayed = before.ids.filter((id) => left.has(id));
  const kept = new Set(stayed);
  const inOrder = (ids: string[]) => ids.filter((id) => kept.has(id));
  const shown = inOrder(part.ids);
  const due = part.complete ? stayed : stayed.slice(0, shown.length);
  return shown.length > size && sameJson(shown, due) && sameJson(inOrder(after.ids), stayed);
}

/** Under the other versions, at depth full: the size at which a list that is not long ends on its second page. */
function halfOf(call: Call, { ids }: Reading): number[] {
  if (call.isUsual || call.target.settings.depth === "quick" || ids.length < 2) return [];
  const half = Math.min(Math.ceil(ids.length / 2), largestSize(call.operation) - 1);
  return allowedSizes(call.operation, [half]);
}

function walkSized(call: Call, size: number, whole: Reading): Walk & { size: number } {
  return { size, mostPages: pagesWorth(call, size, whole.ids.length) };
}

function difference(whole: Reading, reading: Reading, size: number): FollowingFinding | null {
  return faultOf(whole) ?? faultOf(reading) ?? compared(whole, reading, size);
}

function mustBeReadable(reading: Reading): void {
  if (reading.unreadable === undefined) return;
  throw new Untestable(
    "control-rejected",
    `next is no text: ${describeValue(reading.unreadable, 60)}`,
    evidenceOf(reading),
  );
}

/** What a single walk shows to be wrong. */
export function faultOf(reading: Reading): FollowingFinding | null {
  const readings = [reading];
  if (reading.refused) {
    return {
      fault: "CURSOR-ACCEPTED",
      expected: "the list's own next to be accepted",
      actual: `status ${reading.refused.status}`,
      readings,
    };
  }
  if (reading.loop !== undefined) {
    return {
      fault: "CURSOR-END",
      expected: "a next that leads on",
      actual: `the cursor ${describeValue(reading.loop, 60)} again: following it never ends`,
      readings,
    };
  }
  const twice = reading.ids.find((id, index) => reading.ids.indexOf(id) !== index);
  if (twice !== undefined)
    return { fault: "CURSOR-ONCE", expected: "each item once", actual: `${twice} twice`, readings };
  if (reading.items.length === 0 && !reading.complete && reading.answers.length > MOST_EMPTY_PAGES) {
    return {
      fault: "CURSOR-END",
      expected: "an empty list to end",
      actual: `a next on ${reading.answers.length} empty pages`,
      readings,
    };
  }
  return null;
}

/** What two walks through one list, in large pages and in small ones, show to be wrong. */
function compared(whole: Reading, part: Reading, size: number): FollowingFinding | null {
  const readings = [whole, part];
  const bothEnded = whole.complete && part.complete;
  const common = bothEnded ? undefined : Math.min(whole.ids.length, part.ids.length);
  const a = whole.ids.slice(0, common);
  const b = part.ids.slice(0, common);
  if (a.join("\n") === b.join("\n")) return endedEarly(whole, part, size);
  const early = endedEarly(whole, part, size);
  if (early) return early;
  const lost = bothEnded ? whole.ids.filter((id) => !part.ids.includes(id)) : skippedOver(whole.ids, b);
  const added = bothEnded ? part.ids.filter((id) => !whole.ids.includes(id)) : [];
  if (lost.length > 0) {
    return {
      fault: "CURSOR-COMPLETE",
      expected: `${lost[0]} among the items with pages of ${size} too`,
      actual: `${lost.length} items left out`,
      readings,
    };
  }
  if (added.length > 0) {
    return {
      fault: "CURSOR-COMPLETE",
      expected: "the same items",
      actual: `${added.length} more with pages of ${size}, ${added[0]} for one`,
      readings,
    };
  }
  const at = a.findIndex((id, index) => id !== b[index]);
  return {
    fault: "LIST-ORDER",
    expected: `${a[at]} as item ${at + 1}`,
    actual: `${b[at]} with pages of ${size}`,
    readings,
  };
}

/** A walk that ended where another went on. */
function endedEarly(whole: Reading, part: Reading, size: number): FollowingFinding | null {
  const ends = [
    { ended: part, other: whole, how: ` with pages of ${size}` },
    { ended: whole, other: part, how: "" },
  ];
  const early = ends.find(({ ended, other }) => ended.complete && isPrefix(ended.ids, other.ids));
  if (!early) return null;
  return {
    fault: "CURSOR-END",
    also: "CURSOR-COMPLETE",
    expected: `a next after item ${early.ended.ids.length}, for there are more`,
    actual: `next null${early.how}`,
    readings: [whole, part],
  };
}

function isPrefix(short: string[], long: string[]): boolean {
  return short.length < long.length && short.every((id, index) => id === long[index]);
}

/**
 * Items of `whole` that `part` skips, when `part` otherwise keeps the order of `whole` and goes on behind its end;
 * none when it does not: then the order differs, and nothing can be said to be left out.
 */
export function skippedOver(whole: string[], part: string[]): string[] {
  const places = part.map((id) => whole.indexOf(id));
  const beyond = places.findIndex((_, index) => places.slice(index).every((place) => place === -1));
  const within = beyond === -1 ? places : places.slice(0, beyond);
  const inOrder = within.every((place, index) => place > (within[index - 1] ?? -1));
  if (!inOrder || within.length < FEWEST_IN_ORDER) return [];
  const kept = new Set(part);
  return whole.slice(0, within.at(-1)).filter((id) => !kept.has(id));
}

/** Depth full reads a list that is longer than is compared on, to see that it ends, as far as this many of the largest pages go. */
const MOST_PAGES_TO_THE_END = 60;

/** Throws Untestable where a list is longer than is read: whether it ends is not known then. */
export async function mustEnd(call: Call): Promise<void> {
  if (call.target.settings.depth === "full") {
    const reading = await walk(call, { mostPages: MOST_PAGES_TO_THE_END });
    const finding = faultOf(reading);
    if (finding?.fault === "CURSOR-END")
      throw new Violation(finding.expected, finding.actual, evidenceOf(reading));
    if (reading.complete) return;
  }
  throw new Untestable("budget", "the list is longer than is read");
}
