/** Answers requests about the tickets of nights. */

import { answerWith } from "./register.ts";
import {
  type Answer,
  change,
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
import { withoutNulls } from "./theatre-plays.ts";
import type { Request, Store, Venue } from "./theatre-store.ts";

const ofNight = (venue: Venue, night: string | undefined) =>
  venue.tickets.filter(({ within }) => within[1] === night);

const nameOf = (fields: Fields) => (isMap(fields.holder) ? fields.holder.name : undefined);

export function sellTicket(store: Store, call: Request, venue: Venue, play: Item, night: Item): Answer {
  const sell = (sent: Fields) => {
    store.quota();
    const own = ofNight(venue, night.id);
    const before = own.at(-1);
    const ticket = newTicket(store, venue, [play.id, night.id], sent);
    if (store.has("a ticket empties the remark of its night"))
      store.set(night, { ...now(night), remark: "" });
    if (store.has("a ticket pays the one before") && before)
      store.set(before, { ...now(before), paid: true });
    if (store.has("a third ticket takes the extras of the first") && own.length === 2 && own[0])
      store.set(ticket, { ...now(ticket), extras: now(own[0]).extras ?? [] });
    const known = own.find((each) => nameOf(now(each)) === nameOf(sent));
    if (store.has("a holder keeps the mail of the first ticket") && known)
      store.set(ticket, { ...now(ticket), holder: now(known).holder ?? {} });
    if (store.has("a place is sold once more and the old ticket void"))
      venue.tickets = venue.tickets.filter(
        (each) => !own.includes(each) || JSON.stringify(now(each).place) !== JSON.stringify(sent.place),
      );
    return ticket;
  };
  try {
    return store.once(call, venue, sell);
  } catch (error) {
    if (store.has("a refused ticket is sold") && error instanceof Refused && error.status === 422)
      newTicket(store, venue, [play.id, night.id], {
        ...{ place: { row: "A", number: 1 }, holder: { name: "Nobody" } },
        ...store.validPart(call),
      });
    throw error;
  }
}

function newTicket(store: Store, venue: Venue, within: string[], sent: Fields): Item {
  const count = store.next();
  const ticket = `${1000 + ((37 * count) % 9000)}-${1000 + ((91 * count) % 9000)}`;
  const unset: Fields = store.has("nullable fields are null if unset") ? { paidAt: null } : {};
  const empty: Fields = store.has("unset lists and maps are empty")
    ? { discounts: [], extras: [], wishes: {} }
    : {};
  const utc: Fields =
    store.has("times are shown in UTC") && sent.paidAt !== undefined ? { paidAt: inUtc(sent.paidAt) } : {};
  return store.add(venue, "tickets", within, ticket, {
    ...{ ticket, night: within[1] ?? "", ...unset, ...empty },
    ...{ paid: store.has("tickets are paid by default"), ...sent, ...utc, admitted: false },
    sold: new Date().toISOString(),
  });
}

export function amendTicket(store: Store, call: Request, venue: Venue, ticket: Item): Answer {
  const old = now(ticket);
  demand(!(store.has("an admitted ticket is frozen") && old.admitted === true), 409);
  const sent = store.sent(call);
  if (store.has("times are shown in UTC") && sent.paidAt !== undefined) sent.paidAt = inUtc(sent.paidAt);
  const isSent = (name: string) => sent[name] !== undefined;
  let fields: Fields = { ...old, ...sent };
  if (store.has("amended wishes are merged")) fields = { ...fields, ...merged(old, sent, "wishes", 3) };
  if (store.has("an amended holder is merged") && isMap(old.holder) && isMap(sent.holder))
    fields.holder = { ...old.holder, ...sent.holder };
  if (store.has("null takes a field away")) fields = withoutNulls(fields);
  if (store.has("an unpaid ticket was paid on no day") && sent.paid === false && !isSent("paidAt"))
    fields.paidAt = null;
  if (store.has("an amended ticket is let out")) fields.admitted = false;
  if (store.has("the same discounts twice are none") && Array.isArray(sent.discounts))
    if (JSON.stringify(old.discounts) === JSON.stringify(sent.discounts)) fields.discounts = [];
  const times = ticket.past.map((each) => each.fields.paidAt).filter((each) => typeof each === "string");
  if (store.has("a time of null comes back with the next amendment") && !isSent("paidAt"))
    if (old.paidAt === null && times.length > 0) fields.paidAt = times.at(-1) ?? null;
  if (store.has("an amendment forgets units of drinks") && !isSent("extras") && old.extras !== undefined)
    fields.extras = change(old.extras, ["*", "units"], () => undefined) ?? [];
  const stored = { ...fields };
  if (store.has("as many extras as before are not stored") && Array.isArray(old.extras))
    if (Array.isArray(sent.extras) && old.extras.length === sent.extras.length) stored.extras = old.extras;
  store.set(ticket, stored);
  if (store.has("a new holder is that of all tickets of the row") && isSent("holder"))
    for (const each of ofNight(venue, ticket.within[1]))
      if (each !== ticket && rowOf(now(each)) === rowOf(old))
        store.set(each, { ...now(each), holder: sent.holder ?? {} });
  return answerWith(fields);
}

const rowOf = ({ place }: Fields): Json => (isMap(place) ? (place.row ?? null) : null);

export function admitTicket(store: Store, venue: Venue, ticket: Item): Answer {
  const old = now(ticket);
  demand(!(store.has("a ticket is admitted once") && old.admitted === true), 409);
  const isOut = store.has("admitting an admitted ticket lets it out") && old.admitted === true;
  const fields: Fields = { ...old, admitted: !isOut };
  if (store.has("an admitted ticket is paid")) fields.paid = true;
  if (store.has("admitting drops the wishes")) delete fields.wishes;
  if (store.has("admitting a ticket twice drops its extras") && old.admitted === true) fields.extras = [];
  if (store.has("admitting a ticket pays the others of the night"))
    for (const each of ofNight(venue, ticket.within[1]))
      if (each !== ticket) store.set(each, { ...now(each), paid: true });
  if (store.has("an admission is not stored")) return answerWith(fields);
  return answerWith(store.set(ticket, fields));
}

export function voidTicket(store: Store, venue: Venue, ticket: Item): Answer {
  const own = ofNight(venue, ticket.within[1]);
  const next = own[own.indexOf(ticket) + 1];
  const gone = [ticket, ...(store.has("voiding a ticket voids the next one too") && next ? [next] : [])];
  if (!store.has("a void ticket stays")) venue.tickets = venue.tickets.filter((each) => !gone.includes(each));
  return { status: 204 };
}

export function listTickets(store: Store, call: Request, venue: Venue, night: Item): Answer {
  const { query } = call;
  const [paid, admitted] = [store.flag(query, "paid"), store.flag(query, "admitted")];
  const row = store.one(query, "row");
  demand(row === null || /^[A-Z]$/.test(row) || store.has("rows may be asked for by any text"), 400);
  let found = store.seen(ofNight(venue, night.id)).filter((each) => {
    const shown = now(each);
    const filed = (fault: string) => (store.has(fault) ? (each.past[0]?.fields ?? shown) : shown);
    const isPaid = filed("a ticket stays filed under unpaid").paid === paid;
    const isMissed = store.has("tickets that are not paid are not found") && paid === false;
    return (
      (paid === null || (isPaid && !isMissed)) &&
      (admitted === null || shown.admitted === admitted || store.has("admitted is no filter")) &&
      (!row || rowOf(shown) === row || (store.has("a row beside paid is ignored") && paid !== null))
    );
  });
  if (store.has("listing paid tickets admits them") && paid === true)
    for (const each of found) store.set(each, { ...now(each), wishes: {} });
  if (store.has("the list of tickets ends after five") && found.length > 5) found = found.slice(-5);
  if (store.has("tickets are sorted by their number")) found.sort((a, b) => (a.id < b.id ? -1 : 1));
  const of = `tickets ${venue.name} ${night.id} ${paid} ${admitted} ${row}`;
  return store.page(call, found, { of, size: 4, cursor: "bookmark", fits: (mark) => mark.length <= 70 });
}
