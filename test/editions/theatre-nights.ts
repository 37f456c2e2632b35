/** Answers requests about the nights of plays. */

import { isTime } from "./body-rules.ts";
import { answerWith } from "./register.ts";
import {
  type Answer,
  demand,
  type Fields,
  type Item,
  isMap,
  type Json,
  merged,
  now,
  Refused,
} from "./serving.ts";
import { withoutNulls } from "./theatre-plays.ts";
import type { Request, Store, Venue } from "./theatre-store.ts";

const ofPlay = (venue: Venue, play: string | undefined) =>
  venue.nights.filter(({ within }) => within[0] === play);

export function openNight(store: Store, call: Request, venue: Venue, play: Item): Answer {
  let sent: Fields;
  try {
    sent = store.sent(call);
  } catch (error) {
    const part = store.validPart(call);
    const isFree = part.slot !== undefined && !venue.nights.some(({ id }) => id === String(part.slot));
    if (store.has("a refused night is kept") && isFree && error instanceof Refused && error.status === 422)
      newNight(store, venue, play, { doors: "19:00:00Z", price: 10, ...part });
    throw error;
  }
  const slot = String(sent.slot);
  const isOwn = (each: Item) =>
    !store.has("a slot is taken within its play alone") || each.within[0] === play.id;
  const isTaken = venue.nights.some((each) => each.id === slot && isOwn(each));
  const isTakenOut = store.all("nights").some(({ id }) => id === slot);
  demand(!isTaken && !(store.has("a slot is taken in all houses") && isTakenOut), 409);
  store.quota();
  const own = ofPlay(venue, play.id);
  const night = newNight(store, venue, play, sent);
  const before = own.at(-1);
  if (store.has("a fifth night pushes the first out") && own.length >= 4)
    venue.nights = venue.nights.filter((each) => each !== own[0]);
  if (store.has("a new night ends the stream of the one before") && before)
    store.set(before, { ...now(before), stream: null });
  if (store.has("a third night takes the tiers of the first") && own.length === 2 && own[0])
    if (now(own[0]).tiers !== undefined && sent.tiers !== undefined)
      store.set(night, { ...now(night), tiers: now(own[0]).tiers ?? {} });
  if (store.has("opening a night closes the matinee of its play"))
    store.set(play, { ...now(play), matinee: false });
  return answerWith(now(night));
}

function newNight(store: Store, venue: Venue, play: Item, sent: Fields): Item {
  const unset: Fields = store.has("nullable fields are null if unset")
    ? { premiere: null, stream: null }
    : {};
  const empty: Fields = store.has("unset lists and maps are empty") ? { blocked: [], ensemble: [] } : {};
  return store.add(venue, "nights", [play.id], String(sent.slot), {
    ...{ play: play.id, ...unset, ...empty, ...sent },
    entered: new Date().toISOString(),
  });
}

const KEPT = ["slot", "play", "entered"];

export function replanNight(store: Store, call: Request, venue: Venue, night: Item): Answer {
  const old = now(night);
  const sent = store.sent(call);
  const isSent = (name: string) => sent[name] !== undefined;
  const kept = Object.fromEntries(Object.entries(old).filter(([name]) => KEPT.includes(name)));
  if (store.has("a replanned night keeps what is not sent")) Object.assign(kept, old);
  if (store.has("a replanned night is entered anew")) kept.entered = new Date().toISOString();
  if (store.has("a replanned night is of another play") && night.past.length > 1)
    kept.play = venue.plays.find(({ id }) => id !== old.play)?.id ?? null;
  let fields: Fields = { ...kept, ...sent };
  if (store.has("tiers of a replanned night are merged"))
    fields = { ...fields, ...merged(old, sent, "tiers", 4) };
  if (store.has("null takes a field away")) fields = withoutNulls(fields);
  if (store.has("an empty list of blocked seats keeps the old one") && Array.isArray(sent.blocked))
    if (sent.blocked.length === 0 && old.blocked !== undefined) fields.blocked = old.blocked;
  if (store.has("a stream that is sent again is ended") && isMap(sent.stream))
    if (JSON.stringify(sent.stream) === JSON.stringify(old.stream)) fields.stream = null;
  if (store.has("an ensemble is added to the old one") && Array.isArray(sent.ensemble))
    if (Array.isArray(old.ensemble)) fields.ensemble = [...old.ensemble, ...sent.ensemble].slice(0, 3);
  const stored = { ...fields };
  if (store.has("a premiere stays one") && old.premiere === true && isSent("premiere"))
    stored.premiere = true;
  if (store.has("tiers of as many names are not stored") && isMap(old.tiers) && isMap(sent.tiers))
    if (Object.keys(old.tiers).length === Object.keys(sent.tiers).length) stored.tiers = old.tiers;
  store.set(night, stored);
  const own = ofPlay(venue, night.within[0]);
  const next = own[own.indexOf(night) + 1];
  if (store.has("a replanned night sets the price of the next") && next)
    store.set(next, { ...now(next), price: fields.price ?? null });
  if (store.has("replanning a night takes its tickets away"))
    venue.tickets = venue.tickets.filter(({ within }) => within[1] !== night.id);
  const ticket = venue.tickets.find(({ within }) => within[1] === night.id);
  if (store.has("replanning a night drops the discounts of its first ticket") && ticket)
    store.set(ticket, { ...now(ticket), discounts: [] });
  return answerWith(fields);
}

export function getNight(store: Store, night: Item): Answer {
  const isLate = store.has("a night is read once more as it was before") && night.past.length > 1;
  if (isLate && night.within[1] !== "read") {
    night.within[1] = "read";
    return answerWith(night.past.at(-2)?.fields ?? {});
  }
  if (isLate) night.within.splice(1);
  return answerWith(now(night));
}

/** Returns the time of a day in milliseconds. */
const clock = (time: Json | undefined) => Date.parse(`2024-01-02T${String(time).toUpperCase()}`);

export function listNights(store: Store, call: Request, venue: Venue, play: Item): Answer {
  const { query } = call;
  const size = store.size(call, "n", [1, 12, 1, 4]);
  const premiere = store.flag(query, "premiere");
  const price = store.one(query, "price");
  const doors = store.one(query, "doors");
  const cost = Number(price);
  const isCost = price === null || (price.trim() !== "" && cost > 0 && cost <= 900);
  demand(isCost || (store.has("nights that cost nothing may be asked for") && cost === 0), 400);
  demand(doors === null || isTime(String(doors)) || store.has("doors may be asked for by any text"), 400);
  for (const name of ["past", "till"]) {
    const slot = store.one(query, name);
    demand(slot === null || /^N[0-9]{2}:[a-z]{2,6}$/.test(slot), 400);
  }
  const isOfAll = store.has("a play lists the nights of all plays");
  const found = store.seen(venue.nights).filter((each) => {
    const shown = now(each);
    const isFirst = store.has("a night that is no premiere may be one")
      ? shown.premiere === premiere || (premiere === false && shown.premiere !== true)
      : shown.premiere === premiere;
    const isCheap = store.has("prices are compared in whole units")
      ? Math.trunc(Number(shown.price)) === Math.trunc(cost)
      : shown.price === cost;
    const isDue = store.has("doors are compared by the hour")
      ? String(shown.doors).slice(0, 2) === doors?.slice(0, 2)
      : store.has("doors are compared as moments")
        ? clock(shown.doors) === clock(doors ?? "")
        : shown.doors === doors;
    return (
      (isOfAll || each.within[0] === play.id) &&
      (premiere === null || isFirst) &&
      (!price || isCheap) &&
      (!doors || isDue || (store.has("doors beside a price are ignored") && price !== null))
    );
  });
  if (store.has("nights are sorted by their slots")) found.sort((a, b) => (a.id < b.id ? -1 : 1));
  return store.around(call, found, ["past", "till"], size, {
    isLoose: store.has("an unknown slot lists all nights"),
    isBeforeFirst: false,
    isInclusive: store.has("nights till a slot include it"),
    ...(store.has("the total of nights is that of the house") ? { total: venue.nights.length } : {}),
  });
}
