/** What a list shows under its filters, held against the whole of it. */

import type { Call } from "../client/call.ts";
import { type Evidence, offending } from "../client/check.ts";
import { type Answer, asQuery, itemsOf } from "../client/target.ts";
import { sameFieldValue } from "../history/differences.ts";
import { skippedOver } from "../history/left-out.ts";
import { type JsonObject, valueAt } from "../spec/json.ts";
import type { Exchange } from "../spec/model/result.ts";
import type { Parameter } from "../spec/model/spec.ts";
import { allowedSizes, largestSize } from "../spec/page-sizes.ts";
import { describeValue } from "../spec/schema.ts";
import { draw, type Query, usualQuery, walk } from "./corpus.ts";
import { compareStill, evidenceOf, faultOf, mustHaveBegun, type Reading } from "./pages.ts";

/** Values that are tried of a filter alone, beside those that are enumerated, and combinations of several. */
const MOST_VALUES = 4;
const MOST_COMBINATIONS = 2;
/** Pages that what is found is spread over, where there is enough: under the usual version, and under others. */
const PAGES_FILLED = 2;
const FEWER_PAGES_FILLED = 2;
/** Combinations under which pages are followed at depth full, at depth quick one; of the others one large page is read. */
const MOST_FOLLOWED = 2;
/** Pages read under filters at depth quick: what goes wrong between two pages does so on the first few. */
const QUICK_PAGES = 3;

/** The value of each filter, by its name. */
export type Combination = Record<string, string>;

/** The requirements that what is shown under filters can break. */
export type FilterFault =
  | "PARAMETER-ACCEPTED"
  | "FILTER-SOUND"
  | "FILTER-COMPLETE"
  | "CURSOR-FILTERED"
  | "CURSOR-ACCEPTED"
  | "CURSOR-END"
  | "LIST-SHOWS-ALL";

export interface FilterFinding {
  fault: FilterFault;
  expected: string;
  actual: string;
  evidence: Evidence;
  /** Whether one answer shows it by itself. */
  certain: boolean;
}

/** What a list shows under one combination. */
export interface Filtered {
  values: Combination;
  size: number;
  reading: Reading;
  /** Items of the whole list that match, as far as it was read. */
  matching: number;
  finding: FilterFinding | null;
}

/** Whether an item has the value that a filter asks for; instants and UUIDs in whatever spelling. */
function matches(item: JsonObject, filter: Parameter, values: Combination): boolean {
  const value = asQuery(valueAt(item, filter.filter ?? ""));
  const wanted = values[filter.name];
  if (value === undefined || wanted === undefined) return false;
  if (filter.schema.format === "uuid") return value.toLowerCase() === wanted.toLowerCase();
  return sameFieldValue(value, wanted);
}

/** A combination as it stands in a query. */
export function queryText(values: Combination): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** The first item of a walk that does not match, with the page that shows it. */
export function mismatch(
  reading: Reading,
  set: Parameter[],
  values: Combination,
): { item: string; exchange: Exchange; page: number } | null {
  for (const [page, answer] of reading.answers.entries()) {
    for (const [index, item] of itemsOf(answer).entries()) {
      const wrong = set.find((filter) => !matches(item, filter, values));
      if (!wrong) continue;
      const pointer = wrong.filter ?? "";
      return {
        item: `an item with ${wrong.name} ${describeValue(valueAt(item, pointer))}`,
        exchange: offending(answer, `/result/${index}${pointer}`),
        page,
      };
    }
  }
  return null;
}

/**
 * What a list shows under a set of filters: every combination that is tried, once for all the rules that ask. Under
 * the version that lists are looked at closely under these are several; under the others one, that the seed picks.
 */
export function filtered(call: Call, set: Parameter[]): Promise<Filtered[]> {
  const names = set.map(({ name }) => name).join();
  return call.target.once(`filtered ${call.operation.id} ${names} ${call.version ?? "none"}`, async () => {
    const whole = await walk(call);
    mustHaveBegun(whole);
    const all = combinations(whole, set);
    const several = all.filter((values) => matchesOf(whole, set, values).length > 1);
    const pool = several.length > 0 ? several : all;
    const picked = pool[draw(call, names, pool.length)];
    const tried = call.isUsual ? all : picked ? [picked] : [];
    const seen = await Promise.all(
      tried.map((values, index) => underFilter(call, { set, values, whole, index })),
    );
    // One after the other: where the list drifts, the first says so for all.
    const settled: Filtered[] = [];
    for (const each of seen) settled.push(await settledFilter(call, each));
    return settled;
  });
}

interface LookedUnder extends Filtered {
  tried: Tried;
}

interface Tried {
  set: Parameter[];
  values: Combination;
  whole: Reading;
  index: number;
}

async function underFilter(call: Call, tried: Tried): Promise<LookedUnder> {
  const { values, whole, set, index } = tried;
  const matching = matchesOf(whole, set, values).length;
  const size = sizeFor(call, matching, index);
  const quick = call.target.settings.depth === "quick" && call.isUsual;
  const most = quick ? { mostPages: QUICK_PAGES } : {};
  const reading = await walk(call, { query: await queryUnder(call, values), size, ...most });
  return { tried, values, size, reading, matching, finding: findingOf(whole, reading, tried) };
}

async function queryUnder(call: Call, values: Combination): Promise<Query> {
  return [...(await usualQuery(call)), ...Object.entries(values)];
}

/** The same, with what one answer does not show by itself looked for again until the list stands still. */
async function settledFilter(call: Call, looked: LookedUnder): Promise<LookedUnder> {
  const { finding, tried, size } = looked;
  if (finding === null || finding.certain) return looked;
  const { set, values } = tried;
  const query = await queryUnder(call, values);
  const settled = await compareStill(
    call.target,
    () => walk(call, { anew: true }),
    () => walk(call, { query, size, anew: true }),
    (a, b) => JSON.stringify(shown(a, set)) === JSON.stringify(shown(b, set)),
    (large, small) => findingOf(large, small, tried),
    call.operation.id,
  );
  return { ...looked, finding: settled === null ? null : await blamed(call, settled, { tried, query }) };
}

/** What stands or falls with a list under filters: its ids in order, and the values that are filtered by. */
function shown(reading: Reading, set: Parameter[]): unknown[] {
  return reading.items.map((item, index) => [
    reading.ids[index],
    ...set.map((filter) => valueAt(item, filter.filter ?? "")),
  ]);
}

/**
 * The page size under a combination: so that what it finds fills a few pages; the list's usual size where the first
 * combination finds more than that, for the same page can then be asked for without a size.
 */
function sizeFor(call: Call, matching: number, index: number): number {
  const { default: usual } = call.operation.list?.limit?.schema ?? {};
  const largest = largestSize(call.operation);
  const most = call.target.settings.depth === "full" ? MOST_FOLLOWED : 1;
  if (matching === 0 || index >= most) return largest;
  const close = call.isUsual;
  if (close && index === 0 && typeof usual === "number" && matching > usual) return usual;
  const pages = close ? PAGES_FILLED : FEWER_PAGES_FILLED;
  return allowedSizes(call.operation, [Math.ceil(matching / pages)])[0] ?? largest;
}

function matchesOf(whole: Reading, set: Parameter[], values: Combination): string[] {
  return whole.ids.filter((_, index) =>
    set.every((filter) => matches(whole.items[index] ?? {}, filter, values)),
  );
}

function idsIn(answer: Answer): string[] {
  const identity = answer.plan.operation.list?.identity ?? "id";
  return itemsOf(answer).map((item) => String(item[identity]));
}

/** What a walk under filters shows to be wrong, by itself or beside the walk through the whole list. */
function findingOf(whole: Reading, reading: Reading, { set, values }: Tried): FilterFinding | null {
  const { refused, answers } = reading;
  const evidence = evidenceOf(reading);
  const under = queryText(values);
  if (refused && answers.length === 1) {
    const shown = [offending(refused, "status")];
    return suspect("PARAMETER-ACCEPTED", `${under} to be accepted`, `status ${refused.status}`, shown);
  }
  const wrong = mismatch(reading, set, values);
  if (wrong) {
    const fault = wrong.page === 0 ? "FILTER-SOUND" : "CURSOR-FILTERED";
    const where = wrong.page === 0 ? "" : ` on page ${wrong.page + 1}`;
    const expected = `only items with ${under}${where}`;
    return { fault, expected, actual: wrong.item, evidence: [wrong.exchange], certain: true };
  }
  const fault = reading.items.length > 0 || refused ? faultOf(reading) : null;
  if (fault?.fault === "CURSOR-ACCEPTED" || fault?.fault === "CURSOR-END")
    return suspect(fault.fault, fault.expected, fault.actual, evidence);
  if (fault) return suspect("CURSOR-FILTERED", `${fault.expected} under ${under}`, fault.actual, evidence);
  const found = new Set(reading.ids);
  const wanted = matchesOf(whole, set, values);
  // A walk that did not reach the end may have them further on.
  const lost = reading.complete ? wanted.filter((id) => !found.has(id)) : skippedOver(wanted, reading.ids);
  if (lost.length > 0) {
    const actual = `${lost.length} matching items left out`;
    const shows = whole.answers.find((answer) => idsIn(answer).includes(lost[0] ?? ""));
    return suspect("FILTER-COMPLETE", `${lost[0]} under ${under}`, actual, [shows, ...evidence]);
  }
  const known = new Set(whole.ids);
  const added = whole.complete ? reading.ids.filter((id) => !known.has(id)) : [];
  if (added.length > 0) {
    const expected = `${added[0]}, which ${under} shows, in the list without it`;
    return suspect("LIST-SHOWS-ALL", expected, `${added.length} items left out`, [
      ...evidenceOf(whole),
      ...evidence,
    ]);
  }
  return null;
}

function suspect(fault: FilterFault, expected: string, actual: string, evidence: Evidence): FilterFinding {
  return { fault, expected, actual, evidence, certain: false };
}

/** What small pages leave out and one large page shows is lost between the pages, not by the filter. */
async function blamed(
  call: Call,
  finding: FilterFinding,
  { tried, query }: { tried: Tried; query: Query },
): Promise<FilterFinding> {
  if (finding.fault !== "FILTER-COMPLETE") return finding;
  const large = await walk(call, { query, anew: true });
  const again = findingOf(tried.whole, large, tried);
  return again?.fault === "FILTER-COMPLETE" ? finding : { ...finding, fault: "CURSOR-FILTERED" };
}

/**
 * Combinations of values that some item has: the commonest and the rarest; of several filters one that none has, though
 * each of its values is some item's; and each enumerated value alone.
 */
function combinations(whole: Reading, set: Parameter[]): Combination[] {
  const found = new Map<string, { values: Combination; count: number }>();
  for (const item of whole.items) {
    const values = set.map((filter) => asQuery(valueAt(item, filter.filter ?? "")));
    if (values.includes(undefined)) continue;
    const key = JSON.stringify(values);
    const known = found.get(key) ?? {
      values: Object.fromEntries(set.map(({ name }, index) => [name, values[index] ?? ""])),
      count: 0,
    };
    known.count++;
    found.set(key, known);
  }
  const byCount = [...found.values()].sort((a, b) => b.count - a.count).map(({ values }) => values);
  const [only, ...others] = set;
  // The commonest and the rarest: many matches on several pages, and one among many.
  const common = Math.ceil((others.length > 0 ? MOST_COMBINATIONS : MOST_VALUES) / 2);
  const rare = Math.floor((others.length > 0 ? MOST_COMBINATIONS : MOST_VALUES) / 2);
  const some = [...byCount.slice(0, common), ...byCount.slice(common).slice(-rare)];
  if (others.length > 0) return [...some, ...unmet(byCount)];
  if (!only?.schema.enum) return some;
  const listed = only.schema.enum.map(asQuery).filter((option) => option !== undefined);
  const missing = listed.filter((option) => !some.some((values) => values[only.name] === option));
  return [...some, ...missing.map((option) => ({ [only.name]: option }))];
}

/** One combination of values that are found, but not together: who overlooks one of the filters shows items under it. */
function unmet(found: Combination[]): Combination[] {
  const has = new Set(found.map(queryText));
  for (const one of found)
    for (const other of found)
      for (const name of Object.keys(one).reverse()) {
        const crossed = { ...one, [name]: other[name] ?? "" };
        if (!has.has(queryText(crossed))) return [crossed];
      }
  return [];
}
