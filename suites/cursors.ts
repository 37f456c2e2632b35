/** Cursors (sections 2.2 and 4): following next ends, and yields each item once, whatever the page size. */

import { Untestable, Violation } from "../client/check.ts";
import { itemsOf, nextOf } from "../client/target.ts";
import { counted } from "../spec/counted.ts";
import type { Spec } from "../spec/model/spec.ts";
import { type FollowingFault, followed, mustBeFollowable, mustEnd, shortPage } from "../trials/following.ts";
import { evidenceOf } from "../trials/pages.ts";
import { mustRepeat, sizesToRepeat } from "../trials/repeated-cursors.ts";
import { judges, operationsOf, rule, suiteOf } from "../trials/rule.ts";

/** The lists that can be followed. */
function followable(spec: Spec) {
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

export const cursorChecks = suiteOf("cursors", ...following, fullPages, repeatable);
