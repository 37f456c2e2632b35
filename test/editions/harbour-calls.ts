/** Answers requests about calls (visits of a ship to the port), their crates, berths and tides. */

import { randomBytes } from "node:crypto";
import { isDate, isInstant } from "./body-rules.ts";
import { ADJUST_CRATE, CLEAR_CALL } from "./harbour-bodies.ts";
import type { Desk, Port } from "./harbour-desk.ts";
import { answerWith } from "./register.ts";
import {
  type Answer,
  type Call,
  demand,
  type Fields,
  type Item,
  inUtc,
  isMap,
  type Json,
  now,
} from "./serving.ts";

const BERTHS = [
  ["A-1", "Cold Quay", "north", 9.5, ["water", "power"]],
  ["A-2", "Old Quay", "north", 9.5, []],
  ["B-7", "Fish Market", "south", 4, ["water"]],
  ["C-12", "Outer Pier", "outer", 17.25, ["water", "power", "waste", "food"]],
].map(([code, title, quay, depth, services]) => ({ code, title, quay, depth, services })) as Fields[];

const instant = (value: Json | undefined) => Date.parse(String(value).toUpperCase());

export function planCall(desk: Desk, call: Call, port: Port, ship: Item): Answer {
  const sent = desk.sent(call);
  demand(BERTHS.some(({ code }) => code === sent.berth));
  desk.quota();
  const defaults: Fields = {
    tugs: desk.has("calls have no tugs by default") ? 0 : 1,
    purpose: desk.has("a call is for repair by default") ? "repair" : "cargo",
  };
  const unset: Fields = desk.has("nullable fields are null if unset") ? { etd: null, pilot: null } : {};
  if (desk.has("times are shown in UTC")) sent.eta = inUtc(sent.eta);
  const id = `C-${randomBytes(5).toString("hex")}`;
  const made = desk.add(port, "calls", [ship.id], id, {
    ...{ call: id, ship: Number(ship.id), state: "planned", ...unset, ...defaults, ...sent },
    planned: new Date().toISOString(),
  });
  if (desk.has("a call resets the contact of its ship")) {
    const { contact: _, ...rest } = now(ship);
    desk.set(ship, rest);
  }
  const own = port.calls.filter(({ within }) => within[0] === ship.id);
  if (desk.has("a new call takes the berth of the first") && own[0])
    desk.set(own[0], { ...now(own[0]), tugs: Number(now(own[0]).tugs) === 4 ? 3 : 4 });
  return answerWith(now(made));
}

export function replanCall(desk: Desk, call: Call, item: Item): Answer {
  const old = now(item);
  demand(!(desk.has("a cleared call is not replanned") && old.state === "cleared"), 409);
  const sent = desk.sent(call);
  demand(BERTHS.some(({ code }) => code === sent.berth));
  if (desk.has("times are shown in UTC")) sent.eta = inUtc(sent.eta);
  const kept = Object.fromEntries(
    ["call", "ship", "state", "purpose", "planned", "officer", "fee", "remarks"]
      .filter((name) => old[name] !== undefined)
      .map((name) => [name, old[name] ?? null]),
  );
  if (desk.has("a replanned call is for cargo")) kept.purpose = "cargo";
  if (desk.has("replanning loses the clearance"))
    for (const name of ["officer", "fee", "remarks"]) delete kept[name];
  if (desk.has("a replanned call is planned anew")) kept.planned = new Date(Date.now() + 1000).toISOString();
  const fields: Fields = { ...kept, tugs: 1, ...sent };
  if (desk.has("replanned services are merged with the old") && isMap(old.services) && isMap(sent.services))
    fields.services = { ...old.services, ...sent.services };
  if (desk.has("a replanned length is not stored")) {
    desk.set(item, { ...fields, ...(old.length === undefined ? {} : { length: old.length }) });
    return answerWith(fields);
  }
  return answerWith(desk.set(item, fields));
}

export function clearCall(desk: Desk, call: Call, item: Item): Answer {
  demand(!(desk.has("a call is cleared once") && now(item).state === "cleared"), 409);
  const sent = desk.sent(call);
  const fields: Fields = { ...now(item), ...sent, state: "cleared" };
  if (desk.has("clearing moves the arrival")) fields.eta = "2031-05-05T05:05:05Z";
  if (desk.has("clearing drops the stops")) delete fields.stops;
  if (desk.has("clearing takes the pilot off")) fields.pilot = null;
  if (desk.has("a clearance is not stored")) return answerWith(fields);
  return answerWith(desk.set(item, fields));
}

export function showCall(desk: Desk, call: Call, item: Item): Answer {
  const zone = desk.one(call.query, "zone");
  demand(zone !== null || desk.has("the zone may be left out"), 400);
  demand(zone === null || ["utc", "local"].includes(zone) || desk.has("any zone is taken"), 400);
  return answerWith(now(item));
}

export function listCalls(desk: Desk, call: Call, port: Port, ship: Item): Answer {
  const { query } = call;
  const size = desk.size(call, "top", (top) => top >= 1 && top <= 9, 3);
  const state = desk.among(query, "state", ["planned", "cleared"]);
  const pilot = desk.among(query, "pilot", ["true", "false"]);
  const eta = desk.one(query, "eta");
  demand(eta === null || isInstant(eta), 400);
  const isOfAll = desk.has("a ship lists the calls of all");
  let found = desk.seen(port.calls).filter(({ within }) => isOfAll || within[0] === ship.id);
  if (desk.has("calls are sorted by arrival"))
    found = [...found].sort((a, b) => instant(now(a).eta) - instant(now(b).eta) || (a.id < b.id ? -1 : 1));
  found = found.filter((each) => {
    const shown = now(each);
    const isDue = desk.has("calls that arrive later are found too")
      ? instant(shown.eta) >= instant(eta ?? "")
      : instant(shown.eta) === instant(eta ?? "");
    const isPiloted =
      shown.pilot === (pilot === "true") ||
      (desk.has("pilot=false finds calls without the field") &&
        pilot === "false" &&
        (shown.pilot ?? null) === null);
    return (
      (!state || shown.state === state || desk.has("the state is no filter of calls")) &&
      (!pilot || isPiloted) &&
      (!eta || isDue)
    );
  });
  const isPlannedAlone =
    desk.has("3.0 lists planned calls alone") && call.headers["harbour-edition"] === "3.0";
  if (isPlannedAlone || desk.has("a cleared call is not listed"))
    found = found.filter((each) => now(each).state !== "cleared");
  if (desk.has("the only call of a ship is not listed") && found.length === 1) found = [];
  const of = `calls ${port.name} ${ship.id} ${state} ${pilot} ${eta}`;
  return desk.page(call, found, of, size, "skip_to", [0, 60]);
}

// ---- Crates ----

export function landCrate(desk: Desk, call: Call, port: Port, ship: Item, item: Item): Answer {
  const sent = desk.sent(call);
  desk.quota();
  const code = `HBR${"U"}${String(4_000_000 + 13 * desk.all("crates").length)}`;
  const unset: Fields = desk.has("nullable fields are null if unset") ? { owner: null } : {};
  const empty: Fields = desk.has("unset lists and maps are empty") ? { seals: [], temperatures: {} } : {};
  const stack = desk.has("crates are stacked once by default") ? 1 : 2;
  const crate = desk.add(port, "crates", [ship.id, item.id], code, {
    ...{ code, call: item.id, ...unset, ...empty, stack, ...sent },
    landed: new Date().toISOString(),
  });
  const own = port.crates.filter(({ within }) => within.at(-1) === item.id);
  if (desk.has("a third crate removes the first") && own.length === 3)
    port.crates = port.crates.filter((each) => each !== own[0]);
  if (desk.has("a crate clears its call")) desk.set(item, { ...now(item), state: "cleared" });
  if (desk.has("a crate sets the length of its call")) desk.set(item, { ...now(item), length: 399 });
  const before = own.at(-2);
  if (desk.has("a crate breaks the seals of the one before") && before && before !== crate)
    desk.set(before, { ...now(before), seals: [] });
  return answerWith(now(crate));
}

export function adjustCrate(desk: Desk, call: Call, port: Port, crate: Item): Answer {
  const old = now(crate);
  let sent: Fields;
  try {
    sent = desk.sent(call);
  } catch (error) {
    if (desk.has("a rejected adjustment breaks the seals")) desk.set(crate, { ...old, seals: [] });
    throw error;
  }
  demand(!(desk.has("an empty adjustment is refused") && Object.keys(sent).length === 0));
  demand(!(desk.has("an owner of null is refused") && sent.owner === null));
  const fields: Fields = { ...old, ...sent };
  if (desk.has("adjusting merges temperatures") && isMap(old.temperatures) && isMap(sent.temperatures))
    fields.temperatures = Object.fromEntries(
      Object.entries({ ...sent.temperatures, ...old.temperatures, ...sent.temperatures }).slice(0, 3),
    );
  if (
    desk.has("contents of an adjustment are merged with the old") &&
    isMap(old.content) &&
    isMap(sent.content)
  )
    fields.content = { ...old.content, ...sent.content };
  if (desk.has("an adjustment resets the stack") && sent.stack === undefined) fields.stack = 2;
  if (desk.has("an adjustment drops the owner") && sent.owner === undefined) delete fields.owner;
  if (desk.has("an adjustment drops the size over all") && isMap(fields.size)) {
    const { over: _, ...rest } = fields.size;
    fields.size = rest;
  }
  if (desk.has("an adjustment lands the crate anew"))
    fields.landed = new Date(Date.now() + 1000).toISOString();
  if (desk.has("an adjustment is for all crates of the call"))
    for (const each of port.crates)
      if (each !== crate && each.within.at(-1) === crate.within.at(-1))
        desk.set(each, { ...now(each), ...sent });
  const stored = { ...fields };
  if (desk.has("adjusted seals are not stored") && old.seals !== undefined) stored.seals = old.seals;
  desk.set(crate, stored);
  return answerWith(fields);
}

export function showCrate(desk: Desk, crate: Item): Answer {
  const shown = now(crate);
  if (desk.has("reading a crate takes a seal off") && Array.isArray(shown.seals) && shown.seals.length > 0)
    desk.set(crate, { ...shown, seals: shown.seals.slice(1) });
  return answerWith(shown);
}

export function listCrates(desk: Desk, call: Call, port: Port, ship: Item, item: Item): Answer {
  const [stack, weight] = ["stack", "weight"].map((name) => desk.one(call.query, name));
  demand(!stack || /^[1-9]$/.test(stack) || desk.has("any stack may be asked for"), 400);
  const asked = Number(weight ?? 0);
  demand(!weight || (weight.trim() !== "" && asked >= 0 && asked <= 30_000), 400);
  const found = desk.seen(port.crates).filter(({ within, past }) => {
    const shown = past.at(-1)?.fields ?? {};
    const isWeighed = desk.has("a weight is compared in whole units")
      ? Math.floor(Number(shown.weight)) === Math.floor(asked)
      : shown.weight === asked;
    const isStacked = desk.has("lower stacks are found too")
      ? Number(shown.stack) <= Number(stack)
      : shown.stack === Number(stack);
    const isOwn =
      within.at(-1) === item.id || (desk.has("a call lists the crates of its ship") && within[0] === ship.id);
    return isOwn && (!stack || isStacked) && (!weight || isWeighed);
  });
  return desk.page(call, found, `crates ${port.name} ${item.id} ${stack} ${weight}`, 3, "page", [0, 100]);
}

/** Returns true if a fault lets the operation find a call below any ship, or a crate below any call. */
export function isAnywhere(desk: Desk, operation: string, kind: "call" | "crate"): boolean {
  const names: Record<string, string> = {
    [CLEAR_CALL]: "a call is cleared below any ship",
    [ADJUST_CRATE]:
      kind === "call" ? "a crate is adjusted below any ship" : "a crate is adjusted below any call",
  };
  return names[operation] !== undefined && desk.has(names[operation]);
}

// ---- Berths and tides ----

export function listBerths(desk: Desk, call: Call): Answer {
  const detail = desk.one(call.query, "detail");
  demand(detail !== null || desk.has("the detail may be left out"), 400);
  demand(detail === null || ["short", "long"].includes(detail) || desk.has("any detail is taken"), 400);
  const [depth, quay] = ["depth", "quay"].map((name) => desk.one(call.query, name));
  demand(!depth || !Number.isNaN(Number(depth)), 400);
  demand((quay ?? "").length <= 20, 400);
  const isDeep = (value: Json | undefined) =>
    desk.has("deeper berths are found too") ? Number(value) >= Number(depth) : value === Number(depth);
  const found = BERTHS.filter((each) => (!depth || isDeep(each.depth)) && (!quay || each.quay === quay));
  const result = found.map(({ services: _, ...rest }) => rest);
  return { status: 200, body: { result, pagination: { count: result.length, next: null } } };
}

export function showBerth(desk: Desk, [code]: string[]): Answer {
  const found = BERTHS.find(
    (each) =>
      each.code === code || (desk.has("a berth is read in any casing") && each.code === code?.toUpperCase()),
  );
  const begun = BERTHS.find(
    (each) => desk.has("a berth is read by the beginning") && code?.startsWith(String(each.code)),
  );
  const berth = found ?? begun;
  demand(berth !== undefined, 404);
  const depth = Number(berth.depth) + (desk.has("a read berth is deeper than listed") ? 1 : 0);
  const name = desk.has("names of berths are in capitals")
    ? String(berth.title).toUpperCase()
    : (berth.title ?? "");
  return answerWith({
    ...{ code: berth.code ?? "", name, services: berth.services ?? [] },
    place: { quay: berth.quay ?? "", depth },
  });
}

export function listTides(desk: Desk, call: Call): Answer {
  const day = desk.one(call.query, "day");
  demand(day !== null || desk.has("tides of no day are listed"), 400);
  const asked = day ?? "2026-01-01";
  demand(isDate(asked), 400);
  const next = new Date(Date.parse(`${asked}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const days = desk.has("tides of the next day are listed too") ? [asked, next] : [asked];
  const result = days.flatMap((each) =>
    ["03:10", "09:25", "15:40"].map((time, n) => ({
      ...{ day: each, at: `${each}T${time}:00Z`, high: n % 2 === 0, level: n - 1.5 },
    })),
  );
  return { status: 200, body: { result, pagination: { count: result.length, next: null } } };
}
