/** Answers requests about plays. */

import { randomUUID } from "node:crypto";
import { isDate } from "./body-rules.ts";
import { answerWith } from "./register.ts";
import { type Answer, demand, type Fields, type Item, isMap, merged, now } from "./serving.ts";
import { isGenre } from "./theatre-facts.ts";
import type { Request, Store, Venue } from "./theatre-store.ts";

const without = (fields: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

export const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Returns the time now, but no earlier one than `earliest`. */
const moment = (earliest: unknown) =>
  new Date(Math.max(Date.now(), Date.parse(String(earliest)))).toISOString();

export function newPlay(store: Store, venue: Venue, sent: Fields): Item {
  const uuid = randomUUID();
  const id = store.has("ids of plays are in capitals") ? uuid.toUpperCase() : uuid;
  const staged = new Date().toISOString();
  const unset: Fields = store.has("nullable fields are null if unset")
    ? { opens: null, site: null, contact: null }
    : {};
  const empty: Fields = store.has("unset lists and maps are empty") ? { cast: {} } : {};
  const plain: Fields = {
    rating: store.has("plays are for everyone by default") ? 0 : 12,
    matinee: !store.has("plays have no matinee by default"),
    language: store.has("plays are English by default") ? "en" : "de",
  };
  return store.add(venue, "plays", [], id, {
    ...{ id, phase: "running", ...unset, ...empty, ...plain, ...sent, staged, edited: staged },
  });
}

export function stagePlay(store: Store, call: Request, venue: Venue): Answer {
  return store.once(call, venue, (sent) => {
    demand(isGenre(String(sent.genre)));
    const owner = venue.plays.find(
      (each) => sent.register !== undefined && now(each).register === sent.register,
    );
    const isFreed = owner && store.has("closing frees the register") && now(owner).phase === "closed";
    const isRevised = owner && store.has("a revision frees the register") && owner.past.length > 1;
    const isSpent = owner?.within[0] === "spent";
    if (owner && store.has("a refused duplicate frees the register")) owner.within = ["spent"];
    demand(!owner || isFreed || isRevised || isSpent, 409);
    store.quota();
    const before = venue.plays.at(-1);
    const play = newPlay(store, venue, sent);
    if (store.has("a new play takes the site of the one before") && before)
      store.set(before, without(now(before), "site"));
    if (store.has("every sixth play is stored without authors") && venue.plays.length % 6 === 0)
      store.set(play, without(now(play), "authors"));
    if (store.has("a house has thirty plays at most") && venue.plays.length > 30) venue.plays.shift();
    return play;
  });
}

export function revisePlay(store: Store, call: Request, venue: Venue, play: Item): Answer {
  const old = call.early?.old ?? now(play);
  demand(!(store.has("a closed play is frozen") && old.phase === "closed"), 409);
  let sent: Fields;
  try {
    sent = store.sent(call);
  } catch (error) {
    const { minutes } = store.validPart(call);
    if (store.has("a rejected revision stores the minutes") && minutes !== undefined)
      store.set(play, { ...old, minutes });
    throw error;
  }
  const isSent = (name: string) => sent[name] !== undefined;
  let fields: Fields = { ...old, ...sent, edited: moment(old.staged) };
  if (store.has("a revised cast is merged")) fields = { ...fields, ...merged(old, sent, "cast", 4) };
  if (store.has("a revised contact is merged") && isMap(old.contact) && isMap(sent.contact))
    fields.contact = { ...old.contact, ...sent.contact };
  if (store.has("null takes a field away")) fields = withoutNulls(fields);
  if (store.has("a revision of the staging drops the contact") && isSent("staging") && !isSent("contact"))
    delete fields.contact;
  if (store.has("a revision of a closed play lets it run")) fields.phase = "running";
  if (store.has("opening on no day empties the site") && sent.opens === null && !isSent("site"))
    fields.site = null;
  if (store.has("a revised matinee resets the rating") && isSent("matinee") && !isSent("rating"))
    fields.rating = 12;
  if (store.has("the third revision undoes the second") && play.past.length === 3)
    for (const name of ["title", "minutes", "staging"])
      if (!isSent(name)) fields[name] = play.past[1]?.fields[name] ?? null;
  if (
    store.has("a revision rounds the shares of authors") &&
    Array.isArray(fields.authors) &&
    !isSent("authors")
  )
    fields.authors = fields.authors.map((each) =>
      isMap(each) && each.share !== undefined ? { ...each, share: 1 } : each,
    );
  if (store.has("a revision was made before the staging") && play.past.length > 1)
    fields.edited = "2018-03-01T00:00:00Z";
  const { form } = isMap(old.staging) ? old.staging : {};
  if (store.has("a restaged play keeps the old sectors") && isMap(old.staging) && isMap(sent.staging))
    if (old.staging.sectors !== undefined && form === sent.staging.form)
      fields.staging = { ...sent.staging, sectors: old.staging.sectors };
  const stored = { ...fields };
  if (store.has("as many acts as before are not stored") && isSent("acts"))
    if ((old.acts as []).length === (sent.acts as []).length) stored.acts = old.acts ?? [];
  if (store.has("a second contact is not stored") && isMap(old.contact) && isMap(sent.contact))
    stored.contact = old.contact;
  if (store.has("a cast is emptied by its second revision") && play.past.length > 2 && isSent("cast"))
    stored.cast = {};
  store.set(play, stored);
  const other = venue.plays.find((each) => each !== play && now(each).genre === old.genre);
  if (store.has("a revision of the acts is for another play of the genre too") && other && isSent("acts"))
    store.set(other, { ...now(other), acts: sent.acts ?? [] });
  return answerWith(fields);
}

export function closePlay(store: Store, call: Request, venue: Venue, play: Item): Answer {
  const old = now(play);
  demand(!(store.has("a play is closed once") && old.phase === "closed"), 409);
  const sent = store.sent(call);
  const plain: Fields = store.has("a closing has no reason by default") ? {} : { why: "end" };
  const fields: Fields = { ...old, ...plain, ...sent, phase: "closed", edited: moment(old.staged) };
  if (store.has("closing drops the cast")) delete fields.cast;
  if (store.has("closing cuts the acts after the first") && Array.isArray(fields.acts))
    fields.acts = fields.acts.slice(0, 1);
  if (store.has("closing a revised play brings its first title back"))
    fields.title = play.past[0]?.fields.title ?? null;
  if (store.has("a second closing keeps the first day") && old.closedOn !== undefined)
    fields.closedOn = old.closedOn;
  const before = venue.plays[venue.plays.indexOf(play) - 1];
  if (store.has("closing gives the play before its title") && before)
    store.set(before, { ...now(before), title: old.title ?? "" });
  if (store.has("closing raises the price of the nights"))
    for (const night of venue.nights.filter(({ within }) => within[0] === play.id))
      store.set(night, { ...now(night), price: 900 });
  if (store.has("closing turns premieres of the play into other nights"))
    for (const night of venue.nights.filter(({ within }) => within[0] === play.id))
      store.set(night, { ...now(night), premiere: !now(night).premiere });
  if (store.has("closing takes the nights away"))
    venue.nights = venue.nights.filter(({ within }) => within[0] !== play.id);
  if (store.has("a closing is not stored")) return answerWith(fields);
  return answerWith(store.set(play, fields));
}

export function getPlay(store: Store, play: Item): Answer {
  const shown = now(play);
  if (store.has("looking at a play wears a role out") && isMap(shown.cast)) {
    const [first, ...rest] = Object.entries(shown.cast);
    if (first) store.set(play, { ...shown, cast: Object.fromEntries(rest) });
  }
  if (store.has("a play is read as it was before its last revision") && play.past.length > 2)
    return answerWith(play.past.at(-2)?.fields ?? {});
  return answerWith(shown);
}

export function listPlays(store: Store, call: Request, venue: Venue): Answer {
  const { query } = call;
  const size = store.size(call, "show", [3, 24, 1, 9]);
  const matinee = store.flag(query, "matinee");
  const phase = store.among(query, "phase", ["running", "closed"]);
  const order = store.has("plays have any order")
    ? store.one(query, "order")
    : store.among(query, "order", ["newest", "title"]);
  const genre = store.one(query, "genre");
  const minutes = store.one(query, "minutes");
  const opens = store.one(query, "opens");
  const long = Number(minutes);
  const isMinutes = minutes === null || (/^\d+$/.test(minutes) && long >= 10 && long <= 400);
  demand(isMinutes || store.has("plays of any length may be asked for"), 400);
  demand(opens === null || isDate(String(opens)), 400);
  demand((genre ?? "").length <= 20, 400);
  let found = [...store.seen(venue.plays)].reverse();
  if (store.has("plays are listed by id")) found.sort((a, b) => (a.id < b.id ? -1 : 1));
  if (order === "title")
    found.sort((a, b) => (`${now(a).title} ${a.id}` < `${now(b).title} ${b.id}` ? -1 : 1));
  found = found.filter((each) => {
    const shown = now(each);
    const filed = (fault: string) => (store.has(fault) ? (each.past[0]?.fields ?? shown) : shown);
    const isLong = store.has("longer plays are found too")
      ? Number(shown.minutes) >= long
      : filed("a play stays filed under its first length").minutes === long;
    const isSkipped = store.has("a day beside a genre is ignored") && genre !== null;
    const isLost =
      (store.has("closed plays are not found by their genre") && genre && shown.phase === "closed") ||
      (store.has("revised plays are listed apart") && each.past.length > 3);
    return (
      (!genre || shown.genre === genre || store.has("the genre is no filter")) &&
      (matinee === null || shown.matinee === matinee) &&
      (!minutes || isLong) &&
      (!opens || shown.opens === opens || isSkipped) &&
      (!phase || filed("a closed play is filed under running").phase === phase) &&
      !isLost
    );
  });
  const isForgetful = store.has("a leaf forgets the filters");
  const filters = isForgetful ? "" : [genre, matinee, minutes, opens, phase].join(" ");
  if (isForgetful && query.has("leaf")) found = [...store.seen(venue.plays)].reverse();
  const of = `plays ${venue.name} ${filters} ${order ?? "newest"}`;
  const fits = (leaf: string) =>
    leaf.length >= 6 && (leaf.length <= 50 || store.has("a leaf that is too long is the beginning"));
  const isRefused = store.has("a leaf beside a matinee is refused") && matinee !== null && query.has("leaf");
  demand(!isRefused, 400);
  const make = () => store.page(call, found, { of, size, cursor: "leaf", fits });
  if (store.has("plays with a matinee are listed once and for all") && matinee !== null)
    return store.cached(`${of} ${size} ${query.get("leaf")}`, make);
  return make();
}
