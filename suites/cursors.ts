/** Cursors (sections 2.2 and 4): following next ends, and yields each item once, whatever the page size and filters. */

import fc from "fast-check";
import { type Check, Untestable, Violation } from "../client/check.ts";
import { baseQueries } from "../client/samples.ts";
import { type Answer, isAccepted, itemsOf, nextOf, type Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { withQuery } from "../generators/request.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { operationsOf, perVersion } from "../trials/derive.ts";
import {
  allowedSizes,
  compareStill,
  evidenceOf,
  largestSize,
  type Reading,
  readPages,
  stoodStill,
} from "../trials/pages.ts";
import { holds } from "../trials/property.ts";

const SUITE = "cursors";
/** A list is compared as far as pages of the largest size go that hold so many items. */
const REFERENCE_ITEMS = 300;
const MOST_REFERENCE_PAGES = 30;

function referencePages(size: number): number {
  return Math.min(Math.ceil(REFERENCE_ITEMS / size), MOST_REFERENCE_PAGES);
}

/** And as far as this many smaller pages go. */
const COMPARED_PAGES = 14;

/** And read, once, as far as this many of the largest pages go, to see that it ends. */
const MOST_PAGES_TO_THE_END = 60;

/** So many items in the same order are no coincidence. */
const FEWEST_IN_ORDER = 5;

/** What can be wrong between two ways of following a list. */
type Fault = "CURSOR-ACCEPTED" | "CURSOR-END" | "CURSOR-ONCE" | "CURSOR-COMPLETE" | "LIST-ORDER";

interface Finding {
  fault: Fault;
  /** What is broken along with it: a list that ends too early is not complete either. */
  also?: Fault;
  expected: string;
  actual: string;
  readings: Reading[];
}

export function cursorChecks(spec: Spec): Check[] {
  return operationsOf(spec, "list")
    .filter((operation) => operation.list?.after && operation.list.limit)
    .flatMap((operation) => [
      ...followChecks(spec, operation),
      ...fullPageCheck(spec, operation),
      ...repeatCheck(spec, operation),
    ]);
}

const TITLES: Record<Fault, string> = {
  "CURSOR-ACCEPTED": "accepts its own next as a cursor",
  "CURSOR-END": "comes to an end when next is followed, with next null on the last page only",
  "CURSOR-ONCE": "yields each item once when next is followed",
  "CURSOR-COMPLETE": "yields the same items whatever the page size",
  "LIST-ORDER": "keeps its order whatever the page size",
};

function followChecks(spec: Spec, operation: Operation): Check[] {
  return (Object.keys(TITLES) as Fault[]).flatMap((fault) =>
    perVersion(spec, {
      suite: SUITE,
      requirement: fault,
      operation,
      title: `${operation.key} ${TITLES[fault]}`,
      stage: "read",
      async run(target, version) {
        const { findings, multiPage, complete } = await follow(target, operation, version);
        const finding = findings.find((candidate) => candidate.fault === fault || candidate.also === fault);
        if (finding) throw new Violation(finding.expected, finding.actual, evidenceOf(...finding.readings));
        // Other faults of the traversal stand in the way of judging this one.
        const blocking = findings.find((candidate) => candidate.fault !== "LIST-ORDER");
        if (blocking)
          throw new Untestable(
            "control-rejected",
            `the traversal fails otherwise: expected ${blocking.expected}, got ${blocking.actual}`,
          );
        if (!multiPage) throw new Untestable("no-data", "the list has one page only, whatever the page size");
        if (fault === "CURSOR-END" && !complete) await mustEnd(target, operation);
      },
    }),
  );
}

/** Reads a list that is longer than is compared to its end, once in a run; one that is longer still says nothing. */
async function mustEnd(target: Target, operation: Operation): Promise<void> {
  const reading = await target.once(`end of ${operation.id}`, async () => {
    const [query = []] = await baseQueries(target, operation, 1);
    return readPages(target, operation, {
      version: usualVersion(target, operation),
      query,
      limit: largestSize(operation),
      mostPages: MOST_PAGES_TO_THE_END,
    });
  });
  const finding = findFault(reading);
  if (finding?.fault === "CURSOR-END")
    throw new Violation(finding.expected, finding.actual, evidenceOf(reading));
  if (!reading.complete) throw new Untestable("budget", "the list is longer than is read");
}

interface Followed {
  findings: Finding[];
  multiPage: boolean;
  complete: boolean;
}

/** Follows a list in large pages and in several smaller sizes, once per version, for all the checks that ask. */
export function follow(target: Target, operation: Operation, version: string | null): Promise<Followed> {
  return target.once(`follow ${operation.id} ${version ?? "none"}`, async () => {
    const { minimum = 1 } = operation.list?.limit?.schema ?? {};
    const maximum = largestSize(operation);
    const [query = []] = await baseQueries(target, operation, 1);
    const read = (limit: number, mostPages: number) => () =>
      readPages(target, operation, { version, query, limit, mostPages });
    const findings = new Map<Fault, Finding>();
    let multiPage = false;
    let complete = false;
    const sizes = [
      ...new Set([10, 7, minimum, 3, maximum - 1, Math.max(minimum, 1 + (Math.abs(target.seed) % maximum))]),
    ];
    for (const size of sizes.filter((candidate) => candidate >= minimum && candidate < maximum)) {
      const finding = await compareStill<Reading, Reading, Finding>(
        target,
        read(maximum, referencePages(maximum)),
        read(size, COMPARED_PAGES),
        stoodStill,
        (reference, compared) => {
          const unreadable = [reference, compared].find((reading) => reading.unreadable !== undefined);
          if (unreadable)
            throw new Untestable(
              "control-rejected",
              `next is no text: ${describeValue(unreadable.unreadable, 60)}`,
              evidenceOf(unreadable),
            );
          multiPage ||= compared.answers.length > 1;
          complete ||= reference.complete;
          return findFault(reference) ?? findFault(compared) ?? compare(reference, compared, size);
        },
      );
      if (finding && !findings.has(finding.fault)) findings.set(finding.fault, finding);
      if (finding && finding.fault !== "LIST-ORDER") break;
    }
    return { findings: [...findings.values()], multiPage, complete };
  });
}

/** What a single reading shows to be wrong. */
function findFault(reading: Reading): Finding | null {
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
  const seen = new Set<string>();
  for (const id of reading.ids) {
    if (seen.has(id))
      return { fault: "CURSOR-ONCE", expected: "each item once", actual: `${id} twice`, readings };
    seen.add(id);
  }
  const emptyFollowed = reading.answers
    .slice(0, -1)
    .find((answer) => itemsOf(answer).length === 0 && nextOf(answer) !== null);
  if (emptyFollowed && reading.items.length === 0 && reading.answers.length > 3) {
    return {
      fault: "CURSOR-END",
      expected: "an empty list to end",
      actual: `a next on ${reading.answers.length} empty pages`,
      readings,
    };
  }
  return null;
}

/** What two readings of one list, in large pages and in small ones, show to be wrong. */
function compare(reference: Reading, compared: Reading, size: number): Finding | null {
  const readings = [reference, compared];
  const common =
    reference.complete && compared.complete ? undefined : Math.min(reference.ids.length, compared.ids.length);
  const a = reference.ids.slice(0, common);
  const b = compared.ids.slice(0, common);
  if (a.join("\n") === b.join("\n")) return null;
  if (compared.complete && isPrefix(compared.ids, reference.ids)) {
    return {
      fault: "CURSOR-END",
      also: "CURSOR-COMPLETE",
      expected: `a next after item ${compared.ids.length}, for there are more`,
      actual: `next null with pages of ${size}`,
      readings,
    };
  }
  if (reference.complete && isPrefix(reference.ids, compared.ids)) {
    return {
      fault: "CURSOR-END",
      also: "CURSOR-COMPLETE",
      expected: `a next after item ${reference.ids.length}, for there are more`,
      actual: "next null",
      readings,
    };
  }
  const whole = reference.complete && compared.complete;
  const lost = whole
    ? reference.ids.filter((id) => !compared.ids.includes(id))
    : skippedOver(reference.ids, b);
  const added = whole ? compared.ids.filter((id) => !reference.ids.includes(id)) : [];
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

function isPrefix(short: string[], long: string[]): boolean {
  return short.length < long.length && short.every((id, index) => id === long[index]);
}

/**
 * Items of `whole` that `part` skips, when `part` otherwise keeps the order of `whole` and goes on behind its end;
 * none when it does not: then the order differs, and nothing can be said to be left out.
 */
function skippedOver(whole: string[], part: string[]): string[] {
  const places = part.map((id) => whole.indexOf(id));
  const beyond = places.findIndex((_, index) => places.slice(index).every((place) => place === -1));
  const within = beyond === -1 ? places : places.slice(0, beyond);
  const inOrder = within.every((place, index) => place > (within[index - 1] ?? -1));
  if (!inOrder || within.length < FEWEST_IN_ORDER) return [];
  const kept = new Set(part);
  return whole.slice(0, within.at(-1)).filter((id) => !kept.has(id));
}

/** Throws Untestable where the list can't be followed at all: then how full its pages are says nothing. */
export async function mustBeFollowable(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<void> {
  const { findings } = await follow(target, operation, version);
  const blocking = findings.find((finding) => finding.fault !== "LIST-ORDER");
  if (blocking)
    throw new Untestable(
      "control-rejected",
      `the list can't be followed: expected ${blocking.expected}, got ${blocking.actual}`,
    );
}

function fullPageCheck(spec: Spec, operation: Operation): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "LIST-FULL-PAGES",
    operation,
    title: `a page of ${operation.key} with a next is full`,
    stage: "read",
    async run(target, version) {
      const [query = []] = await baseQueries(target, operation, 1);
      const maximum = largestSize(operation);
      let followed = false;
      for (const limit of allowedSizes(operation, [1, 5, 10, maximum])) {
        const reading = await readPages(target, operation, { version, query, limit, mostPages: 4 });
        for (const answer of reading.answers.filter(isAccepted)) {
          if (nextOf(answer) === null) continue;
          followed = true;
          const { length } = itemsOf(answer);
          if (length >= limit) continue;
          await mustBeFollowable(target, operation, version);
          throw new Violation(`${limit} items before a next`, `${length} items`, [answer.exchange]);
        }
      }
      if (!followed) throw new Untestable("no-data", "no page has a next");
    },
  });
}

function repeatCheck(spec: Spec, operation: Operation): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "CURSOR-REPEATABLE",
    operation,
    title: `reading a cursor of ${operation.key} again gives the same page`,
    stage: "read",
    async run(target, version) {
      const { list } = operation;
      const [query = []] = await baseQueries(target, operation, 1);
      const whole = await readPages(target, operation, {
        version,
        query,
        limit: list?.limit?.schema.maximum,
        mostPages: 1,
      });
      const { minimum: smallest = 1, maximum: largest } = operation.list?.limit?.schema ?? {};
      if (whole.ids.length < 2 * smallest || whole.ids.length < 2 || !list?.after)
        throw new Untestable("no-data", "no page has a next");
      const { after, identity = "id" } = list;
      const ids = (answer: Answer) =>
        itemsOf(answer)
          .map((item) => String(item[identity]))
          .join();
      await holds(
        target,
        fc.constantFrom(
          ...allowedSizes(operation, [1, 2, 3, 5, 8, 13, 20]).filter(
            (size) => size <= Math.ceil(whole.ids.length / 2),
          ),
        ),
        async (limit) => {
          const [first, second] = (
            await readPages(target, operation, { version, query, limit, mostPages: 2 })
          ).answers;
          const cursor = first ? nextOf(first) : null;
          if (!first || !second || cursor === null) throw new Untestable("no-data", "no page has a next");
          if (!isAccepted(second))
            throw new Untestable("control-rejected", `its own next was answered ${second.status}`);
          const plan = withQuery(first.plan, { [after.name]: cursor });
          const page = () => target.send(plan, { role: "again", valid: true });
          const again = await page();
          if (isAccepted(again) && ids(again) === ids(second)) return;
          // The list itself tells whether it stood still: a cursor that moves on with each use never does.
          const list = () =>
            readPages(target, operation, {
              version,
              query,
              limit: largest,
              mostPages: referencePages(largestSize(operation)),
            });
          const twice = async () => [await page(), await page()] as const;
          const difference = await compareStill(target, list, twice, stoodStill, (_, [a, b]) =>
            isAccepted(a) && isAccepted(b) && ids(a) === ids(b) ? null : { a, b },
          );
          if (difference)
            throw new Violation(
              "the same page again",
              isAccepted(difference.b) ? "other items" : `status ${difference.b.status}`,
              [difference.a.exchange, difference.b.exchange],
            );
        },
        Math.min(target.settings.runs, 3),
      );
    },
  });
}
