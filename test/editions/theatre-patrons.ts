/** Answers requests about patrons. */

import { isDate, isMail } from "./body-rules.ts";
import { answerWith } from "./register.ts";
import { type Answer, demand, type Fields, type Item, isMap, merged, now } from "./serving.ts";
import { withoutNulls } from "./theatre-plays.ts";
import type { Request, Store, Venue } from "./theatre-store.ts";

export function newPatron(store: Store, venue: Venue, sent: Fields): Item {
  const base = store.has("numbers of patrons are large") ? 4e12 : 100;
  const number = base + 3 * store.all("patrons").length;
  const unset: Fields = store.has("nullable fields are null if unset") ? { mail: null, born: null } : {};
  const empty: Fields = store.has("unset lists and maps are empty") ? { addresses: [], gifts: {} } : {};
  const joined = new Date().toISOString();
  return store.add(venue, "patrons", [], String(number), { number, ...unset, ...empty, ...sent, joined });
}

/** Returns true if a patron has the nick, or, with a fault, if one had it. */
function isTaken(store: Store, venue: Venue, nick: unknown, but?: Item): boolean {
  return venue.patrons.some((each) => {
    if (each === but) return false;
    const names = each.past.map(({ fields }) => fields.nick);
    if (store.has("a nick that was given up stays taken")) return names.includes(nick as string);
    if (store.has("the nick of a corrected patron is free") && each.past.length > 1) return false;
    if (store.has("a new nick is not reserved")) return names[0] === nick;
    return now(each).nick === nick;
  });
}

export function enrolPatron(store: Store, call: Request, venue: Venue): Answer {
  return store.once(call, venue, (sent) => {
    demand(!isTaken(store, venue, sent.nick), 409);
    store.quota();
    const before = venue.patrons.at(-1);
    const patron = newPatron(store, venue, sent);
    if (store.has("a new patron makes the one before a friend") && before)
      store.set(before, { ...now(before), level: "friend" });
    if (store.has("every fifth patron is stored without gifts") && venue.patrons.length % 5 === 0)
      store.set(patron, { ...now(patron), gifts: {} });
    return patron;
  });
}

/** Patrons whose last new nick was rejected. */
const misnamed = new WeakSet<Item>();

export function correctPatron(store: Store, call: Request, venue: Venue, patron: Item): Answer {
  const old = now(patron);
  const isLocked = misnamed.has(patron) && store.has("a rejected nick locks the patron");
  demand(!isLocked, 409);
  const sent = store.sent(call);
  const isSent = (name: string) => sent[name] !== undefined;
  let fields: Fields = { ...old, ...sent };
  if (store.has("corrected gifts are merged")) fields = { ...fields, ...merged(old, sent, "gifts", 3) };
  if (store.has("null takes a field away")) fields = withoutNulls(fields);
  if (store.has("a level of donor empties the addresses") && sent.level === "donor" && !isSent("addresses"))
    fields.addresses = [];
  if (store.has("a new name drops the day of birth") && isSent("name") && !isSent("born")) delete fields.born;
  if (store.has("a corrected patron joins anew") && patron.past.length > 1)
    fields.joined = new Date().toISOString();
  if (store.has("a mail of null takes the gifts along") && sent.mail === null && !isSent("gifts"))
    fields.gifts = {};
  const stored = { ...fields };
  if (store.has("addresses in the same number are not stored") && Array.isArray(old.addresses))
    if (Array.isArray(sent.addresses) && old.addresses.length === sent.addresses.length)
      stored.addresses = old.addresses;
  if (store.has("gifts of a known year are not stored") && isMap(old.gifts) && isMap(sent.gifts)) {
    const before = old.gifts;
    stored.gifts = Object.fromEntries(
      Object.entries(sent.gifts).map(([year, gift]) => [year, before[year] ?? gift]),
    );
  }
  store.set(patron, stored);
  if (store.has("a patron is gone after the third correction") && patron.past.length > 3)
    venue.patrons = venue.patrons.filter((each) => each !== patron);
  if (store.has("patrons of a level are corrected together") && isSent("born"))
    for (const each of venue.patrons)
      if (now(each).level === old.level && each !== patron)
        store.set(each, { ...now(each), born: sent.born ?? null });
  return answerWith(fields);
}

export function renamePatron(store: Store, call: Request, venue: Venue, patron: Item): Answer {
  const old = now(patron);
  misnamed.add(patron);
  const sent = store.sent(call);
  misnamed.delete(patron);
  const isFree = store.has("a patron may take the nick of another one");
  demand(isFree || !isTaken(store, venue, sent.nick, patron), 409);
  const fields: Fields = { ...old, ...sent };
  if (store.has("a renamed patron is a guest")) fields.level = "guest";
  const isSecond = store.has("a second nick is not stored") && patron.past.length > 1;
  store.set(patron, isSecond ? old : fields);
  return answerWith(fields);
}

export function listPatrons(store: Store, call: Request, venue: Venue): Answer {
  const { query } = call;
  const size = store.size(call, "take", [1, 15, 1, 6]);
  const level = store.among(query, "level", ["guest", "friend", "donor"]);
  const mail = store.one(query, "mail");
  const born = store.one(query, "born");
  demand(mail === null || isMail(String(mail)) || store.has("patrons may be asked for by any text"), 400);
  demand(born === null || isDate(String(born)), 400);
  const domain = (address: unknown) => String(address).split("@").at(-1);
  let found = store.seen(venue.patrons).filter((each) => {
    const shown = now(each);
    const isAt = store.has("patrons with a mail of the same domain are found too")
      ? domain(shown.mail) === domain(mail)
      : shown.mail === mail;
    const isEvery = store.has("a level beside a day of birth is ignored") && born !== null;
    const isBorn = store.has("patrons of the same year of birth are found too")
      ? String(shown.born).slice(0, 4) === born?.slice(0, 4)
      : shown.born === born;
    return (!mail || isAt) && (!level || shown.level === level || isEvery) && (!born || isBorn);
  });
  if (store.has("the list of patrons ends after nine")) found = found.slice(0, 9);
  if (store.has("the newest patrons come first")) found.reverse();
  const of = `patrons ${venue.name} ${mail} ${level} ${born}`;
  const fits = (chapter: string) => /^[0-9a-f]{12}$/.test(chapter) || store.has("a chapter is any text");
  return store.page(call, found, { of, size, cursor: "chapter", fits });
}
