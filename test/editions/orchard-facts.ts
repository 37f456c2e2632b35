/** Answers requests about cultivars and frosts, which belong to no estate. */

import { isDate } from "./body-rules.ts";
import * as at from "./orchard-bodies.ts";
import type { Request, Store } from "./orchard-store.ts";
import { answerWith } from "./register.ts";
import { type Answer, demand, type Fields } from "./serving.ts";

const CULTIVARS: readonly Fields[] = [
  { slug: "grey-pippin", name: "Grey Pippin", species: "apple", early: false, year: 1688 },
  { slug: "red-pippin", name: "Red Pippin", species: "apple", early: false, year: 1790 },
  { slug: "summer-queen", name: "Summer Queen", species: "apple", early: true, year: null },
  { slug: "lake-pear", name: "Lake Pear", species: "pear", early: false, year: 1812 },
  { slug: "honey-pear", name: "Honey Pear", species: "pear", early: true, year: 1905 },
  { slug: "blue-drop", name: "Blue Drop", species: "plum", early: true, year: 1650 },
  { slug: "black-heart", name: "Black Heart", species: "cherry", early: false, year: 1933 },
  { slug: "white-heart", name: "White Heart", species: "cherry", early: true, year: 1951 },
];

export const isCultivar = (slug: string) => CULTIVARS.some((each) => each.slug === slug);

export function listCultivars(store: Store, call: Request): Answer {
  const species = store.among(call.query, "species", at.SPECIES);
  demand(species !== null || store.has("cultivars of no species are listed"), 400);
  const early = store.among(call.query, "early", ["true", "false"]);
  const result = CULTIVARS.filter(
    (each) =>
      (!species || each.species === species) &&
      (!early ||
        each.early === (early === "true") ||
        (store.has("early finds all cherries") && species === "cherry")),
  );
  return { status: 200, body: { result: [...result], pagination: { count: result.length, next: null } } };
}

export function getCultivar(store: Store, [slug = ""]: string[]): Answer {
  const wanted = store.has("a cultivar is read in any casing") ? slug.toLowerCase() : slug;
  const found = CULTIVARS.find((each) => each.slug === wanted);
  const begun = CULTIVARS.find(
    (each) => store.has("a cultivar is read by its beginning") && slug.startsWith(String(each.slug)),
  );
  const cultivar = found ?? begun;
  demand(cultivar !== undefined, 404);
  const early = store.has("a read cultivar is late") ? false : (cultivar.early ?? false);
  const pollinators = CULTIVARS.filter((each) => each.species === cultivar.species && each !== cultivar);
  return answerWith({
    ...{ slug: cultivar.slug ?? "", title: cultivar.name ?? "", early },
    origin: { species: cultivar.species ?? "", year: cultivar.year ?? null },
    pollinators: pollinators.map((each) => each.slug ?? ""),
  });
}

const DAY = 86_400_000;

export function listFrosts(store: Store, call: Request): Answer {
  const [since, until, below] = ["since", "until", "below"].map((name) => store.one(call.query, name));
  demand(since !== null || store.has("frosts since no day are listed"), 400);
  demand(until !== null, 400);
  const isLoose = store.has("frosts until any text are listed");
  demand((since === null || isDate(String(since))) && (isDate(String(until)) || isLoose), 400);
  const least = Number(below ?? 0);
  const isBound = below === null || (/^-?\d+$/.test(String(below)) && least >= -30 && least <= 0);
  demand(isBound || store.has("frosts below any bound are listed"), 400);
  const first = Date.parse(`${since ?? "2026-01-01"}T00:00:00Z`);
  const last = isDate(String(until)) ? Date.parse(`${until}T00:00:00Z`) : first;
  const result: Fields[] = [];
  for (let time = first; time <= last && result.length < 40; time += DAY) {
    const low = -((time / DAY) % 7) - 0.5;
    const day = new Date(time).toISOString().slice(0, 10);
    if (low <= least) result.push({ day, low, at: `${day}T04:00:00Z` });
  }
  return { status: 200, body: { result, pagination: { count: result.length, next: null } } };
}
