/** Answers requests about groves. */

import { randomBytes } from "node:crypto";
import { isDate } from "./body-rules.ts";
import * as at from "./orchard-bodies.ts";
import type { Estate, Request, Store } from "./orchard-store.ts";
import { answerWith } from "./register.ts";
import { type Answer, demand, type Fields, type Item, inUtc, isMap, merged, now } from "./serving.ts";

const without = (fields: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

export function newGrove(store: Store, estate: Estate, sent: Fields): Item {
  const hex = randomBytes(5).toString("hex");
  const id = store.has("ids of groves hold a colon and a tilde")
    ? `grove:${hex}~${store.all("groves").length}`
    : store.has("ids of groves are long and mixed")
      ? `${hex}-${hex.toUpperCase()}-${"q".repeat(40)}`
      : `gr-${hex}`;
  const made = new Date().toISOString();
  const unset: Fields = store.has("nullable fields are null if unset")
    ? { slope: null, inspected: null, keeper: null }
    : {};
  const empty: Fields = store.has("unset lists and maps are empty") ? { inputs: {} } : {};
  const organic = store.has("groves are organic by default");
  return store.add(estate, "groves", [], id, {
    ...{ id, phase: "growing", ...unset, ...empty, organic, ...sent },
    ...{ made, touched: made },
  });
}

export function plantGrove(store: Store, call: Request, estate: Estate): Answer {
  const taken = (sent: Fields) => estate.groves.find((each) => now(each).cadastre === sent.cadastre);
  return store.once(call, estate, (sent) => {
    const owner = sent.cadastre === undefined ? undefined : taken(sent);
    const isFreed = owner && store.has("felling frees the cadastre") && now(owner).phase === "felled";
    const isSpent = owner?.within[0] === "spent";
    if (owner && store.has("a refused duplicate frees the cadastre")) owner.within = ["spent"];
    demand(!owner || isFreed || isSpent, 409);
    store.quota();
    const before = estate.groves.at(-1);
    const grove = newGrove(store, estate, utc(store, sent));
    if (store.has("a new grove empties the inputs of the one before") && before)
      store.set(before, { ...now(before), inputs: {} });
    if (store.has("an estate has forty groves at most") && estate.groves.length > 40) estate.groves.shift();
    if (store.has("every fifth grove is stored without its keeper") && estate.groves.length % 5 === 0)
      store.set(grove, without(now(grove), "keeper"));
    return grove;
  });
}

function utc(store: Store, sent: Fields): Fields {
  if (store.has("times are shown in UTC") && sent.inspected !== undefined)
    return { ...sent, inspected: inUtc(sent.inspected) };
  const { keeper } = sent;
  if (store.has("domains of mail are in small letters") && isMap(keeper) && typeof keeper.mail === "string")
    return {
      ...sent,
      keeper: { ...keeper, mail: keeper.mail.replace(/@.*$/, (domain) => domain.toLowerCase()) },
    };
  return sent;
}

export function changeGrove(store: Store, call: Request, estate: Estate, grove: Item): Answer {
  const old = call.early?.old ?? now(grove);
  demand(!(store.has("a felled grove is frozen") && old.phase === "felled"), 409);
  let sent: Fields;
  try {
    sent = utc(store, store.sent(call));
  } catch (error) {
    if (store.has("a rejected change stores the label")) {
      const { label } = store.validPart(call);
      if (label !== undefined) store.set(grove, { ...old, label });
    }
    throw error;
  }
  if (store.has("a slope of null keeps the slope") && sent.slope === null) delete sent.slope;
  const moment = Math.max(Date.now(), Date.parse(String(old.made)));
  let fields: Fields = { ...old, ...sent, touched: new Date(moment).toISOString() };
  if (store.has("changed inputs are merged")) fields = { ...fields, ...merged(old, sent, "inputs", 4) };
  if (store.has("null takes a field away"))
    fields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const isLost = (name: string) => sent[name] === undefined;
  if (store.has("a slope of null empties the inspection") && sent.slope === null && isLost("inspected"))
    fields.inspected = null;
  if (store.has("a change of a felled grove lets it grow")) fields.phase = "growing";
  if (store.has("a change rounds the hectares") && isLost("hectares"))
    fields.hectares = Math.ceil(Number(old.hectares) * 10) / 10;
  if (store.has("a change was made before the grove") && grove.past.length > 1)
    fields.touched = "2019-04-01T00:00:00Z";
  if (store.has("a change of the water drops the keeper") && !isLost("water") && isLost("keeper"))
    delete fields.keeper;
  if (store.has("the third change undoes the second") && grove.past.length === 3) {
    const first = grove.past[1]?.fields ?? old;
    for (const name of ["label", "hectares", "water"]) if (isLost(name)) fields[name] = first[name] ?? null;
  }
  if (
    store.has("a corner that is sent again is doubled") &&
    !isLost("corners") &&
    Array.isArray(fields.corners)
  )
    if (JSON.stringify(old.corners) === JSON.stringify(fields.corners))
      fields.corners = [...fields.corners, ...fields.corners.slice(0, 1)].slice(0, 6);
  const stored = { ...fields };
  if (store.has("a change to the same number of inputs is not stored") && isMap(sent.inputs))
    if (isMap(old.inputs) && Object.keys(old.inputs).length === Object.keys(sent.inputs).length)
      stored.inputs = old.inputs;
  if (store.has("a second keeper is not stored") && isMap(old.keeper) && isMap(sent.keeper))
    stored.keeper = old.keeper;
  store.set(grove, stored);
  const same = estate.groves.find((each) => each !== grove && now(each).species === old.species);
  if (
    store.has("a change of corners is for the first grove of the species too") &&
    same &&
    !isLost("corners")
  )
    store.set(same, { ...now(same), corners: sent.corners ?? [] });
  return answerWith(fields);
}

export function fellGrove(store: Store, call: Request, estate: Estate, grove: Item): Answer {
  const old = now(grove);
  demand(!(store.has("a grove is felled once") && old.phase === "felled"), 409);
  const sent = store.sent(call);
  const felledOn: Fields = store.has("a grove is felled today by default")
    ? { felledOn: new Date().toISOString().slice(0, 10) }
    : {};
  const moment = Math.max(Date.now(), Date.parse(String(old.made)));
  const touched = new Date(moment).toISOString();
  const fields: Fields = { ...old, ...felledOn, ...sent, phase: "felled", touched };
  if (store.has("felling drops the keeper")) delete fields.keeper;
  if (store.has("felling turns rain into a river") && isMap(old.water) && old.water.source === "rain")
    fields.water = { source: "river", permit: "R0001", months: [1] };
  const before = estate.groves[estate.groves.indexOf(grove) - 1];
  if (store.has("felling changes the label of the grove before") && before)
    store.set(before, { ...now(before), label: "Felled as well" });
  const row = estate.rows.find(({ within }) => within[0] === grove.id);
  if (store.has("felling shades the rows") && row) store.set(row, { ...now(row), shaded: true });
  if (store.has("a felling is not stored")) return answerWith(fields);
  return answerWith(store.set(grove, fields));
}

export function getGrove(store: Store, grove: Item): Answer {
  const shown = now(grove);
  if (store.has("reading a grove wears its inputs out") && isMap(shown.inputs)) {
    const [first, ...rest] = Object.entries(shown.inputs);
    if (first) store.set(grove, { ...shown, inputs: Object.fromEntries(rest) });
  }
  if (store.has("a grove is read as it was before its last change") && grove.past.length > 2)
    return answerWith(grove.past.at(-2)?.fields ?? {});
  return answerWith(shown);
}

export function listGroves(store: Store, call: Request, estate: Estate): Answer {
  const { query } = call;
  const size = store.size(call, "limit", [1, 30, 12]);
  const species = store.among(query, "species", at.SPECIES);
  const organic = store.among(query, "organic", ["true", "false"]);
  const phase = store.has("any phase may be asked for")
    ? store.one(query, "phase")
    : store.among(query, "phase", ["growing", "felled"]);
  const [planted, since] = ["planted", "planted_since"].map((name) => store.one(query, name) ?? null);
  for (const day of [planted, since]) demand(day === null || isDate(String(day)), 400);
  let found = [...store.seen(estate.groves)].reverse();
  if (store.has("groves are sorted by label"))
    found.sort((a, b) => (`${now(a).label} ${a.id}` < `${now(b).label} ${b.id}` ? -1 : 1));
  if (store.has("the oldest groves come first")) found.reverse();
  if (store.has("8 lists no felled groves") && call.headers["api-level"] === "8")
    found = found.filter((each) => now(each).phase !== "felled");
  if (store.has("felled groves are listed apart") && phase === null)
    found = found.filter((each) => now(each).phase !== "felled");
  found = found.filter((each) => {
    const shown = now(each);
    const filed = (fault: string) => (store.has(fault) ? (each.past[0]?.fields ?? shown) : shown);
    const isOrganic = filed("a grove stays filed under its first organic").organic === (organic === "true");
    const isPlanted = store.has("groves of the same year are found too")
      ? String(shown.planted).slice(0, 4) === planted?.slice(0, 4)
      : shown.planted === planted;
    return (
      (!species || shown.species === species || store.has("the species is no filter")) &&
      (!organic || isOrganic) &&
      (!phase || filed("a felled grove is filed under growing").phase === phase) &&
      (!planted || isPlanted) &&
      (!since || String(shown.planted ?? "") >= since)
    );
  });
  const isForgetful = store.has("a cursor of groves forgets the filter");
  const filters = isForgetful ? "" : [species, organic, phase, planted, since].join(" ");
  if (isForgetful && query.has("cursor")) found = [...store.seen(estate.groves)].reverse();
  const of = `groves ${estate.name} ${filters}`;
  const make = () => store.page(call, found, { of, size, cursor: "cursor", bounds: [0, 120] });
  if (store.has("groves under a filter are listed once and for all") && organic !== null)
    return store.cached(`${of} ${size} ${query.get("cursor")}`, make);
  return make();
}
