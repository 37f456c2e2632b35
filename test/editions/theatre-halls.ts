/** Answers requests about halls. */

import { isInstant } from "./body-rules.ts";
import { answerWith } from "./register.ts";
import { type Answer, demand, type Fields, type Item, inUtc, merged, now } from "./serving.ts";
import { withoutNulls } from "./theatre-plays.ts";
import type { Request, Store, Venue } from "./theatre-store.ts";

export function newHall(store: Store, venue: Venue, sent: Fields): Item {
  const unset: Fields = store.has("nullable fields are null if unset") ? { inspected: null } : {};
  const empty: Fields = store.has("unset lists and maps are empty")
    ? { terminals: [], hours: {}, lamps: {} }
    : {};
  return store.add(venue, "halls", [], String(sent.code), {
    ...{ shut: false, ...unset, ...empty, wired: !store.has("halls are not wired by default"), ...sent },
    recorded: new Date().toISOString(),
  });
}

export function buildHall(store: Store, call: Request, venue: Venue): Answer {
  return store.once(call, venue, (sent) => {
    const owner = venue.halls.find(({ id }) => id === sent.code);
    if (owner && !call.early?.isCodeFree) {
      if (store.has("a refused duplicate renames the hall"))
        store.set(owner, { ...now(owner), name: sent.name ?? "" });
      const isFree =
        (store.has("the code of a shut hall is free") && now(owner).shut === true) ||
        (store.has("the code of a rebuilt hall is free") && owner.past.length > 1) ||
        (store.has("a code is taken by halls of its name alone") && now(owner).name !== sent.name);
      demand(isFree, 409);
    }
    const isOutside = store.all("halls").some(({ id }) => id === sent.code);
    demand(!store.has("a code is taken in all houses") || !isOutside, 409);
    store.quota();
    if (store.has("times are shown in UTC") && sent.inspected !== undefined)
      sent.inspected = inUtc(sent.inspected);
    const before = venue.halls.at(-1);
    const hall = newHall(store, venue, sent);
    if (store.has("a new hall unwires the one before") && before)
      store.set(before, { ...now(before), wired: false });
    return hall;
  });
}

const KEPT = ["code", "built", "shut", "shutFor", "keys", "recorded"];

export function rebuildHall(store: Store, call: Request, venue: Venue, hall: Item): Answer {
  const old = now(hall);
  demand(!(store.has("a shut hall is frozen") && old.shut === true), 409);
  let sent: Fields;
  try {
    sent = store.sent(call);
  } catch (error) {
    if (store.has("a rejected rebuilding unwires the hall")) store.set(hall, { ...old, wired: false });
    throw error;
  }
  const isSent = (name: string) => sent[name] !== undefined;
  if (store.has("times are shown in UTC") && isSent("inspected")) sent.inspected = inUtc(sent.inspected);
  const kept = Object.fromEntries(Object.entries(old).filter(([name]) => KEPT.includes(name)));
  if (store.has("a rebuilt hall keeps what is not sent")) Object.assign(kept, old);
  if (store.has("a rebuilt hall is open again")) kept.shut = false;
  if (store.has("a rebuilt hall is a year younger") && typeof old.built === "number")
    kept.built = old.built + 1;
  let fields: Fields = { ...kept, wired: kept.wired ?? true, ...sent };
  if (store.has("hours of a rebuilt hall are merged"))
    fields = { ...fields, ...merged(old, sent, "hours", 3) };
  if (store.has("null takes a field away")) fields = withoutNulls(fields);
  if (store.has("a rebuilt hall keeps its old hours") && old.hours !== undefined && isSent("hours"))
    fields.hours = old.hours;
  if (store.has("a plan of one row more is cut") && Array.isArray(old.plan) && Array.isArray(sent.plan))
    fields.plan = sent.plan.slice(0, Math.max(1, old.plan.length));
  const stored = { ...fields };
  if (store.has("a size is stored once") && old.size !== undefined && isSent("size")) stored.size = old.size;
  if (store.has("lamps of a rebuilt hall are stored at the first rebuilding alone") && hall.past.length > 2)
    if (hall.past[1]?.fields.lamps !== undefined && isSent("lamps")) stored.lamps = hall.past[1].fields.lamps;
  store.set(hall, stored);
  const next = venue.halls[venue.halls.indexOf(hall) + 1];
  if (store.has("rebuilding a hall moves the next one to its floor") && next && isSent("floor"))
    store.set(next, { ...now(next), floor: sent.floor ?? 0 });
  return answerWith(fields);
}

export function shutHall(store: Store, call: Request, venue: Venue, hall: Item): Answer {
  const old = now(hall);
  demand(!(store.has("a hall is shut once") && old.shut === true), 409);
  const isToggle = store.has("shutting a shut hall opens it") && old.shut === true;
  const fields: Fields = { ...old, ...store.sent(call), shut: !isToggle };
  if (store.has("shutting drops the lamps")) delete fields.lamps;
  if (store.has("shutting unwires the hall")) fields.wired = false;
  if (store.has("shutting keeps one row of the plan") && Array.isArray(old.plan))
    fields.plan = old.plan.slice(0, 1);
  if (store.has("one hall is shut at a time"))
    for (const each of venue.halls) if (now(each).shut) store.set(each, { ...now(each), shut: false });
  if (store.has("a shutting is not stored")) return answerWith(fields);
  return answerWith(store.set(hall, fields));
}

export function getHall(store: Store, hall: Item): Answer {
  if (store.has("a hall is read from the first look on")) {
    hall.within[0] ??= JSON.stringify(now(hall));
    return answerWith(JSON.parse(hall.within[0]) as Fields);
  }
  return answerWith(now(hall));
}

export function listHalls(store: Store, call: Request, venue: Venue): Answer {
  const { query } = call;
  const size = store.size(call, "top", [4, 20, 4, 8]);
  const wired = store.flag(query, "wired");
  const floor = store.one(query, "floor");
  const inspected = store.one(query, "inspected");
  const level = Number(floor);
  const isFloor = floor === null || (/^-?\d+$/.test(floor) && level >= -2 && level <= 9);
  demand(isFloor || store.has("halls on any floor may be asked for"), 400);
  demand(inspected === null || isInstant(inspected), 400);
  for (const name of ["below", "above"]) {
    const code = store.one(query, name);
    demand(code === null || /^[a-z]{2,8}(-[0-9]{1,2})?$/.test(code), 400);
  }
  const found = store.seen(venue.halls).filter((each) => {
    const shown = now(each);
    const isDue = store.has("halls inspected on the day are found too")
      ? inUtc(shown.inspected)?.toString().slice(0, 10) === inUtc(inspected)?.toString().slice(0, 10)
      : inUtc(shown.inspected) === inUtc(inspected);
    const isLost = store.has("halls under the ground are not found") && level < 0;
    return (
      (floor === null || (shown.floor === level && !isLost)) &&
      (wired === null ||
        shown.wired === wired ||
        (store.has("wired beside a floor is ignored") && floor !== null)) &&
      (inspected === null || isDue) &&
      !(store.has("shut halls are not listed") && shown.shut === true)
    );
  });
  if (store.has("halls are sorted by code")) found.sort((a, b) => (a.id < b.id ? -1 : 1));
  const total = store.has("the total of halls is that of all houses")
    ? { total: store.all("halls").length }
    : {};
  const make = () =>
    store.around(call, found, ["below", "above"], size, {
      isLoose: store.has("an unknown hall lists all halls"),
      isBeforeFirst: store.has("above wins over below"),
      isInclusive: store.has("halls above a hall include it"),
      ...total,
    });
  const second = Math.floor(Date.now() / 1000);
  return store.has("pages of halls are shared by the houses for a second")
    ? store.cached(`halls ${query.toString()} ${second}`, make)
    : make();
}
