import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { baseQueries, defaultQuery } from "../../client/samples.ts";
import type { Probe } from "../../client/target.ts";
import { withQuery } from "../../generators/request.ts";
import { isUndecided } from "../../history/lists/pairs.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { allowedSizes, largestSize } from "../../spec/page-sizes.ts";
import { parameterFaults } from "../../spec/schema/parameter-value.ts";
import { listProbe, readUnderEachVersion, readUnderSampledVersions } from "../cursors/probes.ts";
import { defaultPages } from "../pagination/compared-pages.ts";
import { readUntilDecided } from "../shared/list-reads.ts";
import { ensureItems } from "../shared/own-items.ts";
import { mustReadList, type Query, type Reading, readList, sampledIndex } from "../shared/read-list.ts";
import { oneVersionProbe, plainProbe } from "../shared/sampled.ts";
import { comparedFilters, isUnder } from "./compared.ts";
import {
  type Combination,
  combinations,
  type FilterSet,
  filteredValue,
  isNumeric,
  matches,
  namesOf,
} from "./matching.ts";

const PAGES_FILLED = 2;
/** Depth full reads small pages under this many combinations, and large pages under others. */
const MOST_FOLLOWED = 2;
/** Few pages are enough to show violations between pages. */
const QUICK_PAGES = 3;

/** Reads the list under several values of the filters, and again until that decides. */
export function underFilters(at: FilterSet): Probe {
  const { operation, set } = at;
  const names = namesOf(at);
  return {
    id: `filters ${operation.id} ${names}`,
    stage: "read",
    run: (target) =>
      set.length > 1
        ? readUnderSampledVersions(target, operation, `filters ${names}`, (call) => askUnder(call, at))
        : readUnderEachVersion(target, operation, (call) => askUnder(call, at)),
  };
}

/** Reads the list under several values of the filters, until the rules can decide. */
async function askUnder(call: Call, at: FilterSet): Promise<void> {
  const whole = await mustReadList(call);
  const tried = combinationsTried(call, at, whole);
  await Promise.all(
    tried.map(async (values, index) => {
      const most = call.isDefaultVersion && !call.sendsAll ? { mostPages: QUICK_PAGES } : {};
      const size = sizeFor(call, at, whole, values, index);
      await readList(call, { query: await queryUnder(call, values), size, ...most });
    }),
  );
  await readUntilDecided(call, {}, (history) => {
    const compared = comparedFilters(history, at);
    if (compared.some(({ verdict }) => verdict === "differs")) return [];
    return compared.filter(isUndecided);
  });
  for (const { verdict, difference, pair } of comparedFilters(call.target.history(), at)) {
    const { filters, size } = pair.read;
    const isOpen = verdict === "differs" && difference?.fault === "FILTER-COMPLETE";
    if (isOpen && size !== largestSize(call.operation)) await readList(call, { query: filters, again: true });
  }
}

async function queryUnder(call: Call, values: Combination): Promise<Query> {
  return [...(await defaultQuery(call.target, call.operation)), ...Object.entries(values)];
}

function combinationsTried(call: Call, at: FilterSet, { items }: Reading): Combination[] {
  const { set } = at;
  const all = combinations(items, set);
  if (call.isDefaultVersion) return all;
  const several = all.filter((values) => items.filter((item) => matches(item, set, values)).length > 1);
  const pool = several.length > 0 ? several : all;
  return pool.slice(sampledIndex(call, namesOf(at), pool.length)).slice(0, 1);
}

/** Returns the default size, a size that puts the matches on two pages, or the largest. */
function sizeFor(
  call: Call,
  { set }: FilterSet,
  { items }: Reading,
  values: Combination,
  index: number,
): number {
  const { default: defaultSize } = call.operation.list?.limit?.schema ?? {};
  const largest = largestSize(call.operation);
  const matching = items.filter((item) => matches(item, set, values)).length;
  if (matching === 0 || index >= (call.sendsAll ? MOST_FOLLOWED : 1)) return largest;
  if (call.isDefaultVersion && index === 0 && typeof defaultSize === "number" && matching > defaultSize)
    return defaultSize;
  return allowedSizes(call.operation, [Math.ceil(matching / PAGES_FILLED)])[0] ?? largest;
}

/** Reads a filtered page without a page size, and one of the default size. */
export function underFilterWithoutSize(at: FilterSet, defaultSize: number): Probe {
  const { operation, set, detail } = at;
  return plainProbe(`page without a size, under ${detail},`, operation, "read", async (call) => {
    const whole = await mustReadList(call);
    const [longest] = combinations(whole.items, set);
    if (!longest) throw new NotTested("no-data", `nothing is found under ${detail}`);
    const query = await queryUnder(call, longest);
    const reference = { query, size: defaultSize, mostPages: 1 };
    await readList(call, reference);
    await readList(call, { query, size: null, mostPages: 1, again: true });
    await readUntilDecided(call, reference, (history) =>
      defaultPages(history, operation, defaultSize).filter(
        (comparison) => isUnder(at, comparison.pair.read) && isUndecided(comparison),
      ),
    );
  });
}

/** Filters by values that are almost the value of an item. */
export function nearMisses(list: Operation, filter: Parameter): Probe {
  const send = async (call: Call) => {
    await ensureItems(call.target, list);
    const { items } = await readList(call, { mostPages: 1 });
    const value = items.map((item) => filteredValue(item, filter)).find((found) => found !== undefined);
    if (value === undefined) throw new NotTested("no-data", `no item has a value for ${filter.name}`);
    const isAllowed = (text: string) =>
      parameterFaults(call.target.spec.schemas, filter.schema, text).length === 0;
    const isText = !isNumeric(filter) && filter.schema.format === undefined;
    const texts = isNumeric(filter) ? similarNumbers(Number(value)) : similarOfFormat(value);
    for (const text of isText ? similarTexts(value) : texts.filter(isAllowed))
      await call.send(withQuery(await call.valid(), { [filter.name]: text }));
  };
  return oneVersionProbe(`near misses of ${filter.name} in`, list, "read", send, "near misses");
}

/** Returns texts that share most with this one. Their letter case may not matter, so it stays. */
function similarOfFormat(value: string): string[] {
  const start = /[0-9]/.test(value) ? "1" : "x";
  return [
    `${start}${value}`,
    `${value}${start}`,
    value.slice(1),
    value.slice(0, -1),
    withOtherEnd(value),
    `${withOtherEnd(value.slice(0, 1))}${value.slice(1)}`,
    value.replace(/@.*/, "@other.example"),
    value.replace(/^[^@]*(?=@)/, "other"),
  ].filter((text) => text.toLowerCase() !== value.toLowerCase());
}

/** Returns numbers that a service would confuse with this one if it drops fractions or signs. */
function similarNumbers(value: number): string[] {
  const near = [Math.floor(value), Math.ceil(value), value + 0.25, value + 1, -value];
  return [...new Set(near)].filter((number) => number !== value).map(String);
}

/** Returns texts that a lax comparison would confuse with this one. */
function similarTexts(value: string): string[] {
  const near = [
    value.slice(0, -1),
    value.slice(1),
    `${value}0`,
    withOtherEnd(value),
    value.toLowerCase(),
    value.toUpperCase(),
    "%",
    "*",
    `${value.slice(0, 3)}%`,
  ];
  return [...new Set(near)].filter((text) => text !== value && text !== "");
}

/** Changes the last character, but keeps the form of the text. */
function withOtherEnd(value: string): string {
  const last = value.slice(-1);
  const letters = /[A-Z]/.test(last) ? "XYZ" : "xyz";
  const others = /[0-9]/.test(last) ? "123" : letters;
  const other = [...others].find((other) => other !== last) ?? "";
  return `${value.slice(0, -1)}${other}`;
}

const MOST_REQUIRED_VALUES = 12;

/** Reads the list under several values of a required filter. */
export function requiredValues(list: Operation, filter: Parameter): Probe {
  return listProbe(`values of ${filter.name} in`, list, async (call) => {
    const all = await baseQueries(call.target, list, MOST_REQUIRED_VALUES);
    const sampled = all.slice(sampledIndex(call, filter.name, all.length)).slice(0, 1);
    for (const query of call.isDefaultVersion ? all : sampled) await readList(call, { query, mostPages: 1 });
  });
}
