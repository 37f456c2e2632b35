/** The bodies that the harbour office accepts, by its specification in test/editions/harbour. */

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

export const FIND_SHIPS = "GET /api/ships";
export const ENTER_SHIP = "POST /api/ships";
export const SHOW_SHIP = "GET /api/ships/{ship}";
export const REPLACE_SHIP = "PUT /api/ships/{ship}";
export const CORRECT_SHIP = "PATCH /api/ships/{ship}";
export const DROP_SHIP = "DELETE /api/ships/{ship}";
export const RETIRE_SHIP = "POST /api/ships/{ship}/retire";
export const SHOW_INSURANCE = "GET /api/ships/{ship}/insurance";
export const INSURE_SHIP = "PUT /api/ships/{ship}/insurance";
export const LIST_CREW = "GET /api/ships/{ship}/crew";
export const HIRE_MATE = "POST /api/ships/{ship}/crew";
export const LIST_CALLS = "GET /api/ships/{ship}/calls";
export const PLAN_CALL = "POST /api/ships/{ship}/calls";
export const SHOW_CALL = "GET /api/ships/{ship}/calls/{call}";
export const REPLAN_CALL = "PUT /api/ships/{ship}/calls/{call}";
export const CLEAR_CALL = "POST /api/ships/{ship}/calls/{call}/clearance";
export const LIST_CRATES = "GET /api/ships/{ship}/calls/{call}/crates";
export const LAND_CRATE = "POST /api/ships/{ship}/calls/{call}/crates";
export const SHOW_CRATE = "GET /api/ships/{ship}/calls/{call}/crates/{crate}";
export const ADJUST_CRATE = "PATCH /api/ships/{ship}/calls/{call}/crates/{crate}";
export const LIST_BERTHS = "GET /api/berths";
export const SHOW_BERTH = "GET /api/berths/{berth}";
export const LIST_TIDES = "GET /api/tides";

export const CLASSES = ["tanker", "ferry", "tug", "yacht"];
export const RANKS = ["mate", "cook", "engineer"];
const DAY: Rule = { type: "text", format: isDate };
const INSTANT: Rule = { type: "text", format: isInstant };
const number = (least: number, most: number, more: Partial<Rule> = {}): Rule => ({
  type: "number",
  least,
  most,
  ...more,
});
const choice = (by: string, branches: Record<string, Rule>): Rule => ({ type: "choice", by, branches });
const MONEY = map({ value: whole(0, 9_000_000_000), currency: one("EUR", "NOK", "JPY") }, [
  "value",
  "currency",
]);
const PORT = shaped(/^[A-Z]{2} [A-Z0-9]{3}$/);

const CORE: Record<string, Rule> = {
  title: text(2, 50),
  class: one(...CLASSES),
  flag: shaped(/^[A-Z]{2}$/, { nullable: true }),
  armed: SWITCH,
  draught: { type: "number", above: 0, most: 30, step: 0.05 },
  tonnage: { ...whole(0, 500_000), nullable: true, step: 5 },
  engines: list(
    map(
      {
        make: text(1, 20),
        kw: { ...whole(50, 90_000), step: 50 },
        fuels: list(one("diesel", "gas", "wind"), 2, { least: 1, distinct: true }),
        served: { ...DAY, nullable: true },
      },
      ["make", "kw"],
    ),
    3,
    { least: 1, distinct: true },
  ),
  power: choice("type", {
    sail: map({ masts: whole(1, 7), area: { type: "number", above: 0, below: 9000 } }, ["masts"]),
    motor: map({ screws: whole(1, 4), silent: SWITCH }, ["screws"]),
    hybrid: map(
      {
        shares: list(
          map({ source: one("sun", "wind", "oil", "grid"), percent: whole(0, 100) }, ["source", "percent"]),
          4,
          { least: 2 },
        ),
      },
      ["shares"],
    ),
  }),
  contact: map(
    {
      mail: text(0, 70, { format: isMail }),
      tel: shaped(/^[0-9]{3}-[0-9]{4,8}$/),
      site: text(0, 100, { format: isAddress }),
      hours: list(map({ from: whole(0, 23), till: whole(1, 24) }, ["from", "till"]), 2),
    },
    ["mail"],
    { closed: true, nullable: true },
  ),
  waters: list(one("baltic", "north-sea", "atlantic", "pacific", "inland"), 4, { least: 1, distinct: true }),
  remarks: {
    ...{ type: "map", least: 1, most: 4, names: /^[a-z]+(-[a-z]+)*$/, named: [2, 12] },
    of: text(0, 40, { nullable: true }),
  },
  tanks: {
    ...{ type: "map", most: 3, names: /^T[1-9]$/ },
    of: map({ litres: number(0, 100_000), checked: DAY }, ["litres"]),
  },
};
const CORRECTED = ["title", "flag", "draught", "tonnage", "engines", "power", "contact", "waters"];
const PLAN: Record<string, Rule> = {
  berth: { type: "text" },
  eta: INSTANT,
  etd: { ...INSTANT, nullable: true },
  pilot: { type: "switch", nullable: true },
  tugs: whole(0, 4),
  length: { type: "any", either: [whole(1, 400), one("short", "long")] },
  services: {
    ...{ type: "map", most: 4, names: /^(water|power|waste|food)$/ },
    of: map({ amount: whole(1, 500), by: text(0, 20) }, ["amount"], { closed: true }),
  },
  stops: list(PORT, 3, { distinct: true }),
};
const ADJUSTED: Record<string, Rule> = {
  weight: number(0, 30_000, { step: 0.5 }),
  content: choice("kind", {
    goods: map({ kind: { type: "text" }, what: text(1, 30), value: MONEY }, ["what"], { closed: true }),
    livestock: map({ kind: { type: "text" }, heads: whole(1, 500), fed: list(whole(0, 23), 3) }, ["heads"], {
      closed: true,
    }),
    empty: map({ kind: { type: "text" }, clean: SWITCH }, [], { closed: true }),
  }),
  seals: list(shaped(/^S[0-9]{5}$/), 4, { distinct: true }),
  stack: whole(1, 9),
  temperatures: { type: "map", most: 3, named: [1, 8], of: number(-40, 60) },
  owner: text(0, 70, { format: isMail, nullable: true }),
};
const needed = ["title", "class", "power", "engines"];

export const BODIES: Record<string, Rule> = {
  [ENTER_SHIP]: map({ ...CORE, imo: shaped(/^IMO [0-9]{7}$/), built: whole(1800, 2100), keel: DAY }, needed),
  [REPLACE_SHIP]: map(CORE, needed),
  [CORRECT_SHIP]: map(Object.fromEntries(CORRECTED.map((name) => [name, CORE[name] ?? SWITCH])), [], {
    least: 1,
  }),
  [INSURE_SHIP]: map(
    {
      insurer: text(2, 40),
      sum: MONEY,
      from: DAY,
      until: { ...DAY, nullable: true },
      riders: { type: "map", most: 5, names: /^[A-Z]{3}$/, of: SWITCH },
      shares: list(
        map({ name: text(1, 30), share: { type: "number", above: 0, most: 1 } }, ["name", "share"]),
        3,
      ),
    },
    ["insurer", "sum", "from"],
  ),
  [HIRE_MATE]: map(
    {
      name: map({ family: text(1, 40), given: list(text(1, 20), 3, { least: 1 }) }, ["family"]),
      rank: one(...RANKS),
      grade: { type: "number", nullable: true, values: [1, 2, 3] },
      badge: text(6, 12, { pattern: /^[A-Z0-9]+$/ }),
      papers: list(
        choice("kind", {
          passport: map({ number: shaped(/^[A-Z][0-9]{8}$/), until: DAY }, ["number"]),
          licence: map({ grade: whole(1, 6), limits: list(text(1, 10), 2) }, ["grade"]),
        }),
        3,
        { least: 1 },
      ),
      languages: list(one("de", "en", "es", "fr", "zh"), 3, { least: 1, distinct: true }),
      pay: number(0, 20_000, { step: 0.01 }),
      aboard: SWITCH,
    },
    ["name", "rank", "papers"],
  ),
  [PLAN_CALL]: map({ ...PLAN, purpose: one("cargo", "repair", "refuge") }, ["berth", "eta"]),
  [REPLAN_CALL]: map(PLAN, ["berth", "eta"]),
  [CLEAR_CALL]: map(
    {
      officer: text(3, 30, { pattern: /^[a-z]+\.[a-z]+$/ }),
      fee: MONEY,
      remarks: list(text(1, 40), 2),
    },
    ["officer"],
    { closed: true },
  ),
  [LAND_CRATE]: map(
    {
      ...ADJUSTED,
      size: map(
        {
          l: { type: "whole", values: [10, 20, 40] },
          w: whole(1, 9),
          over: map({ cm: whole(1, 99) }, ["cm"], { nullable: true }),
        },
        ["l", "w"],
      ),
    },
    ["weight", "content"],
  ),
  [ADJUST_CRATE]: map(ADJUSTED, []),
};
