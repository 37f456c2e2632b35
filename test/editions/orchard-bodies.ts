/** The bodies that the orchard book accepts, by its specification in test/editions/orchard. */

import {
  isAddress,
  isDate,
  isInstant,
  isMail,
  list,
  map,
  one,
  type Rule,
  SWITCH,
  shaped,
  text,
  whole,
} from "./body-rules.ts";

export const LIST_GROVES = "GET /v2/groves";
export const PLANT_GROVE = "POST /v2/groves";
export const GET_GROVE = "GET /v2/groves/{grove}";
export const CHANGE_GROVE = "PATCH /v2/groves/{grove}";
export const FELL_GROVE = "POST /v2/groves/{grove}/fell";
export const LIST_ROWS = "GET /v2/groves/{grove}/rows";
export const ADD_ROW = "POST /v2/groves/{grove}/rows";
export const GET_ROW = "GET /v2/groves/{grove}/rows/{row}";
export const RELAY_ROW = "PUT /v2/groves/{grove}/rows/{row}";
export const LIST_TREES = "GET /v2/groves/{grove}/rows/{row}/trees";
export const SET_TREE = "POST /v2/groves/{grove}/rows/{row}/trees";
export const GET_TREE = "GET /v2/groves/{grove}/rows/{row}/trees/{tag}";
export const TEND_TREE = "PATCH /v2/groves/{grove}/rows/{row}/trees/{tag}";
export const PULL_TREE = "DELETE /v2/groves/{grove}/rows/{row}/trees/{tag}";
export const LIST_TOOLS = "GET /v2/tools";
export const BUY_TOOL = "POST /v2/tools";
export const GET_TOOL = "GET /v2/tools/{plate}";
export const REPLACE_TOOL = "PUT /v2/tools/{plate}";
export const LOCK_TOOL = "POST /v2/tools/{plate}/lock";
export const LIST_BOOKINGS = "GET /v2/tools/{plate}/bookings";
export const BOOK_TOOL = "POST /v2/tools/{plate}/bookings";
export const LIST_CULTIVARS = "GET /v2/cultivars";
export const GET_CULTIVAR = "GET /v2/cultivars/{slug}";
export const LIST_FROSTS = "GET /v2/frosts";

export const SPECIES = ["apple", "pear", "plum", "cherry"];
export const FACING = ["north", "east", "south", "west"];
export const KINDS = ["ladder", "press", "mower"];

const DAY: Rule = { type: "text", format: isDate };
const INSTANT: Rule = { type: "text", format: isInstant };
const MAIL = text(0, 60, { format: isMail });
const number = (more: Partial<Rule>): Rule => ({ type: "number", ...more });
const choice = (by: string, branches: Record<string, Rule>): Rule => ({ type: "choice", by, branches });
const OPEN = { nullable: true };
const DISTINCT = { distinct: true };

const CREW = list(
  map({ name: text(1, 25), role: one("feller", "driver", "medic"), shifts: list(whole(1, 3), 2, DISTINCT) }, [
    "name",
    "role",
  ]),
  3,
  { least: 1 },
);
const PUMP = map({ kw: number({ above: 0, most: 50, step: 0.1 }), hours: list(whole(0, 23), 4, DISTINCT) }, [
  "kw",
]);
const TANKS: Rule = {
  ...{ type: "map", least: 1, most: 3, names: /^K[0-9]{1,2}$/ },
  of: map({ litres: { ...whole(100, 50_000), step: 100 }, covered: SWITCH }, ["litres"]),
};
const GROVE: Record<string, Rule> = {
  label: text(3, 40),
  hectares: number({ above: 0, most: 500, step: 0.01 }),
  slope: { ...whole(-45, 45), ...OPEN },
  inspected: { ...INSTANT, ...OPEN },
  keeper: map(
    {
      name: text(1, 60),
      phone: shaped(/^\+[0-9]{6,14}$/),
      mail: { ...MAIL, ...OPEN },
      speaks: list(one("de", "fr", "it", "pl", "es"), 3, { least: 1, distinct: true }),
    },
    ["name"],
    { closed: true, ...OPEN },
  ),
  corners: list(
    map(
      {
        lat: number({ least: -90, most: 90 }),
        lon: number({ least: -180, below: 180 }),
        mark: shaped(/^[A-F]$/),
      },
      ["lat", "lon"],
    ),
    6,
    { least: 3, distinct: true },
  ),
  inputs: {
    ...{ type: "map", most: 4, names: /^[a-z]+(_[a-z]+)?$/, named: [2, 10] },
    of: { ...whole(5, 1000), step: 5 },
  },
  water: choice("source", {
    well: map({ depth: whole(1, 300), pumps: list(PUMP, 2) }, ["depth"]),
    river: map(
      { permit: shaped(/^R[0-9]{4}$/), months: list(whole(1, 12), 6, { least: 1, distinct: true }) },
      ["permit", "months"],
    ),
    rain: map({ tanks: TANKS }, ["tanks"]),
  }),
};
const NOTES: Rule = { type: "map", most: 2, names: /^[a-z]{2}$/, of: text(1, 30) };
const SENSOR = map(
  {
    unit: one("celsius", "percent", "kpa"),
    bounds: list(number({ least: -50, most: 150 }), 2, { least: 2 }),
    alarm: map({ mail: MAIL, loud: SWITCH }, ["mail"], OPEN),
  },
  ["unit", "bounds"],
);
const ROW: Record<string, Rule> = {
  facing: one(...FACING),
  spacing: { ...whole(100, 1000), step: 25 },
  shaded: { ...SWITCH, ...OPEN },
  trellis: {
    type: "any",
    either: [
      one("none", "wire"),
      map({ posts: whole(2, 40), height: number({ above: 0, most: 6 }) }, ["posts"]),
    ],
  },
  blocks: list(
    map(
      {
        from: whole(1, 200),
        kinds: list(one("table", "cider", "dessert", "drying"), 3, { least: 1, distinct: true }),
        notes: NOTES,
      },
      ["from", "kinds"],
    ),
    4,
  ),
  sensors: { type: "map", most: 3, names: /^s-[0-9]{2}$/, of: SENSOR },
  surveyed: { ...DAY, ...OPEN },
  remark: text(0, 80),
};
const TREATMENT = map(
  { agent: text(1, 20), dose: number({ above: 0, most: 50 }), days: list(whole(1, 31), 3, DISTINCT) },
  ["agent", "dose"],
);
const STATE: Rule = { type: "text" };
const TREE: Record<string, Rule> = {
  girth: number({ above: 0, most: 400, step: 0.5 }),
  nickname: text(1, 20, OPEN),
  pruned: { ...DAY, ...OPEN },
  grafts: list(
    map(
      {
        ...{ scion: text(2, 20), at: DAY, buds: whole(1, 9) },
        outcome: { type: "text", values: ["took", "failed"], ...OPEN },
      },
      ["scion", "at"],
    ),
    3,
    { least: 1 },
  ),
  health: choice("state", {
    sound: map({ state: STATE, score: whole(1, 10) }, ["score"], { closed: true }),
    sick: map(
      {
        ...{ state: STATE, disease: one("scab", "canker", "rust"), since: DAY },
        treatments: list(TREATMENT, 2),
      },
      ["disease"],
      { closed: true },
    ),
  }),
  marks: { type: "map", most: 5, names: /^[a-z]{3}$/, of: text(0, 30, OPEN) },
};
const TOOL: Record<string, Rule> = {
  kind: one(...KINDS),
  load: { ...whole(0, 2000), step: 10, ...OPEN },
  rented: SWITCH,
  serviced: { ...INSTANT, ...OPEN },
  manual: text(0, 100, { format: isAddress }),
  parts: list(
    map({ code: shaped(/^P[0-9]{3}$/), count: { type: "whole", above: 0, most: 99 }, spare: SWITCH }, [
      "code",
      "count",
    ]),
    5,
    { least: 1, distinct: true },
  ),
  rates: {
    ...{ type: "map", least: 1, most: 3, names: /^[a-z]+$/, named: [3, 10] },
    of: number({ least: 0, most: 500, step: 0.25 }),
  },
};

export const BODIES: Record<string, Rule> = {
  [PLANT_GROVE]: map(
    {
      ...GROVE,
      species: one(...SPECIES),
      planted: DAY,
      organic: SWITCH,
      cadastre: shaped(/^[A-Z]{2}\/[0-9]{6}$/),
    },
    ["label", "species", "hectares", "corners", "water"],
  ),
  [CHANGE_GROVE]: map({ ...GROVE, organic: SWITCH }, []),
  [FELL_GROVE]: map({ reason: one("age", "storm", "blight"), felledOn: DAY, crew: CREW }, ["reason"], {
    closed: true,
  }),
  [ADD_ROW]: map({ ...ROW, laid: DAY }, ["facing", "spacing"]),
  [RELAY_ROW]: map(ROW, ["facing", "spacing"]),
  [SET_TREE]: map({ ...TREE, cultivar: text(0, 30), rootstock: text(1, 12), dwarf: SWITCH }, [
    "cultivar",
    "grafts",
  ]),
  [TEND_TREE]: map(TREE, [], { least: 1 }),
  [BUY_TOOL]: map({ ...TOOL, plate: shaped(/^[A-Z]{2}-[0-9]{3,5}$/), bought: DAY }, [
    "plate",
    "kind",
    "parts",
  ]),
  [REPLACE_TOOL]: map(TOOL, ["kind", "parts"]),
  [BOOK_TOOL]: map(
    {
      ...{ from: INSTANT, hours: whole(1, 72), paid: SWITCH },
      farmer: map({ name: text(1, 40), mail: MAIL }, ["name"]),
      extras: list(one("fuel", "driver", "insurance", "trailer"), 3, DISTINCT),
    },
    ["from", "hours", "farmer"],
  ),
};
