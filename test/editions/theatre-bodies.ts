/** The bodies that the theatre desk accepts, by its specification in test/editions/theatre. */

import {
  isAddress,
  isDate,
  isHost,
  isInstant,
  isIp,
  isMail,
  isTime,
  isUuid,
  list,
  map,
  one,
  type Rule,
  SWITCH,
  shaped,
  text,
  whole,
} from "./body-rules.ts";

export const LIST_PLAYS = "GET /stage/plays";
export const STAGE_PLAY = "POST /stage/plays";
export const GET_PLAY = "GET /stage/plays/{play}";
export const REVISE_PLAY = "PATCH /stage/plays/{play}";
export const CLOSE_PLAY = "POST /stage/plays/{play}/close";
export const LIST_NIGHTS = "GET /stage/plays/{play}/nights";
export const OPEN_NIGHT = "POST /stage/plays/{play}/nights";
export const GET_NIGHT = "GET /stage/plays/{play}/nights/{slot}";
export const REPLAN_NIGHT = "PUT /stage/plays/{play}/nights/{slot}";
export const LIST_TICKETS = "GET /stage/plays/{play}/nights/{slot}/tickets";
export const SELL_TICKET = "POST /stage/plays/{play}/nights/{slot}/tickets";
export const GET_TICKET = "GET /stage/plays/{play}/nights/{slot}/tickets/{ticket}";
export const AMEND_TICKET = "PATCH /stage/plays/{play}/nights/{slot}/tickets/{ticket}";
export const VOID_TICKET = "DELETE /stage/plays/{play}/nights/{slot}/tickets/{ticket}";
export const ADMIT_TICKET = "POST /stage/plays/{play}/nights/{slot}/tickets/{ticket}/admit";
export const LIST_HALLS = "GET /stage/halls";
export const BUILD_HALL = "POST /stage/halls";
export const GET_HALL = "GET /stage/halls/{code}";
export const REBUILD_HALL = "PUT /stage/halls/{code}";
export const SHUT_HALL = "POST /stage/halls/{code}/shut";
export const LIST_PATRONS = "GET /stage/patrons";
export const ENROL_PATRON = "POST /stage/patrons";
export const GET_PATRON = "GET /stage/patrons/{number}";
export const CORRECT_PATRON = "PATCH /stage/patrons/{number}";
export const RENAME_PATRON = "PUT /stage/patrons/{number}/nick";
export const LIST_GENRES = "GET /stage/genres";
export const GET_GENRE = "GET /stage/genres/{genre}";
export const LIST_HOLIDAYS = "GET /stage/holidays";
export const LIST_REVIEWS = "GET /stage/reviews";

const OPEN = { nullable: true };
const DISTINCT = { distinct: true };
const SOME = { least: 1 };
const DAY: Rule = { type: "text", format: isDate };
const INSTANT: Rule = { type: "text", format: isInstant };
const TIME: Rule = { type: "text", format: isTime };
const IP: Rule = { type: "text", format: isIp };
const MAIL = text(0, 60, { format: isMail });
const CONST: Rule = { type: "text" };
const number = (more: Partial<Rule>): Rule => ({ type: "number", ...more });
const choice = (by: string, branches: Record<string, Rule>): Rule => ({ type: "choice", by, branches });
const named = (names: RegExp, most: number, of: Rule, more: Partial<Rule> = {}): Rule => ({
  ...{ type: "map", names, most, of, ...more },
});

const RATING: Rule = { type: "whole", values: [0, 6, 12, 16, 18] };
const CODE = shaped(/^[a-z]{2,8}(-[0-9]{1,2})?$/);
const SLOT = shaped(/^N[0-9]{2}:[a-z]{2,6}$/);
const NICK = shaped(/^[a-z][a-z0-9]{3,11}$/);
const ROLE = map(
  {
    ...{ actor: text(1, 30), call: TIME, understudies: list(text(1, 30), 3, DISTINCT) },
    costumes: list(
      map({ act: whole(1, 5), pieces: list(one("hat", "coat", "mask"), 3, { ...SOME, ...DISTINCT }) }, [
        "act",
        "pieces",
      ]),
      2,
    ),
  },
  ["actor"],
);
const PERMIT = map({ number: shaped(/^SP[0-9]{3}$/), until: DAY }, ["number"], { closed: true });
const PLAY: Record<string, Rule> = {
  title: text(2, 60),
  minutes: { ...whole(10, 400), step: 5 },
  opens: { ...DAY, ...OPEN },
  site: text(0, 80, { format: isAddress, ...OPEN }),
  authors: list(
    map(
      {
        name: text(1, 40),
        born: { ...whole(1400, 2020), ...OPEN },
        share: number({ above: 0, most: 1, step: 0.05 }),
      },
      ["name"],
    ),
    3,
    SOME,
  ),
  acts: list(list(whole(1, 90), 4, SOME), 5, SOME),
  cast: named(/^[A-Z][a-z]{1,14}$/, 4, ROLE),
  staging: choice("form", {
    proscenium: map({ form: CONST, wings: whole(0, 12), curtain: SWITCH }, ["wings"]),
    arena: map({ form: CONST, sectors: named(/^[NESW]{1,2}$/, 3, { ...whole(10, 900), step: 10 }, SOME) }, [
      "sectors",
    ]),
    street: map(
      {
        ...{ form: CONST, permit: PERMIT },
        route: list(list(number({ least: -180, most: 180 }), 2, { least: 2 }), 5, { least: 2 }),
      },
      ["route", "permit"],
    ),
  }),
  contact: map({ mail: MAIL, phone: shaped(/^\+[0-9]{6,14}$/), extension: shaped(/^[0-9]{1,4}$/) }, [], {
    ...{ closed: true, together: { extension: ["phone"] } },
    ...{ ...SOME, ...OPEN },
  }),
};
const TIER = map(
  {
    ...{ count: whole(1, 500), factor: number({ least: 0.1, most: 5 }) },
    rows: list(shaped(/^[A-Z]$/), 3, DISTINCT),
  },
  ["count"],
);
const MIRROR = map({ host: text(0, 60, { format: isHost }), port: whole(1, 65_535) }, ["host", "port"]);
const NIGHT: Record<string, Rule> = {
  doors: TIME,
  price: number({ above: 0, most: 900, step: 0.05 }),
  premiere: { ...SWITCH, ...OPEN },
  tiers: named(/^[a-z]+$/, 4, TIER, { ...SOME, named: [2, 8] }),
  blocked: list(list(shaped(/^[A-Z][0-9]{1,2}$/), 4, { ...SOME, ...DISTINCT }), 3),
  stream: map(
    { address: IP, token: { type: "text", format: isUuid }, mirrors: list(MIRROR, 2) },
    ["address", "token"],
    { closed: true, ...OPEN },
  ),
  ensemble: list(
    map({ part: text(1, 20), shifts: list(list(whole(0, 23), 2, { least: 2 }), 2, SOME) }, [
      "part",
      "shifts",
    ]),
    3,
  ),
  remark: text(0, 60),
};
const CLOSED = { closed: true };
const EXTRA = choice("kind", {
  coat: map({ kind: CONST, pieces: whole(1, 5) }, ["pieces"], CLOSED),
  drink: map(
    {
      ...{ kind: CONST, name: text(1, 20), when: one("before", "break") },
      units: list(whole(1, 9), 2, SOME),
    },
    ["name"],
    CLOSED,
  ),
});
const TICKET: Record<string, Rule> = {
  holder: map({ name: text(1, 40), mail: { ...MAIL, ...OPEN } }, ["name"]),
  paidAt: { ...INSTANT, ...OPEN },
  discounts: list(one("child", "student", "senior", "staff"), 3, DISTINCT),
  extras: list(EXTRA, 3),
  wishes: named(/^[a-z]{2,6}$/, 3, text(0, 30, OPEN)),
};
const HOURS = map({ from: TIME, to: TIME }, ["from", "to"]);
const LAMP = map(
  {
    watt: { ...whole(5, 5000), step: 5 },
    colours: list(one("red", "amber", "blue", "white"), 3, DISTINCT),
  },
  ["watt"],
);
const HALL: Record<string, Rule> = {
  name: text(1, 40),
  floor: whole(-2, 9),
  wired: SWITCH,
  plan: list(list(one("seat", "aisle", "wheel"), 8, SOME), 6, SOME),
  size: list(number({ above: 0, most: 90 }), 2, { least: 2 }),
  terminals: list(map({ ip: IP, label: text(1, 12) }, ["ip"]), 3, DISTINCT),
  hours: map({ mon: HOURS, tue: HOURS, wed: HOURS }, [], CLOSED),
  lamps: named(/^L[0-9]{1,3}$/, 3, list(LAMP, 3, SOME)),
  inspected: { ...INSTANT, ...OPEN },
  portal: text(0, 90, { format: isAddress }),
};
const PATRON: Record<string, Rule> = {
  name: text(1, 50),
  mail: { ...MAIL, ...OPEN },
  level: one("guest", "friend", "donor"),
  born: { ...DAY, ...OPEN },
  addresses: list(
    map({ street: text(1, 40), zip: shaped(/^[0-9]{4,5}$/), since: { ...DAY, ...OPEN } }, ["street", "zip"]),
    2,
  ),
  gifts: named(/^y[0-9]{4}$/, 3, {
    ...{ type: "map", ...SOME },
    of: number({ above: 0, most: 1_000_000, step: 0.01 }),
  }),
};

export const BODIES: Record<string, Rule> = {
  [STAGE_PLAY]: map(
    {
      ...{ ...PLAY, genre: text(0, 20), rating: RATING, matinee: SWITCH },
      ...{ language: one("de", "en", "fr", "it"), register: shaped(/^TH-[0-9]{4}-[A-Z]$/) },
    },
    ["title", "genre", "minutes", "acts", "staging"],
  ),
  [REVISE_PLAY]: map({ ...PLAY, rating: RATING, matinee: SWITCH }, []),
  [CLOSE_PLAY]: map(
    {
      closedOn: DAY,
      why: one("end", "illness", "strike"),
      notices: list(list(text(1, 20), 2, SOME), 3),
    },
    ["closedOn"],
    CLOSED,
  ),
  [OPEN_NIGHT]: map({ ...NIGHT, slot: SLOT }, ["slot", "doors", "price"]),
  [REPLAN_NIGHT]: map(NIGHT, ["doors", "price"]),
  [SELL_TICKET]: map(
    {
      ...TICKET,
      place: map({ row: shaped(/^[A-Z]$/), number: whole(1, 60) }, ["row", "number"]),
      paid: SWITCH,
    },
    ["place", "holder"],
  ),
  [AMEND_TICKET]: map({ ...TICKET, paid: SWITCH }, []),
  [BUILD_HALL]: map({ ...HALL, code: CODE, built: { type: "whole", above: 1500, below: 2100 } }, [
    "code",
    "name",
    "plan",
  ]),
  [REBUILD_HALL]: map(HALL, ["name", "plan"]),
  [SHUT_HALL]: map({ shutFor: one("mould", "fire", "cost"), keys: list(whole(1, 40), 2, DISTINCT) }, []),
  [ENROL_PATRON]: map({ ...PATRON, nick: NICK }, ["name", "nick", "level"]),
  [CORRECT_PATRON]: map(PATRON, [], SOME),
  [RENAME_PATRON]: map({ nick: NICK }, ["nick"]),
};
