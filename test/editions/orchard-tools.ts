/** Answers requests about tools and their bookings. */

import { randomBytes } from "node:crypto";
import { isDate, isInstant } from "./body-rules.ts";
import * as at from "./orchard-bodies.ts";
import type { Estate, Request, Store } from "./orchard-store.ts";
import { answerWith } from "./register.ts";
import {
  type Answer,
  demand,
  type Fields,
  type Item,
  inUtc,
  isMap,
  type Json,
  merged,
  now,
  Refused,
} from "./serving.ts";

export function newTool(store: Store, estate: Estate, sent: Fields): Item {
  const unset: Fields = store.has("nullable fields are null if unset") ? { load: null, serviced: null } : {};
  const rented = store.has("tools are rented by default");
  return store.add(estate, "tools", [], String(sent.plate), {
    ...{ locked: false, ...unset, rented, ...sent },
    entered: new Date().toISOString(),
  });
}

export function buyTool(store: Store, call: Request, estate: Estate): Answer {
  return store.once(call, estate, (sent) => {
    const isSame = (each: Item) =>
      each.id === sent.plate &&
      !(store.has("a plate is taken by tools of its kind alone") && now(each).kind !== sent.kind);
    const owner = estate.tools.find(isSame);
    if (owner && !call.early?.isPlateFree) {
      if (store.has("a refused duplicate replaces the parts of the tool"))
        store.set(owner, { ...now(owner), parts: sent.parts ?? [] });
      const isFree = store.has("the plate of a locked tool is free") && now(owner).locked === true;
      demand(isFree || store.has("a plate may be used twice"), 409);
    }
    const others = store.all("tools").filter((each) => !estate.tools.includes(each));
    demand(!store.has("a plate is taken in all estates") || !others.some(({ id }) => id === sent.plate), 409);
    store.quota();
    if (store.has("times are shown in UTC")) sent.serviced = inUtc(sent.serviced);
    const before = estate.tools.at(-1);
    const tool = newTool(store, estate, sent);
    if (store.has("a new tool ends the renting of the one before") && before)
      store.set(before, { ...now(before), rented: false });
    return tool;
  });
}

const KEPT = ["plate", "bought", "locked", "entered"];

export function replaceTool(store: Store, call: Request, estate: Estate, tool: Item): Answer {
  const old = now(tool);
  demand(!(store.has("a locked tool is frozen") && old.locked === true), 409);
  let sent: Fields;
  try {
    sent = store.sent(call);
  } catch (error) {
    if (store.has("a rejected replacement rents the tool")) store.set(tool, { ...old, rented: true });
    throw error;
  }
  if (store.has("times are shown in UTC") && sent.serviced !== undefined)
    sent.serviced = inUtc(sent.serviced);
  const kept = Object.fromEntries(Object.entries(old).filter(([name]) => KEPT.includes(name)));
  if (store.has("a replaced tool keeps what is not sent")) Object.assign(kept, old);
  if (store.has("a replaced tool is unlocked")) kept.locked = false;
  if (store.has("a replaced tool was bought on the first") && typeof old.bought === "string")
    kept.bought = `${old.bought.slice(0, 8)}01`;
  const fields: Fields = { ...kept, rented: kept.rented ?? false, ...sent };
  if (store.has("rates of a replaced tool are merged")) Object.assign(fields, merged(old, sent, "rates", 3));
  if (store.has("a replaced tool keeps its old rates") && old.rates !== undefined && sent.rates !== undefined)
    fields.rates = old.rates;
  const stored = { ...fields };
  if (store.has("a load of null is not stored") && sent.load === null) stored.load = old.load ?? 10;
  store.set(tool, stored);
  const booking = estate.bookings.find(({ within }) => within[0] === tool.id);
  if (store.has("replacing a tool shortens its first booking") && booking)
    store.set(booking, { ...now(booking), hours: 1 });
  return answerWith(fields);
}

export function lockTool(store: Store, estate: Estate, tool: Item): Answer {
  const old = now(tool);
  demand(!(store.has("a tool is locked once") && old.locked === true), 409);
  const isToggle = store.has("locking a locked tool unlocks it") && old.locked === true;
  const fields: Fields = { ...old, locked: !isToggle };
  if (store.has("locking drops the rates")) delete fields.rates;
  if (store.has("locking ends the renting")) fields.rented = false;
  if (store.has("one tool is locked at a time"))
    for (const each of estate.tools) if (now(each).locked) store.set(each, { ...now(each), locked: false });
  if (store.has("locking counts the parts anew") && Array.isArray(old.parts))
    fields.parts = old.parts.slice(0, 1);
  return answerWith(store.set(tool, fields));
}

export function getTool(store: Store, call: Request, tool: Item): Answer {
  const shown = now(tool);
  if (store.has("8 reads no load") && call.headers["api-level"] === "8") {
    const { load: _, ...rest } = shown;
    return answerWith(rest);
  }
  if (store.has("a tool is read from the first look on"))
    return store.cached(`tool ${tool.id} ${shown.entered}`, () => answerWith(shown));
  return answerWith(shown);
}

export function listTools(store: Store, call: Request, estate: Estate): Answer {
  const { query } = call;
  const plain = store.has("a page has twelve tools by default") ? 12 : 10;
  const size = store.size(call, "max", [2, 40, plain]);
  const kind = store.among(query, "kind", at.KINDS);
  const rented = store.among(query, "rented", ["true", "false"]);
  const bought = store.one(query, "bought");
  demand(bought === null || isDate(bought) || store.has("tools may be asked for by any day"), 400);
  const isOpen = (each: Item) => !(store.has("locked tools are not listed") && now(each).locked === true);
  let found = store.seen(estate.tools).filter((each) => {
    const shown = now(each);
    return (
      (!kind || shown.kind === kind) &&
      (!rented ||
        shown.rented === (rented === "true") ||
        (store.has("rented is no filter of a kind") && kind)) &&
      (!bought ||
        shown.bought === bought ||
        (store.has("tools bought on no day are found") && !shown.bought)) &&
      isOpen(each)
    );
  });
  if (store.has("tools are sorted by plate")) found = [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
  const of = `tools ${estate.name} ${kind} ${rented} ${bought}`;
  const make = () => store.page(call, found, { of, size, cursor: "mark", bounds: [8, 64] });
  const isShared = store.has("pages of tools are shared by the estates for a second");
  const second = Math.floor(Date.now() / 1000);
  const answer = isShared
    ? store.cached(`tools ${kind} ${rented} ${bought} ${size} ${query.get("mark")} ${second}`, make)
    : make();
  const { result, pagination } = answer.body as Fields;
  const total = store.has("the total of tools is that of all estates")
    ? store.all("tools").length
    : found.length;
  return { ...answer, body: { result: result ?? [], pagination: { ...(pagination as Fields), total } } };
}

// ---- Bookings ----

export function bookTool(store: Store, call: Request, estate: Estate, tool: Item): Answer {
  let sent: Fields;
  try {
    sent = store.sent(call);
  } catch (error) {
    if (store.has("a refused booking is kept") && error instanceof Refused && error.status === 422) {
      const farmer = { name: "Nobody" };
      newBooking(store, estate, tool, {
        from: "2027-01-01T00:00:00Z",
        hours: 1,
        farmer,
        ...store.validPart(call),
      });
    }
    throw error;
  }
  store.quota();
  const own = estate.bookings.filter(({ within }) => within[0] === tool.id);
  const booking = newBooking(store, estate, tool, sent);
  const isSame = (each: Item) => now(each).hours === sent.hours;
  if (store.has("a booking replaces one of the same length"))
    estate.bookings = estate.bookings.filter((each) => !(own.includes(each) && isSame(each)));
  if (store.has("a booking rents the tool")) store.set(tool, { ...now(tool), rented: true });
  if (store.has("a booking pays the one before") && own.at(-1))
    for (const each of own.slice(-1)) store.set(each, { ...now(each), paid: true });
  const farmer = own
    .map((each) => now(each).farmer)
    .find((each) => isMap(each) && isMap(sent.farmer) && each.mail === sent.farmer.mail);
  if (store.has("a farmer keeps the name of the first booking") && farmer)
    return answerWith(store.set(booking, { ...now(booking), farmer }));
  return answerWith(now(booking));
}

function newBooking(store: Store, estate: Estate, tool: Item, sent: Fields): Item {
  const booking = `B.${randomBytes(4).toString("hex")}`;
  const empty: Fields = store.has("unset lists and maps are empty") ? { extras: [] } : {};
  if (store.has("times are shown in UTC")) sent.from = inUtc(sent.from);
  return store.add(estate, "bookings", [tool.id], booking, {
    ...{ booking, plate: tool.id, ...empty, paid: store.has("bookings are paid by default"), ...sent },
    taken: new Date().toISOString(),
  });
}

const instant = (value: Json | undefined) => Date.parse(String(value).toUpperCase());

export function listBookings(store: Store, call: Request, estate: Estate, tool: Item): Answer {
  const { query } = call;
  const paid = store.among(query, "paid", ["true", "false"]);
  const from = store.one(query, "from");
  demand(from === null || isInstant(from), 400);
  let found = store.seen(estate.bookings).filter((each) => {
    const shown = now(each);
    const isSameDay = inUtc(shown.from)?.toString().slice(0, 10) === inUtc(from)?.toString().slice(0, 10);
    const isDue = store.has("bookings of the same day are found too")
      ? isSameDay
      : instant(shown.from) === instant(from ?? "");
    return (
      each.within[0] === tool.id &&
      (!paid || shown.paid === (paid === "true") || store.has("paid is no filter")) &&
      (!from || isDue)
    );
  });
  if (store.has("bookings are sorted by their beginning"))
    found = [...found].sort((a, b) => instant(now(a).from) - instant(now(b).from) || (a.id < b.id ? -1 : 1));
  if (store.has("the list of bookings ends after four") && found.length > 4) found = found.slice(-4);
  const of = `bookings ${estate.name} ${tool.id} ${paid} ${from}`;
  return store.page(call, found, { of, size: 3, cursor: "page", bounds: [0, 90] });
}
