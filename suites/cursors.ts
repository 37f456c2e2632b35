/** Cursors (sections 2.2 and 4): following next ends, and yields each item once, whatever the page size. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { type Answer, isAccepted, itemsOf, nextOf } from "../client/target.ts";
import { withQuery } from "../generators/request.ts";
import { counted } from "../spec/counted.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { idsOf } from "../trials/beside-item.ts";
import { sizesTried, walk } from "../trials/corpus.ts";
import { type FollowingFault, faultOf, followed, mustBeFollowable, shortPage } from "../trials/following.ts";
import { allowedSizes, evidenceOf, largestSize, smallestSize, stoodStill } from "../trials/pages.ts";
import { judges, operationsOf, type Place, rule, suiteOf } from "../trials/rule.ts";

/** Depth full reads a list that is longer than is compared on, to see that it ends, as far as this many of the largest pages go. */
const MOST_PAGES_TO_THE_END = 60;
/** Cursors that are read again under the version that lists are looked at closely under. */
const READ_AGAIN = 2;
/** So many page sizes are more than a run ever tries again. */
const MOST_SIZES = 500;
/** Rounds of reading a cursor again in a list that others change meanwhile. */
const ATTEMPTS = 4;

interface FollowedPlace extends Place {
  after: Parameter;
}

/** The lists that can be followed. */
function followable(spec: Spec): FollowedPlace[] {
  return operationsOf(spec, "list").flatMap((operation) =>
    operation.list?.after && operation.list.limit ? [{ operation, after: operation.list.after }] : [],
  );
}

const TITLES: Record<FollowingFault, string> = {
  "CURSOR-ACCEPTED": "accepts its own next as a cursor",
  "CURSOR-END": "comes to an end when next is followed, with next null on the last page only",
  "CURSOR-ONCE": "yields each item once when next is followed",
  "CURSOR-COMPLETE": "yields the same items whatever the page size",
  "LIST-ORDER": "keeps its order whatever the page size",
};

const following = (Object.keys(TITLES) as FollowingFault[]).map((fault) =>
  judges({
    requirement: fault,
    over: followable,
    title: ({ operation }) => `${operation.key} ${TITLES[fault]}`,
    versions: "each",
    story: followed,
    async look(story, _, call) {
      const finding = story.findings.find((each) => each.fault === fault || each.also === fault);
      if (finding) throw new Violation(finding.expected, finding.actual, evidenceOf(...finding.readings));
      // Other faults stand in the way of judging this one.
      mustBeFollowable(story);
      if (!story.others.some(({ answers }) => answers.length > 1))
        throw new Untestable("no-data", "the list has one page only, whatever the page size");
      if (fault === "CURSOR-END" && ![story.whole, ...story.others].some(({ complete }) => complete))
        await mustEnd(call);
    },
  }),
);

/** Throws Untestable where a list is longer than is read: whether it ends is not known then. */
async function mustEnd(call: Call): Promise<void> {
  if (call.target.settings.depth === "full") {
    const reading = await walk(call, { mostPages: MOST_PAGES_TO_THE_END });
    const finding = faultOf(reading);
    if (finding?.fault === "CURSOR-END")
      throw new Violation(finding.expected, finding.actual, evidenceOf(reading));
    if (reading.complete) return;
  }
  throw new Untestable("budget", "the list is longer than is read");
}

const fullPages = judges({
  requirement: "LIST-FULL-PAGES",
  over: followable,
  title: ({ operation }) => `a page of ${operation.key} with a next is full`,
  versions: "each",
  story: followed,
  look(story, _, call) {
    const readings = [story.whole, ...story.others];
    const short = shortPage(call, readings);
    if (short) {
      mustBeFollowable(story);
      throw new Violation(
        `${counted(short.size, "item")}, for there is a next`,
        counted(itemsOf(short.answer).length, "item"),
        [short.answer],
      );
    }
    if (!readings.some(({ answers }) => answers.some((answer) => nextOf(answer) !== null)))
      throw new Untestable("no-data", "no page has a next");
  },
});

const repeatable = rule({
  requirement: "CURSOR-REPEATABLE",
  over: followable,
  title: ({ operation }) => `reading a cursor of ${operation.key} again gives the same page`,
  versions: "closely",
  async run(call, { after }) {
    let read = 0;
    for (const size of await sizesToRepeat(call)) if (await mustRepeat(call, after, size)) read++;
    if (read === 0) throw new Untestable("no-data", "no page has a next");
  },
});

/** What was read again of a list in this run, also by checks that were tried a second time. */
interface Repeated {
  /** Page sizes whose cursors were used: under whatever version, for a cursor is the same under all. */
  sizes: Set<number>;
  versions: Set<string | null>;
}

/**
 * Sizes whose cursors are read again: the smallest in which the list was followed, for of small pages even a short list
 * has two. Where that is tried again they are others, whose cursors have not been used yet.
 */
async function sizesToRepeat(call: Call): Promise<number[]> {
  const { operation, target, version } = call;
  const repeated = await target.remember(`cursors repeated ${operation.id}`, async (): Promise<Repeated> => {
    const walked = call.versions.flatMap((each) => sizesTried(call.under(each)));
    return { sizes: new Set(walked), versions: new Set() };
  });
  const walked = sizesTried(call).toSorted((a, b) => a - b);
  const smallest = Number(smallestSize(operation));
  const length = Math.min(largestSize(operation) - smallest, MOST_SIZES);
  const all = Array.from({ length }, (_, index) => smallest + index);
  const unused = allowedSizes(operation, all).filter((size) => !repeated.sizes.has(size));
  const wanted = repeated.versions.has(version) && unused.length > 0 ? unused : walked;
  const some = wanted.length > 0 ? wanted : [largestSize(operation)];
  const picked = some.slice(0, call.isUsual ? READ_AGAIN : 1);
  for (const size of picked) repeated.sizes.add(size);
  repeated.versions.add(version);
  return picked;
}

/**
 * Throws a Violation where the cursor to the second page leads elsewhere at its second use while the list stands still;
 * false where there is no second page.
 */
async function mustRepeat(call: Call, after: Parameter, size: number): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const anew = attempt > 1;
    const before = await walk(call, { mostPages: 1, anew });
    const [first, second] = (await walk(call, { size, mostPages: 2, anew })).answers;
    const cursor = first && isAccepted(first) ? nextOf(first) : null;
    if (!first || !second || cursor === null) return false;
    if (!isAccepted(second))
      throw new Untestable("control-rejected", `its own next was answered ${second.status}`);
    const again = await call.target.send(withQuery(first.plan, { [after.name]: cursor }), {
      role: "again",
      valid: true,
    });
    if (isAccepted(again) && sameItems(call, second, again)) return true;
    if (!stoodStill(before, await walk(call, { mostPages: 1, anew: true }))) continue;
    throw new Violation("the same page again", isAccepted(again) ? "other items" : `status ${again.status}`, [
      second,
      again,
    ]);
  }
  throw new Untestable("drift", "the list changed each time it was read");
}

function sameItems(call: Call, a: Answer, b: Answer): boolean {
  return idsOf(call, a).join("\n") === idsOf(call, b).join("\n");
}

export const cursorChecks = suiteOf("cursors", ...following, fullPages, repeatable);
