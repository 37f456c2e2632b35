/** Answers requests about ships, their insurance and their crew. */

import { isDate } from "./body-rules.ts";
import { CLASSES, CORRECT_SHIP, INSURE_SHIP, RANKS, REPLACE_SHIP } from "./harbour-bodies.ts";
import type { Desk, Port } from "./harbour-desk.ts";
import { answerWith } from "./register.ts";
import { type Answer, type Call, demand, type Fields, type Item, isMap, merged, now } from "./serving.ts";

const later = (fields: Fields) => {
  const moment = Math.max(Date.now(), Date.parse(String(fields.entered)));
  return new Date(moment).toISOString();
};

export function newShip(desk: Desk, port: Port, sent: Fields): Item {
  const isCounted = desk.has("each port counts its ships");
  const ships = isCounted ? port.ships : desk.all("ships");
  const number = 3100 + 7 * ships.length + (desk.has("numbers of ships are large") ? 4e9 : 0);
  const entered = isCounted ? `${new Date().toISOString().slice(0, 19)}Z` : new Date().toISOString();
  const changed = desk.has("a new ship was changed before") ? "2020-01-01T00:00:00Z" : entered;
  const defaults: Fields = {
    armed: desk.has("ships are armed by default"),
    tonnage: desk.has("a ship has no tonnage by default") ? null : 100,
  };
  const unset: Fields = desk.has("nullable fields are null if unset") ? { flag: null, contact: null } : {};
  if (desk.has("a tonnage of null is 100") && sent.tonnage === null) sent.tonnage = 100;
  const ship = desk.add(port, "ships", [], String(number), {
    number,
    ...{ status: "active", ...unset, ...defaults, ...sent, entered, changed },
  });
  if (!desk.has("an insurance is made by its first update")) insured(desk, port, ship);
  return ship;
}

function insured(desk: Desk, port: Port, ship: Item): Item {
  const { number = 0, entered } = now(ship);
  const from = String(entered).slice(0, 10);
  const policy = { ship: number, insurer: "No insurer", sum: { value: 0, currency: "EUR" }, from };
  return desk.add(port, "insurances", [ship.id], ship.id, policy);
}

export function insuranceOf(desk: Desk, port: Port, ship: Item, operation: string): Item | undefined {
  const insurances = desk.has("each port counts its ships") ? port.insurances : desk.all("insurances");
  const known = insurances.find(({ id }) => id === ship.id);
  const isMade = desk.has("an insurance is made by its first update") && operation === INSURE_SHIP;
  return known ?? (isMade ? insured(desk, port, ship) : undefined);
}

export function enterShip(desk: Desk, call: Call, port: Port): Answer {
  return desk.once(call, port, (sent) => {
    const pool = desk.has("an IMO number is taken in all ports") ? desk.all("ships") : port.ships;
    const isTaken = sent.imo !== undefined && pool.some((each) => now(each).imo === sent.imo);
    demand(!isTaken || desk.has("an IMO number may be used twice"), 409);
    desk.quota();
    const before = port.ships.at(-1);
    const ship = newShip(desk, port, sent);
    if (desk.has("a new ship takes over the waters of the one before") && before) {
      const { waters: _, ...rest } = now(before);
      desk.set(before, rest);
    }
    return ship;
  });
}

/** Fields of a ship that a replacement does not change. */
const KEPT = ["number", "imo", "built", "keel", "status", "entered"];

export function replaceShip(desk: Desk, call: Call, port: Port, ship: Item): Answer {
  const old = now(ship);
  demand(!(desk.has("a retired ship is frozen") && old.status === "retired"), 409);
  const sent = desk.sent(call);
  const kept = Object.fromEntries(Object.entries(old).filter(([name]) => KEPT.includes(name)));
  if (desk.has("a replacement keeps what is not sent")) Object.assign(kept, old);
  if (desk.has("a replacement loses the keel")) delete kept.keel;
  if (desk.has("a replacement enters the ship anew"))
    kept.entered = new Date(Date.now() + 1000).toISOString();
  const fields: Fields = { ...kept, armed: false, tonnage: 100, ...sent, changed: later(old) };
  if (desk.has("a replacement merges maps"))
    Object.assign(fields, merged(old, sent, "remarks", 4), merged(old, sent, "tanks", 3));
  if (desk.has("a replacement adds to the waters") && Array.isArray(old.waters) && Array.isArray(sent.waters))
    fields.waters = [...new Set([...sent.waters, ...old.waters])].slice(0, 4);
  const stored = { ...fields };
  if (desk.has("a replaced contact is not stored"))
    for (const name of ["contact"]) {
      delete stored[name];
      if (old[name] !== undefined) stored[name] = old[name];
    }
  if (
    desk.has("a second replacement keeps the first draught") &&
    ship.past.length > 2 &&
    old.draught &&
    sent.draught
  )
    stored.draught = old.draught;
  desk.set(ship, stored);
  spill(desk, port, ship, sent, REPLACE_SHIP);
  return answerWith(fields);
}

/** Carries out faults by which an update of a ship also changes the ship before it, or its insurance. */
function spill(desk: Desk, port: Port, ship: Item, sent: Fields, operation: string): void {
  const before = port.ships[port.ships.indexOf(ship) - 1];
  if (desk.has("a correction is stored for the ship before too") && before && operation === CORRECT_SHIP)
    desk.set(before, { ...now(before), ...sent });
  const insurance = port.insurances.find(({ id }) => id === ship.id);
  if (desk.has("a replacement resets the insurance") && insurance && operation === REPLACE_SHIP)
    desk.set(insurance, insurance.past[0]?.fields ?? {});
}

export function correctShip(desk: Desk, call: Call, port: Port, ship: Item): Answer {
  const old = now(ship);
  demand(!(desk.has("a retired ship is frozen") && old.status === "retired"), 409);
  let sent: Fields;
  try {
    sent = desk.sent(call);
  } catch (error) {
    if (desk.has("a rejected correction stores its valid part"))
      desk.set(ship, { ...old, ...desk.validPart(call) });
    throw error;
  }
  if (desk.has("a null flag keeps the flag") && sent.flag === null) delete sent.flag;
  const fields: Fields = { ...old, ...sent, changed: later(old) };
  if (desk.has("null takes a field away"))
    for (const name of ["flag", "contact"]) if (fields[name] === null) delete fields[name];
  const lost = (name: string) => sent[name] === undefined;
  if (desk.has("a correction drops the flag") && lost("flag")) delete fields.flag;
  if (desk.has("a correction resets the tonnage") && lost("tonnage")) fields.tonnage = 100;
  if (desk.has("a correction arms the ship")) fields.armed = true;
  if (desk.has("a correction drops the tanks")) delete fields.tanks;
  if (desk.has("a correction empties the hours of the contact") && lost("contact") && isMap(fields.contact))
    fields.contact = { ...fields.contact, hours: [] };
  if (desk.has("corrected engines are added to the old ones") && Array.isArray(sent.engines))
    fields.engines = [...(old.engines as []), ...sent.engines].slice(0, 3);
  if (desk.has("a correction undoes the one before") && ship.past.length === 2)
    for (const name of ["title", "draught"]) {
      const first = ship.past[0]?.fields[name];
      if (lost(name) && first !== undefined) fields[name] = first;
    }
  const stored = { ...fields };
  if (desk.has("a corrected power is not stored") && old.power) stored.power = old.power;
  desk.set(ship, stored);
  spill(desk, port, ship, sent, CORRECT_SHIP);
  return answerWith(fields);
}

function anotherOf({ number: _, ...fields }: Fields): Fields {
  return fields;
}

export function retireShip(desk: Desk, port: Port, ship: Item): Answer {
  const old = now(ship);
  demand(!(desk.has("a retired ship is not retired again") && old.status === "retired"), 409);
  const fields: Fields = { ...old, status: "retired", changed: later(old) };
  if (desk.has("retiring drops the contact")) delete fields.contact;
  if (desk.has("retiring halves the engines")) fields.engines = (old.engines as []).slice(0, 1);
  if (desk.has("retiring disarms a ship")) fields.armed = false;
  if (desk.has("retiring empties the remarks and tanks"))
    for (const name of ["remarks", "tanks"]) delete fields[name];
  if (desk.has("retiring makes another ship")) return answerWith(now(newShip(desk, port, anotherOf(fields))));
  return answerWith(desk.set(ship, fields));
}

export function insureShip(desk: Desk, call: Call, port: Port, insurance: Item): Answer {
  const old = now(insurance);
  let sent: Fields;
  try {
    sent = desk.sent(call);
  } catch (error) {
    if (desk.has("a rejected insurance ends the old one"))
      desk.set(insurance, { ...old, until: "2026-01-01" });
    throw error;
  }
  const fields: Fields = { ship: old.ship ?? 0, ...sent };
  if (desk.has("insuring merges riders")) Object.assign(fields, merged(old, sent, "riders", 5));
  if (desk.has("insuring adds shares") && Array.isArray(old.shares) && Array.isArray(sent.shares))
    fields.shares = [...old.shares, ...sent.shares].slice(0, 3);
  if (desk.has("an insurance names another ship")) fields.ship = Number(old.ship) + 7;
  if (desk.has("an insurance is not stored")) return answerWith(fields);
  desk.set(
    insurance,
    desk.has("the riders of an insurance are not stored") ? { ...fields, riders: {} } : fields,
  );
  if (desk.has("an insurance is that of all ships"))
    for (const each of port.insurances)
      if (each !== insurance) desk.set(each, { ...fields, ship: now(each).ship ?? 0 });
  const ship = port.ships.find(({ id }) => id === insurance.id);
  if (desk.has("an insurance changes the title of the ship") && ship)
    desk.set(ship, { ...now(ship), title: String(sent.insurer).slice(0, 40) });
  return answerWith(fields);
}

export function showInsurance(desk: Desk, insurance: Item): Answer {
  if (desk.has("an insurance is shown as it was before"))
    return answerWith((insurance.past.at(-2) ?? insurance.past.at(-1))?.fields ?? {});
  return answerWith(now(insurance));
}

export function findShips(desk: Desk, call: Call, port: Port): Answer {
  const { query } = call;
  const size = desk.size(
    call,
    "rows",
    (rows) => rows >= 5 && rows <= 50 && rows % 5 === 0,
    desk.has("a page has ten ships by default") ? 10 : 15,
  );
  const kind = desk.has("any class may be asked for")
    ? desk.one(query, "class")
    : desk.among(query, "class", CLASSES);
  const armed = desk.among(query, "armed", ["true", "false"]);
  const [flag, built, keel] = ["flag", "built", "keel"].map((name) => desk.one(query, name));
  demand(!flag || /^[A-Z]{2}$/.test(flag) || desk.has("a flag of any form may be asked for"), 400);
  const isYear = !built || (/^\d{4}$/.test(built) && Number(built) >= 1800 && Number(built) <= 2100);
  demand(isYear || desk.has("ships of any year may be asked for"), 400);
  demand(keel === null || isDate(String(keel)), 400);
  let found = desk.seen(desk.has("all ports list their ships together") ? desk.all("ships") : port.ships);
  if (!desk.has("the oldest ships come first")) found = [...found].reverse();
  if (desk.has("retired ships come last"))
    found = [...found].sort(
      (a, b) => Number(now(a).status === "retired") - Number(now(b).status === "retired"),
    );
  const isFiled = (each: Item) => {
    const shown = now(each);
    const filed = desk.has("a ship is filed under its first class") ? (each.past[0]?.fields ?? {}) : shown;
    const isFlagged = desk.has("a flag is compared by its first letter")
      ? String(shown.flag ?? "")[0] === flag?.[0]
      : shown.flag === flag;
    const isBuilt = desk.has("ships built later are found too")
      ? Number(shown.built) >= Number(built)
      : shown.built === Number(built);
    return (
      (!kind || filed.class === kind) &&
      (!flag || isFlagged || (desk.has("a flag is ignored beside a class") && kind)) &&
      (!armed || shown.armed === (armed === "true")) &&
      (!built || isBuilt) &&
      (!keel || shown.keel === keel || desk.has("the keel is no filter"))
    );
  };
  const all = found.length;
  found = found.filter(isFiled);
  if (desk.has("unarmed ships are not found") && armed === "false") found = [];
  if (desk.has("retired ships are not listed")) found = found.filter((each) => now(each).status === "active");
  const filters = [kind, flag, armed, built, keel].join(" ");
  const answer = desk.page(call, found, `ships ${port.name} ${filters}`, size, "resume", [4, 200]);
  return totalled(answer, desk.has("the total of ships ignores filters") ? all : found.length);
}

function totalled(answer: Answer, total: number): Answer {
  const { result, pagination } = answer.body as Fields;
  return { ...answer, body: { result: result ?? [], pagination: { ...(pagination as Fields), total } } };
}

// ---- Crew ----

export function hireMate(desk: Desk, call: Call, port: Port, ship: Item): Answer {
  return desk.once(call, port, (sent) => {
    const isTaken = port.mates.some(
      (each) =>
        now(each).badge === sent.badge &&
        !(desk.has("a badge is unique on its ship alone") && each.within[0] !== ship.id),
    );
    demand(sent.badge === undefined || !isTaken, 409);
    desk.quota();
    const id = 10 + desk.all("mates").length;
    const aboard = !desk.has("mates are ashore by default");
    const mate = desk.add(port, "mates", [ship.id], String(id), {
      ...{ id, ship: Number(ship.id), aboard, ...sent },
      hired: new Date().toISOString(),
    });
    const own = port.mates.filter(({ within }) => within[0] === ship.id);
    if (desk.has("a third mate replaces the first") && own.length === 3)
      port.mates = port.mates.filter((each) => each !== own[0]);
    if (desk.has("a mate resets the flag of the ship")) desk.set(ship, { ...now(ship), flag: "PA" });
    if (desk.has("a mate takes the papers of the one before") && own.length > 1)
      desk.set(mate, { ...now(mate), papers: now(own[0] ?? mate).papers ?? [] });
    return mate;
  });
}

export function listCrew(desk: Desk, call: Call, port: Port, ship: Item): Answer {
  const size = desk.size(call, "per_page", (size) => [2, 4, 10].includes(size), 4);
  const rank = desk.among(call.query, "rank", RANKS);
  const isOfAll = desk.has("a ship lists the crew of all");
  const mates = desk.has("crews of other ports are listed") ? desk.all("mates") : port.mates;
  let found = desk.seen(mates).filter(({ within }) => isOfAll || within[0] === ship.id);
  found = found.filter((each) => !rank || now(each).rank === rank || desk.has("the rank is no filter"));
  const behind = desk.one(call.query, "behind");
  const at = behind === null ? -1 : found.findIndex(({ id }) => id === behind);
  demand(behind === null || at >= 0 || desk.has("an unknown mate as cursor begins anew"), 400);
  const from = at + (desk.has("a page behind a mate begins with it") && at >= 0 ? 0 : 1);
  const rest = found.slice(desk.has("a page behind a mate leaves one out") && at >= 0 ? from + 1 : from);
  const page = rest.slice(0, size);
  const isMore = desk.has("an empty page ends a list") ? page.length === size : rest.length > size;
  const next = isMore ? (page.at(-1)?.id ?? null) : null;
  const total = desk.has("the total of a crew is that of the page") ? page.length : found.length;
  return { status: 200, body: { result: page.map(now), pagination: { count: page.length, next, total } } };
}
