/** Filters (sections 4.3, 4.8 and 4.10): every item matches, every match is found, alone, together and on every page. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { baseQueries } from "../client/samples.ts";
import { validRequest } from "../client/subjects.ts";
import { asQuery, isAccepted, itemsOf, nextOf, queryOf, type Target } from "../client/target.ts";
import { mustAccept } from "../client/verdicts.ts";
import { withQuery } from "../generators/request.ts";
import { type JsonObject, valueAt } from "../spec/json.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { describeValue, typesOf } from "../spec/schema.ts";
import { sameFieldValue } from "../trials/compare.ts";
import { operationsOf, perVersion } from "../trials/derive.ts";
import { allowedSizes, compareStill, evidenceOf, type Reading, readPages } from "../trials/pages.ts";
import { mustBeFollowable } from "./cursors.ts";

const SUITE = "filters";
const UNFILTERED_PAGES = 6;
const FILTERED_PAGES = 6;
/** Value combinations tried per set of filters. */
const MOST_COMBINATIONS = 6;

export function filterChecks(spec: Spec): Check[] {
  return operationsOf(spec, "list").flatMap((operation) => {
    const filters = operation.list?.filters ?? [];
    const optional = filters.filter((filter) => !filter.required);
    const required = filters.filter((filter) => filter.required);
    return [
      ...required.flatMap((filter) => requiredCheck(spec, operation, filter)),
      ...subsets(optional).flatMap((set) => [
        ...soundChecks(spec, operation, set),
        ...completeChecks(spec, operation, set),
        ...(operation.list?.limit && operation.list.after
          ? [...pagedChecks(spec, operation, set), ...filteredCursorChecks(spec, operation, set)]
          : []),
      ]),
      ...optional
        .filter((filter) => !filter.schema.enum)
        .flatMap((filter) => [
          // What is no free text has spellings of its own, which may well mean the same.
          ...(isFreeText(filter) ? nearMissChecks(spec, operation, filter) : []),
          ...knownValueChecks(spec, operation, filter),
        ]),
    ];
  });
}

function isFreeText({ schema }: Parameter): boolean {
  return typesOf(schema).every((type) => type === "string" || type === "null") && schema.format === undefined;
}

/** Whether an item has the value that a filter asks for; instants and UUIDs in whatever spelling. */
function matches(item: JsonObject, filter: Parameter, values: Combination): boolean {
  const value = asQuery(valueAt(item, filter.filter ?? ""));
  const wanted = values[filter.name];
  if (value === undefined || wanted === undefined) return false;
  if (filter.schema.format === "uuid") return value.toLowerCase() === wanted.toLowerCase();
  return sameFieldValue(value, wanted);
}

/** Every non-empty subset: each filter alone, in pairs, and all together. */
function subsets(filters: Parameter[]): Parameter[][] {
  const sets: Parameter[][] = [];
  for (const filter of filters) sets.push([filter], ...sets.map((set) => [...set, filter]));
  return sets;
}

function names(set: Parameter[]): string {
  return set.map((filter) => filter.name).join(" and ");
}

function fieldsOf(set: Parameter[]): (item: JsonObject) => unknown[] {
  return (item) => set.map((filter) => valueAt(item, filter.filter ?? ""));
}

/** The unfiltered list under a version, read as far as it is compared. */
async function unfiltered(target: Target, operation: Operation, version: string | null): Promise<Reading> {
  const [query = []] = await baseQueries(target, operation, 1);
  const limit = operation.list?.limit?.schema.maximum;
  return readPages(target, operation, { version, query, limit, mostPages: UNFILTERED_PAGES });
}

type Combination = Record<string, string>;

/** Combinations of values that some item has, the most different first; and each enumerated value alone. */
async function combinations(
  target: Target,
  operation: Operation,
  version: string | null,
  set: Parameter[],
): Promise<Combination[]> {
  const list = await target.once(`unfiltered ${operation.id} ${version ?? "none"}`, () =>
    unfiltered(target, operation, version),
  );
  const found = new Map<string, { values: Combination; count: number }>();
  for (const values of list.items.map(fieldsOf(set))) {
    if (!values.every((value) => asQuery(value) !== undefined)) continue;
    const key = JSON.stringify(values);
    const known = found.get(key) ?? {
      values: Object.fromEntries(set.map((filter, index) => [filter.name, asQuery(values[index]) ?? ""])),
      count: 0,
    };
    known.count++;
    found.set(key, known);
  }
  const byCount = [...found.values()].sort((a, b) => b.count - a.count).map((entry) => entry.values);
  // The commonest and the rarest: many matches on several pages, and one among many.
  const some = [
    ...byCount.slice(0, MOST_COMBINATIONS - 2),
    ...byCount.slice(MOST_COMBINATIONS - 2).slice(-2),
  ];
  const [only] = set;
  if (set.length === 1 && only?.schema.enum) {
    const listed = only.schema.enum
      .map(asQuery)
      .filter((option) => option !== undefined)
      .map((option) => ({ [only.name]: option }));
    return [
      ...some,
      ...listed.filter((option) => !some.some((other) => other[only.name] === option[only.name])),
    ];
  }
  return some;
}

function told(values: Combination): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function read(
  target: Target,
  operation: Operation,
  version: string | null,
  values: Combination,
  limit?: number,
): Promise<Reading> {
  return baseQueries(target, operation, 1).then(([query = []]) =>
    readPages(target, operation, {
      version,
      query: [...query, ...Object.entries(values)],
      limit: limit ?? operation.list?.limit?.schema.maximum,
      mostPages: FILTERED_PAGES,
    }),
  );
}

/** The first item of a reading that does not match, with the page that shows it. */
function mismatch(
  reading: Reading,
  set: Parameter[],
  values: Combination,
): { item: string; exchange: Reading["answers"][number]["exchange"]; page: number } | null {
  for (const [page, answer] of reading.answers.entries()) {
    for (const [index, item] of itemsOf(answer).entries()) {
      const wrong = set.find((filter) => !matches(item, filter, values));
      if (wrong) {
        const pointer = `/result/${index}${wrong.filter ?? ""}`;
        return {
          item: `item ${reading.ids[index] ?? index} with ${wrong.name} ${describeValue(valueAt(item, wrong.filter ?? ""))}`,
          exchange: { ...answer.exchange, offending: pointer },
          page,
        };
      }
    }
  }
  return null;
}

function soundChecks(spec: Spec, operation: Operation, set: Parameter[]): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "FILTER-SOUND",
    operation,
    detail: names(set),
    title: `every item of ${operation.key} matches ${names(set)}`,
    stage: "read",
    async run(target, version) {
      let seen = 0;
      for (const values of await combinations(target, operation, version, set)) {
        const reading = await readPages(target, operation, {
          version,
          query: [...((await baseQueries(target, operation, 1))[0] ?? []), ...Object.entries(values)],
          limit: operation.list?.limit?.schema.maximum,
          mostPages: 1,
        });
        seen += reading.items.length;
        const wrong = mismatch(reading, set, values);
        if (wrong) throw new Violation(`only items with ${told(values)}`, wrong.item, [wrong.exchange]);
      }
      if (seen === 0) throw new Untestable("no-data", `no item was found under ${names(set)}`);
    },
  });
}

function completeChecks(spec: Spec, operation: Operation, set: Parameter[]): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "FILTER-COMPLETE",
    operation,
    detail: names(set),
    title: `every item of ${operation.key} that matches ${names(set)} is found under it`,
    stage: "read",
    async run(target, version) {
      const tried = await combinations(target, operation, version, set);
      let compared = 0;
      for (const values of tried) {
        const field = fieldsOf(set);
        const still = (a: Reading, b: Reading) =>
          JSON.stringify([a.ids, a.items.map(field)]) === JSON.stringify([b.ids, b.items.map(field)]);
        const matchesAll = (item: JsonObject) => set.every((filter) => matches(item, filter, values));
        const missing = await compareStill(
          target,
          () => unfiltered(target, operation, version),
          () => read(target, operation, version, values),
          still,
          (all, found) => {
            const ids = new Set(found.ids);
            const lost = all.ids.filter((id, index) => matchesAll(all.items[index] ?? {}) && !ids.has(id));
            compared += found.ids.length;
            // A list that was not read to its end may have them further on.
            return lost.length > 0 && found.complete ? { lost, all, found } : null;
          },
        );
        if (missing) {
          throw new Violation(
            `${missing.lost[0]} under ${told(values)}`,
            `${missing.lost.length} matching items left out`,
            evidenceOf(missing.found),
          );
        }
      }
      if (tried.length === 0 || compared === 0)
        throw new Untestable("no-data", `no item has values for ${names(set)}`);
    },
  });
}

/** Under a filter, small pages give what large pages give, each item once, and nothing that does not match. */
function pagedChecks(spec: Spec, operation: Operation, set: Parameter[]): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "CURSOR-FILTERED",
    operation,
    detail: names(set),
    title: `following next of ${operation.key} under ${names(set)} gives each match once and nothing else`,
    stage: "read",
    async run(target, version) {
      let paged = false;
      for (const values of (await combinations(target, operation, version, set)).slice(0, 3)) {
        for (const limit of allowedSizes(operation, [1, 4])) {
          const fault = await compareStill<
            Reading,
            Reading,
            { expected: string; actual: string; evidence: Reading }
          >(
            target,
            () => read(target, operation, version, values),
            () => read(target, operation, version, values, limit),
            (a, b) => a.ids.join() === b.ids.join(),
            (large, small) => {
              paged ||= small.answers.length > 1;
              return pagingFault(large, small, set, values);
            },
          );
          if (fault) {
            await mustBeFollowable(target, operation, version);
            throw new Violation(fault.expected, fault.actual, evidenceOf(fault.evidence));
          }
        }
      }
      if (!paged) throw new Untestable("no-data", `nothing under ${names(set)} fills two pages`);
    },
  });
}

/** Under a filter, the list accepts its own cursors, and pages with a next are full, as without. */
function filteredCursorChecks(spec: Spec, operation: Operation, set: Parameter[]): Check[] {
  const sketch = { suite: SUITE, operation, detail: names(set), stage: "read" } as const;
  const readings = (target: Target, version: string | null) =>
    target.once(`filtered ${operation.id} ${names(set)} ${version ?? "none"}`, async () => {
      const found: Reading[] = [];
      for (const values of (await combinations(target, operation, version, set)).slice(0, 3)) {
        for (const limit of allowedSizes(operation, [1, 4]))
          found.push(await read(target, operation, version, values, limit));
      }
      return found;
    });
  return [
    ...perVersion(spec, {
      ...sketch,
      requirement: "CURSOR-ACCEPTED",
      title: `${operation.key} accepts its own next under ${names(set)}`,
      async run(target, version) {
        const all = await readings(target, version);
        const refused = all.find((reading) => reading.refused);
        if (refused?.refused) {
          await mustBeFollowable(target, operation, version);
          throw new Violation(
            "the list's own next to be accepted",
            `status ${refused.refused.status}`,
            evidenceOf(refused),
          );
        }
        if (!all.some((reading) => reading.answers.length > 1))
          throw new Untestable("no-data", `nothing under ${names(set)} fills two pages`);
      },
    }),
    ...perVersion(spec, {
      ...sketch,
      requirement: "LIST-FULL-PAGES",
      title: `a page of ${operation.key} with a next is full under ${names(set)}`,
      async run(target, version) {
        const all = await readings(target, version);
        const pages = all
          .flatMap((reading) => reading.answers)
          .filter((answer) => isAccepted(answer) && nextOf(answer) !== null);
        if (pages.length === 0)
          throw new Untestable("no-data", `nothing under ${names(set)} fills two pages`);
        for (const answer of pages) {
          const limit = Number(queryOf(answer.plan, operation.list?.limit?.name));
          const { length } = itemsOf(answer);
          if (length >= limit) continue;
          await mustBeFollowable(target, operation, version);
          throw new Violation(`${limit} items before a next`, `${length} items`, [answer.exchange]);
        }
      },
    }),
  ];
}

function pagingFault(large: Reading, small: Reading, set: Parameter[], values: Combination) {
  const wrong = mismatch(small, set, values) ?? mismatch(large, set, values);
  // The first page is the business of FILTER-SOUND.
  if (wrong && wrong.page > 0) {
    return {
      expected: `only items with ${told(values)} on page ${wrong.page + 1}`,
      actual: wrong.item,
      evidence: small,
    };
  }
  if (wrong) return null;
  if (small.refused)
    return { expected: "next to be accepted", actual: `status ${small.refused.status}`, evidence: small };
  const twice = small.ids.find((id, index) => small.ids.indexOf(id) !== index);
  if (twice !== undefined) return { expected: "each item once", actual: `${twice} twice`, evidence: small };
  const lost = large.ids
    .slice(0, small.complete ? undefined : small.ids.length)
    .filter((id) => !small.ids.includes(id));
  if (lost.length > 0 && large.complete && small.complete) {
    return {
      expected: `${lost[0]} under ${told(values)}`,
      actual: `${lost.length} items left out in small pages`,
      evidence: small,
    };
  }
  const added = large.complete ? small.ids.filter((id) => !large.ids.includes(id)) : [];
  if (added.length > 0)
    return { expected: "the items of large pages", actual: `${added[0]} too`, evidence: small };
  return null;
}

/** A filter without an enumeration takes every value that an item has. */
function knownValueChecks(spec: Spec, operation: Operation, filter: Parameter): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "PARAMETER-ACCEPTED",
    operation,
    detail: `${filter.name} of an item`,
    title: `${operation.key} accepts as ${filter.name} what its items have`,
    stage: "read",
    async run(target, version) {
      const tried = await combinations(target, operation, version, [filter]);
      for (const values of tried) {
        const plan = withQuery(await validRequest(target, operation, version), values);
        mustAccept(await target.send(plan, { valid: true }), told(values));
      }
      if (tried.length === 0) throw new Untestable("no-data", `no item has a value for ${filter.name}`);
    },
  });
}

/** A filter without an enumeration compares exactly: values that are nearly those of an item match nothing. */
function nearMissChecks(spec: Spec, operation: Operation, filter: Parameter): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "FILTER-SOUND",
    operation,
    detail: `${filter.name} near misses`,
    title: `${operation.key} compares ${filter.name} exactly`,
    stage: "read",
    async run(target, version) {
      const [first] = await combinations(target, operation, version, [filter]);
      const value = first?.[filter.name];
      if (value === undefined) throw new Untestable("no-data", `no item has a value for ${filter.name}`);
      const near = [
        value.slice(0, -1),
        value.slice(1),
        `${value}0`,
        value.toLowerCase(),
        value.toUpperCase(),
        "%",
        "*",
        `${value.slice(0, 3)}%`,
      ];
      for (const text of new Set(near.filter((candidate) => candidate !== value && candidate !== ""))) {
        const plan = withQuery(await validRequest(target, operation, version), { [filter.name]: text });
        const answer = await target.send(plan, { role: "probe" });
        if (!isAccepted(answer)) continue;
        const wrong = itemsOf(answer).find((item) => valueAt(item, filter.filter ?? "") !== text);
        if (wrong) {
          throw new Violation(
            `only items whose ${filter.name} is ${text}`,
            `one with ${describeValue(valueAt(wrong, filter.filter ?? ""))}`,
            [answer.exchange],
          );
        }
      }
    },
  });
}

/** A filter that every request carries: there is no unfiltered list, but every item must match. */
function requiredCheck(spec: Spec, operation: Operation, filter: Parameter): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "FILTER-SOUND",
    operation,
    detail: filter.name,
    title: `every item of ${operation.key} has the ${filter.name} that was asked for`,
    stage: "read",
    async run(target, version) {
      let seen = 0;
      for (const query of await baseQueries(target, operation, 12)) {
        const reading = await readPages(target, operation, { version, query, mostPages: 1 });
        seen += reading.items.length;
        const values = Object.fromEntries(query);
        const wrong = mismatch(reading, [filter], values);
        if (wrong) throw new Violation(`only items with ${told(values)}`, wrong.item, [wrong.exchange]);
      }
      if (seen === 0) throw new Untestable("no-data", `no ${filter.name} has items`);
    },
  });
}
