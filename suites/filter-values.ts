/** Single filters (sections 4.3, 4.8 and 4.10): the values that they accept, and exact comparison. */

import { Untestable, Violation } from "../client/check.ts";
import { baseQueries } from "../client/samples.ts";
import { isAccepted, itemsOf } from "../client/target.ts";
import { withQuery } from "../generators/request.ts";
import { valueAt } from "../spec/json.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { describeValue, typesOf } from "../spec/schema.ts";
import { draw, walk } from "../trials/corpus.ts";
import { filtered, mismatch, queryText } from "../trials/filtering.ts";
import { mustHaveBegun } from "../trials/pages.ts";
import { judges, operationsOf, rule, suiteOf } from "../trials/rule.ts";

/** Values of a required filter that are tested. */
const MOST_REQUIRED_VALUES = 12;

function filtersOf(spec: Spec, wanted: (filter: Parameter) => boolean) {
  return operationsOf(spec, "list").flatMap((operation) =>
    (operation.list?.filters ?? []).filter(wanted).map((filter) => ({ operation, filter })),
  );
}

/** A filter without an enumeration accepts every value that an item has. */
const knownValues = judges({
  requirement: "PARAMETER-ACCEPTED",
  over: (spec) =>
    filtersOf(spec, ({ required, schema }) => !required && !schema.enum).map((place) => ({
      ...place,
      detail: `${place.filter.name} of an item`,
    })),
  title: ({ operation, filter }) => `${operation.key} accepts as ${filter.name} what its items have`,
  versions: "each",
  story: (call, { filter }) => filtered(call, [filter]),
  look(story, { filter }) {
    const refused = story.find(({ finding }) => finding?.fault === "PARAMETER-ACCEPTED")?.finding;
    if (refused) throw new Violation(refused.expected, refused.actual, refused.evidence);
    if (story.length === 0) throw new Untestable("no-data", `no item has a value for ${filter.name}`);
  },
});

/** Values with a form may have several spellings that mean the same. */
function isFreeText({ schema, required }: Parameter): boolean {
  const free = typesOf(schema).every((type) => type === "string" || type === "null");
  return !required && free && schema.format === undefined && !schema.enum;
}

/** A filter without an enumeration compares exactly: values similar to those of an item match nothing. */
const nearMisses = rule({
  requirement: "FILTER-SOUND",
  over: (spec) =>
    filtersOf(spec, isFreeText).map((place) => ({ ...place, detail: `${place.filter.name} near misses` })),
  title: ({ operation, filter }) => `${operation.key} compares ${filter.name} exactly`,
  versions: "rotated",
  async run(call, { filter }) {
    const value = (await filtered(call, [filter]))[0]?.values[filter.name];
    if (value === undefined) throw new Untestable("no-data", `no item has a value for ${filter.name}`);
    for (const text of nearly(value)) {
      const answer = await call.send(withQuery(await call.valid(), { [filter.name]: text }));
      if (!isAccepted(answer)) continue;
      const wrong = itemsOf(answer).find((item) => valueAt(item, filter.filter ?? "") !== text);
      if (!wrong) continue;
      const shown = describeValue(valueAt(wrong, filter.filter ?? ""));
      throw new Violation(`only items whose ${filter.name} is ${text}`, `one with ${shown}`, [answer], {
        certain: true,
      });
    }
  },
});

function nearly(value: string): string[] {
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
  return [...new Set(near)].filter((text) => text !== value && text !== "");
}

/** With a required filter there is no unfiltered list, but every item must match. */
const requiredSound = rule({
  requirement: "FILTER-SOUND",
  over: (spec) =>
    filtersOf(spec, ({ required }) => required).map((place) => ({ ...place, detail: place.filter.name })),
  title: ({ operation, filter }) =>
    `every item of ${operation.key} has the ${filter.name} that was asked for`,
  versions: "each",
  async run(call, { operation, filter }) {
    const all = await baseQueries(call.target, operation, MOST_REQUIRED_VALUES);
    const drawn = all[draw(call, filter.name, all.length)];
    let seen = 0;
    for (const query of call.isUsual ? all : drawn ? [drawn] : []) {
      const reading = await walk(call, { query, mostPages: 1 });
      mustHaveBegun(reading);
      seen += reading.items.length;
      const values = Object.fromEntries(query);
      const wrong = mismatch(reading, [filter], values);
      if (wrong)
        throw new Violation(`only items with ${queryText(values)}`, wrong.item, [wrong], {
          certain: true,
        });
    }
    if (seen === 0) throw new Untestable("no-data", `no ${filter.name} has items`);
  },
});

export const filterValueChecks = suiteOf("filters", requiredSound, nearMisses, knownValues);
