/** Filters (sections 4.3, 4.8 and 4.10): every item matches, every match is found, alone, together and on every page. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { type Answer, itemsOf, nextOf, queryOf } from "../client/target.ts";
import { counted } from "../spec/counted.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { type Query, usualQuery } from "../trials/corpus.ts";
import {
  type Filtered,
  type FilterFault,
  type FilterFinding,
  filtered,
  queryText,
} from "../trials/filtering.ts";
import { defaultPages } from "../trials/first-pages.ts";
import { evidenceOf, type Reading } from "../trials/pages.ts";
import { judges, operationsOf, type Place, rule, type StoryRule, suiteOf } from "../trials/rule.ts";
import { readInSizes } from "./cursors/probes.ts";
import { comparedSizes } from "./followed-lists.ts";

interface SetPlace extends Place {
  set: Parameter[];
}

/** Every set of filters that a list need not be asked with: each alone, in pairs, and all together. */
function filterSets(spec: Spec) {
  return operationsOf(spec, "list").flatMap((operation) =>
    subsets((operation.list?.filters ?? []).filter(({ required }) => !required)).map((set) => ({
      operation,
      set,
      detail: names(set),
    })),
  );
}

/** Those of lists that can be followed under them. */
function followedSets(spec: Spec) {
  return filterSets(spec).filter(({ operation }) => operation.list?.limit && operation.list.after);
}

/** In the order in which filters come: each behind the sets of those before it. */
function subsets(filters: Parameter[]): Parameter[][] {
  return filters.flatMap((filter, index) => {
    const before = filters.slice(0, index);
    const whole = index > 1 && index === filters.length - 1 ? [filters] : [];
    return [[filter], ...before.map((other) => [other, filter]), ...whole];
  });
}

function names(set: Parameter[]): string {
  return set.map(({ name }) => name).join(" and ");
}

/** What the rules about a set of filters have in common: they look at what the list shows under it. */
const underSet = {
  over: filterSets,
  // Several at once: where each works alone, they rarely fail together under one version only.
  versions: ({ set }: SetPlace) => (set.length > 1 ? "closely" : "each"),
  draw: "filters",
  story: (call: Call, { set }: SetPlace) => filtered(call, set),
} satisfies Partial<StoryRule<SetPlace, Filtered[]>>;

function findingOf(story: Filtered[], fault: FilterFault): FilterFinding | undefined {
  return story.map(({ finding }) => finding).find((finding) => finding?.fault === fault) ?? undefined;
}

function throwFinding(story: Filtered[], fault: FilterFault): void {
  const finding = findingOf(story, fault);
  if (!finding) return;
  const { expected, actual, evidence, certain } = finding;
  throw new Violation(expected, actual, evidence, { certain });
}

function mustShowItems(story: Filtered[], { set }: SetPlace): void {
  if (story.every(({ reading }) => reading.items.length === 0))
    throw new Untestable("no-data", `no item was found under ${names(set)}`);
}

function mustFillPages(story: Filtered[], { set }: SetPlace): void {
  if (story.every(({ reading }) => reading.answers.length < 2))
    throw new Untestable("no-data", `nothing under ${names(set)} fills two pages`);
}

/** A page with a next that holds fewer items than were asked for, or undefined. */
function shortPage({ operation }: Call, readings: Reading[]): { size: number; answer: Answer } | undefined {
  for (const answer of readings.flatMap(({ answers }) => answers)) {
    const size = Number(queryOf(answer.plan, operation.list?.limit?.name));
    if (nextOf(answer) !== null && itemsOf(answer).length < size) return { size, answer };
  }
  return undefined;
}

/** Throws Untestable if the list can't be followed without a filter: then what is wrong under one says nothing. */
async function mustBeFollowable({ target, operation }: Call): Promise<void> {
  await target.probe(readInSizes(operation));
  const blocking = comparedSizes(target.history(), operation).find(
    ({ verdict, difference }) => verdict === "differs" && difference?.fault !== "LIST-ORDER",
  )?.difference;
  if (!blocking) return;
  const { expected, actual } = blocking;
  throw new Untestable("control-rejected", `the list can't be followed: expected ${expected}, got ${actual}`);
}

const sound = judges({
  ...underSet,
  requirement: "FILTER-SOUND",
  title: ({ operation, set }) => `every item of ${operation.key} matches ${names(set)}`,
  look(story, at) {
    throwFinding(story, "FILTER-SOUND");
    mustShowItems(story, at);
  },
});

const complete = judges({
  ...underSet,
  requirement: "FILTER-COMPLETE",
  title: ({ operation, set }) =>
    `every item of ${operation.key} that matches ${names(set)} is found under it`,
  look(story, { set }) {
    throwFinding(story, "FILTER-COMPLETE");
    if (!story.some(({ matching, reading }) => matching > 0 && reading.items.length > 0))
      throw new Untestable("no-data", `no item has values for ${names(set)}`);
  },
});

const showsAll = judges({
  ...underSet,
  requirement: "LIST-SHOWS-ALL",
  title: ({ operation, set }) => `${operation.key} shows what it shows under ${names(set)} without it too`,
  look(story, at) {
    throwFinding(story, "LIST-SHOWS-ALL");
    mustShowItems(story, at);
  },
});

/** What its items have, the list can be asked for: each value that is enumerated, and values together. */
const taken = judges({
  ...underSet,
  requirement: "PARAMETER-ACCEPTED",
  over: (spec) =>
    filterSets(spec).filter(({ set: [first, ...others] }) => first?.schema.enum || others.length > 0),
  title: ({ operation, set }) => `${operation.key} accepts ${names(set)} as its items have them`,
  look(story, { set }) {
    throwFinding(story, "PARAMETER-ACCEPTED");
    if (story.length === 0) throw new Untestable("no-data", `no item has values for ${names(set)}`);
  },
});

/** Under a filter, following next gives what there is to find, each item once, and nothing that does not match. */
const paged = judges({
  ...underSet,
  over: followedSets,
  requirement: "CURSOR-FILTERED",
  title: ({ operation, set }) =>
    `following next of ${operation.key} under ${names(set)} gives each match once and nothing else`,
  async look(story, at, call) {
    if (findingOf(story, "CURSOR-FILTERED")) await mustBeFollowable(call);
    throwFinding(story, "CURSOR-FILTERED");
    mustFillPages(story, at);
  },
});

const accepted = judges({
  ...underSet,
  over: followedSets,
  requirement: "CURSOR-ACCEPTED",
  title: ({ operation, set }) => `${operation.key} accepts its own next under ${names(set)}`,
  async look(story, at, call) {
    if (findingOf(story, "CURSOR-ACCEPTED")) await mustBeFollowable(call);
    throwFinding(story, "CURSOR-ACCEPTED");
    mustFillPages(story, at);
  },
});

const ends = judges({
  ...underSet,
  over: followedSets,
  requirement: "CURSOR-END",
  title: ({ operation, set }) => `${operation.key} comes to an end under ${names(set)} when next is followed`,
  async look(story, at, call) {
    if (findingOf(story, "CURSOR-END")) await mustBeFollowable(call);
    throwFinding(story, "CURSOR-END");
    // A long list is judged by what it shows under filters that find little, be it on one page.
    if (story.every(({ reading }) => reading.items.length === 0))
      throw new Untestable("no-data", `nothing is found under ${names(at.set)}`);
    if (!story.some(({ reading }) => reading.complete && reading.items.length > 0))
      throw new Untestable("budget", `what there is under ${names(at.set)} is more than is read`);
  },
});

const fullPages = judges({
  ...underSet,
  over: followedSets,
  requirement: "LIST-FULL-PAGES",
  title: ({ operation, set }) => `a page of ${operation.key} with a next is full under ${names(set)}`,
  async look(story, { set }, call) {
    const short = shortPage(
      call,
      story.map(({ reading }) => reading),
    );
    if (short) {
      await mustBeFollowable(call);
      throw new Violation(
        `${counted(short.size, "item")}, for there is a next`,
        counted(itemsOf(short.answer).length, "item"),
        [short.answer],
      );
    }
    if (!story.some(({ reading }) => reading.answers.some((answer) => nextOf(answer) !== null)))
      throw new Untestable("no-data", `nothing under ${names(set)} fills two pages`);
  },
});

/** What a page holds that is asked for without a size is the same under a filter. */
const usualSize = rule({
  requirement: "LIST-LIMIT-DEFAULT",
  over: (spec) =>
    followedSets(spec).flatMap((place) => {
      const usual = place.operation.list?.limit?.schema.default;
      return typeof usual === "number" && place.set.length === 1 ? [{ ...place, usual }] : [];
    }),
  title: ({ operation, set, usual }) =>
    `${operation.key} under ${names(set)} without a size gives the page of ${usual}`,
  versions: "rotated",
  async run(call, { set, usual }) {
    const story = await filtered(call.usual, set);
    // Where nothing fills a page, what is on it shows that the filter holds without a size.
    const longest =
      story.find(({ matching }) => matching > usual) ?? story.find(({ matching }) => matching > 0);
    if (!longest) throw new Untestable("no-data", `nothing is found under ${names(set)}`);
    const query: Query = [...(await usualQuery(call)), ...Object.entries(longest.values)];
    const { asked, left, differ } = await defaultPages(call, usual, query);
    if (!differ) return;
    const expected = `the ${asked.ids.length} items of a page of ${usual} under ${queryText(longest.values)}`;
    throw new Violation(expected, counted(left.ids.length, "item"), evidenceOf(asked, left));
  },
});

export const filterChecks = suiteOf(
  "filters",
  sound,
  complete,
  taken,
  showsAll,
  paged,
  accepted,
  ends,
  fullPages,
  usualSize,
);
