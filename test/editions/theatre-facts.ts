/** Answers requests about genres, holidays and reviews, which belong to no playhouse. */

import { answerWith } from "./register.ts";
import { type Answer, demand, type Fields, now } from "./serving.ts";
import type { Request, Store } from "./theatre-store.ts";

const GENRES: readonly Fields[] = [
  { genre: "tragedy", title: "Tragödie", sung: false, since: -472 },
  { genre: "comedy", title: "Komödie", sung: false, since: -425 },
  { genre: "opera", title: "Oper", sung: true, since: 1597 },
  { genre: "operetta", title: "Operette", sung: true, since: 1858 },
  { genre: "revue", title: "Revue", sung: true, since: null },
  { genre: "farce", title: "Schwank", sung: false, since: 1420 },
];

export const isGenre = (genre: string) => GENRES.some((each) => each.genre === genre);

const listed = (result: Fields[]): Answer => ({
  status: 200,
  body: { result, pagination: { count: result.length, next: null } },
});

export function listGenres(store: Store, call: Request): Answer {
  const sung = store.flag(call.query, "sung");
  const isLoose = store.has("sung finds operettas either way");
  return listed(
    GENRES.filter((each) => sung === null || each.sung === sung || (isLoose && each.genre === "operetta")),
  );
}

export function getGenre(store: Store, [asked = ""]: string[]): Answer {
  const begun = store.has("a genre is read by its beginning")
    ? GENRES.find((each) => asked.startsWith(String(each.genre)))
    : undefined;
  const wanted = store.has("a genre is read in any casing") ? asked.toLowerCase() : asked;
  const genre = GENRES.find((each) => each.genre === wanted) ?? begun;
  demand(genre !== undefined, 404);
  const since = store.has("a read genre is as old as the others") ? 1600 : (genre.since ?? null);
  return answerWith({
    ...{ genre: genre.genre ?? "", label: { de: genre.title ?? "", en: String(genre.genre) } },
    traits: { sung: genre.sung ?? false, since },
  });
}

const REGIONS = ["north", "south"];

export function listHolidays(store: Store, call: Request): Answer {
  const { query } = call;
  const asked = store.one(query, "year");
  demand(asked !== null || store.has("holidays of no year are listed"), 400);
  const year = Number(asked ?? 2026);
  const isYear = Number.isInteger(year) && year >= 1990 && year <= 2100 && asked !== "";
  demand(isYear || store.has("holidays of any year are listed"), 400);
  const region = store.among(query, "region", REGIONS);
  demand(region !== null, 400);
  const school = store.flag(query, "school");
  const all: Fields[] = REGIONS.flatMap((each, n) => [
    { day: `${year}-01-01`, title: "New year", region: each, school: false },
    { day: `${year}-0${n + 5}-01`, title: "Spring", region: each, school: true },
    { day: `${year}-12-2${n + 4}`, title: "Winter", region: each, school: n === 0 },
  ]);
  return listed(
    all.filter(
      (each) =>
        (each.region === region ||
          (store.has("holidays of both regions are listed") && each.school === true)) &&
        (school === null || each.school === school || store.has("school is no filter")),
    ),
  );
}

/** The specification names the list of reviews, and shows nothing else of it. */
export function listReviews(store: Store): Answer {
  const result: Fields[] = store
    .all("plays")
    .slice(0, 2)
    .map((each, n) => ({ id: n + 1, of: now(each).title ?? "", stars: 4 }));
  const count = store.has("reviews are counted from zero") ? result.length - 1 : result.length;
  return { status: 200, body: { result, pagination: { count, next: null } } };
}
