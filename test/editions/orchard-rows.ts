/** Answers requests about rows of groves, and about the trees in them. */

import { randomBytes } from "node:crypto";
import * as at from "./orchard-bodies.ts";
import { isCultivar } from "./orchard-facts.ts";
import type { Estate, Request, Store } from "./orchard-store.ts";
import { answerWith } from "./register.ts";
import { type Answer, demand, type Fields, type Item, isMap, type Json, merged, now } from "./serving.ts";

export function addRow(store: Store, call: Request, estate: Estate, grove: Item): Answer {
  return store.once(call, estate, (sent) => {
    store.quota();
    const row = store.has(NUMBERED_ANEW)
      ? numberIn(estate, [grove.id])
      : 41 + 2 * store.all("rows").length + (store.has("numbers of rows are large") ? 3e9 : 0);
    const unset: Fields = store.has("nullable fields are null if unset")
      ? { shaded: null, surveyed: null }
      : {};
    const empty: Fields = store.has("unset lists and maps are empty") ? { blocks: [], sensors: {} } : {};
    const made = store.add(estate, "rows", [grove.id], String(row), {
      ...{ row, grove: grove.id, ...unset, ...empty, ...sent },
      added: new Date().toISOString(),
    });
    const own = estate.rows.filter(({ within }) => within[0] === grove.id);
    if (store.has("a row resets the slope of its grove")) store.set(grove, { ...now(grove), slope: 0 });
    if (store.has("a fourth row takes the number of the first out") && own.length === 4)
      estate.rows = estate.rows.filter((each) => each !== own[0]);
    const before = own.at(-2);
    if (store.has("a new row takes the sensors of the one before") && before && before !== made) {
      const { sensors: _, ...rest } = now(before);
      store.set(before, rest);
    }
    return made;
  });
}

/** Ids are unique below their parents alone. */
const NUMBERED_ANEW = "rows and trees are numbered anew in each grove and row";

const isBelow =
  (row: Item) =>
  ({ within }: Item) =>
    within[0] === row.within[0] && within[1] === row.id;

const KEPT = ["row", "grove", "laid", "added"];

export function relayRow(store: Store, call: Request, estate: Estate, row: Item): Answer {
  const old = now(row);
  const sent = store.sent(call);
  const kept = Object.fromEntries(Object.entries(old).filter(([name]) => KEPT.includes(name)));
  if (store.has("a relaid row keeps what is not sent")) Object.assign(kept, old);
  if (store.has("a relaid row was laid today") && old.laid !== undefined)
    kept.laid = new Date().toISOString().slice(0, 10);
  if (store.has("a relaid row is another one")) kept.row = Number(old.row) + 1;
  const fields: Fields = { ...kept, ...sent };
  if (store.has("sensors of a relaid row are merged")) Object.assign(fields, merged(old, sent, "sensors", 3));
  if (
    store.has("blocks of a relaid row are added") &&
    Array.isArray(old.blocks) &&
    Array.isArray(sent.blocks)
  )
    fields.blocks = [...old.blocks, ...sent.blocks].slice(0, 4);
  const stored = { ...fields };
  if (store.has("a row that is relaid twice keeps its first sensors") && row.past.length > 2)
    if (row.past[1]?.fields.sensors !== undefined && sent.sensors !== undefined)
      stored.sensors = row.past[1].fields.sensors;
  if (store.has("a trellis of text stays once it is stored") && typeof old.trellis === "string")
    if (sent.trellis !== undefined) stored.trellis = old.trellis;
  store.set(row, stored);
  const own = estate.rows.filter(({ within }) => within[0] === row.within[0]);
  const next = own[own.indexOf(row) + 1];
  if (store.has("a relaid row turns the next one too") && next && sent.facing)
    store.set(next, { ...now(next), facing: sent.facing });
  const tree = estate.trees.find(isBelow(row));
  if (store.has("relaying a row drops the marks of its first tree") && tree)
    store.set(tree, { ...now(tree), marks: {} });
  return answerWith(fields);
}

export function listRows(store: Store, call: Request, estate: Estate, grove: Item): Answer {
  const { query } = call;
  const size = store.size(call, "size", [1, 20, 6]);
  const facing = store.among(query, "facing", at.FACING);
  const spacing = store.one(query, "spacing");
  demand(spacing === null || (/^\d+$/.test(spacing) && Number(spacing) >= 100), 400);
  const isWide = store.has("wider rows are found too");
  const isOfAll = store.has("a grove lists the rows of all groves");
  const found = store.seen(estate.rows).filter((each) => {
    const shown = now(each);
    return (
      (isOfAll || each.within[0] === grove.id) &&
      (!facing ||
        shown.facing === facing ||
        (store.has("a facing beside a spacing is ignored") && spacing)) &&
      (!spacing || (isWide ? Number(shown.spacing) >= Number(spacing) : shown.spacing === Number(spacing)))
    );
  });
  const [after, before] = ["after", "before"].map((name) => store.one(query, name) ?? null);
  const where = (id: string | null | undefined) => {
    const place = found.findIndex((each) => each.id === id);
    demand(place >= 0 || store.has("an unknown row as cursor lists all"), 400);
    return place;
  };
  const isBefore = before !== null && (after === null || store.has("before wins over after"));
  let page: Item[];
  let isMore = false;
  if (isBefore) {
    const place = where(before);
    const till = store.has("rows before a row include it") ? place + 1 : place;
    page = found.slice(Math.max(0, till - size), till);
    isMore = place >= 0;
  } else {
    const from = after === null ? 0 : where(after) + 1;
    page = found.slice(from, from + size);
    isMore = found.length > from + size;
  }
  const next = isMore && page.length > 0 ? (page.at(-1)?.id ?? null) : null;
  const total = store.has("the total of rows is that of all groves")
    ? store.all("rows").length
    : found.length;
  return { status: 200, body: { result: page.map(now), pagination: { count: page.length, next, total } } };
}

// ---- Trees ----

export function setTree(store: Store, call: Request, estate: Estate, grove: Item, row: Item): Answer {
  return store.once(call, estate, (sent) => {
    const isKnown = isCultivar(String(sent.cultivar));
    if (!isKnown && store.has("a refused tree is in the row"))
      newTree(store, estate, [grove.id, row.id], sent);
    demand(isKnown);
    store.quota();
    const tree = newTree(store, estate, [grove.id, row.id], sent);
    const own = estate.trees.filter(isBelow(row));
    if (store.has("a third tree of a row takes the grafts of the first") && own.length === 3 && own[0])
      store.set(tree, { ...now(tree), grafts: now(own[0]).grafts ?? [] });
    if (store.has("a tree empties the remark of its row")) store.set(row, { ...now(row), remark: "" });
    return tree;
  });
}

const counts = new WeakMap<Estate, Map<string, number>>();

/** Counts the resources below the same parents, with those that are gone. */
function numberIn(estate: Estate, within: string[]): number {
  const ofEstate = counts.get(estate) ?? new Map<string, number>();
  counts.set(estate, ofEstate);
  const number = (ofEstate.get(within.join()) ?? 0) + 1;
  ofEstate.set(within.join(), number);
  return number;
}

function newTree(store: Store, estate: Estate, within: string[], sent: Fields): Item {
  const tag = store.has(NUMBERED_ANEW)
    ? `T${numberIn(estate, within)}`
    : `T${randomBytes(4).toString("hex")}`;
  const unset: Fields = store.has("nullable fields are null if unset")
    ? { nickname: null, pruned: null }
    : {};
  const empty: Fields = store.has("unset lists and maps are empty") ? { marks: {} } : {};
  return store.add(estate, "trees", within, tag, {
    ...{ tag, row: Number(within[1]), ...unset, ...empty },
    ...{ dwarf: store.has("trees are dwarfs by default"), ...sent },
    set: new Date().toISOString(),
  });
}

export function tendTree(store: Store, call: Request, estate: Estate, tree: Item): Answer {
  const old = now(tree);
  const sent = store.sent(call);
  let fields: Fields = { ...old, ...sent };
  const isLost = (name: string) => sent[name] === undefined;
  if (store.has("changed marks are merged")) fields = { ...fields, ...merged(old, sent, "marks", 5) };
  if (store.has("null takes a field away"))
    fields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const nicknames = tree.past.map((each) => each.fields.nickname).filter((each) => typeof each === "string");
  if (store.has("a nickname of null comes back with the next care") && isLost("nickname"))
    if (old.nickname === null && nicknames.length > 0) fields.nickname = nicknames.at(-1) ?? null;
  if (store.has("a healed tree keeps its disease") && isMap(old.health) && isMap(sent.health))
    fields.health = { ...old.health, ...sent.health };
  if (store.has("the same girth twice is no girth") && sent.girth !== undefined && sent.girth === old.girth)
    delete fields.girth;
  if (store.has("care for a sick tree unsets the day of pruning") && isMap(old.health) && isLost("pruned"))
    if (old.health.state === "sick") fields.pruned = null;
  const stored = { ...fields };
  if (store.has("grafts in the same number are not stored") && !isLost("grafts"))
    if ((old.grafts as Json[]).length === (sent.grafts as Json[]).length) stored.grafts = old.grafts ?? [];
  store.set(tree, stored);
  if (store.has("care for a tree is for all of its cultivar in the row"))
    for (const each of estate.trees)
      if (each !== tree && each.within[1] === tree.within[1] && now(each).cultivar === old.cultivar)
        store.set(each, { ...now(each), ...sent });
  return answerWith(fields);
}

export function getTree(store: Store, tree: Item): Answer {
  if (store.has("a tree is read once after care as it was before") && tree.within[2] !== "read") {
    if (tree.past.length > 1) {
      tree.within[2] = "read";
      return answerWith(tree.past.at(-2)?.fields ?? {});
    }
  } else if (tree.past.length > 1) tree.within.splice(2);
  return answerWith(now(tree));
}

export function pullTree(store: Store, estate: Estate, tree: Item): Answer {
  if (!store.has("a pulled tree stays")) estate.trees = estate.trees.filter((each) => each !== tree);
  return { status: 204 };
}

export function listTrees(store: Store, call: Request, estate: Estate, row: Item): Answer {
  const { query } = call;
  const size = store.size(call, "limit", [1, 25, 5]);
  const [cultivar, girth] = ["cultivar", "girth"].map((name) => store.one(query, name) ?? null);
  const dwarf = store.among(query, "dwarf", ["true", "false"]);
  demand((cultivar ?? "").length <= 30, 400);
  const asked = Number(girth);
  demand(!girth || (girth.trim() !== "" && asked > 0) || store.has("a girth of zero may be asked for"), 400);
  const own = store.seen(estate.trees).filter(isBelow(row));
  const found = own.filter((each) => {
    const shown = now(each);
    const isMissed = dwarf === "false" && store.has("trees that are no dwarfs are not found");
    const isThick = store.has("a girth is compared in whole units")
      ? Math.floor(Number(shown.girth)) === Math.floor(asked)
      : shown.girth === asked;
    const isNamed = store.has("a cultivar is found by its beginning")
      ? String(shown.cultivar).startsWith((cultivar ?? "").slice(0, 2))
      : shown.cultivar === cultivar;
    return (
      (!cultivar || isNamed) &&
      (!dwarf || (shown.dwarf === (dwarf === "true") && !isMissed)) &&
      (!girth || isThick)
    );
  });
  if (store.has("listing dwarfs prunes them") && dwarf === "true")
    for (const each of found) store.set(each, { ...now(each), pruned: "2026-01-01" });
  const of = `trees ${estate.name} ${row.id} ${cultivar} ${dwarf} ${girth}`;
  const make = () => store.page(call, found, { of, size, cursor: "from", bounds: [0, 80] });
  if (store.has("trees of a row are listed once and for all") && own.length > 2)
    return store.cached(`${of} ${size} ${query.get("from")}`, make);
  return make();
}
