/** A service may number the resources of each space on their own, so two of them have the same id. */

import { describe, expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const OTHER = "spc-other";
const head = { ...HEAD, spaces: [...HEAD.spaces, OTHER] };
const there = { space: OTHER };
const text = (name: string) => `${HEAD.runTag}-1 ${name}`;
const journalOf = (past: HistoryBuilder) => new History(spec, head, past.entries).journal;
const wrong = (past: HistoryBuilder) => journalOf(past).sightings.filter(({ fits }) => !fits);

describe("two resources with one id, in two spaces,", () => {
  const past = () =>
    new HistoryBuilder(spec)
      .creates("1", { name: text("here"), isActive: false }, { key: "k1" })
      .creates("1", { name: text("there"), isActive: false }, { key: "k2", ...there });

  test("are both followed", () => {
    const updated = past()
      .updates("1", { name: text("new") }, { name: text("new"), isActive: false }, there)
      .waits(2_000)
      .lists([{ id: "1", name: text("here"), isActive: false }]);
    expect(wrong(updated.lists([{ id: "1", name: text("new"), isActive: false }], there))).toEqual([]);
    updated.waits(2_000).lists([{ id: "1", name: text("there"), isActive: false }], there);
    expect(wrong(updated)).toMatchObject([{ field: "name", standing: "proven" }]);
  });

  test("are no proof against each other: an accepted update of one is no rejected one of the other", () => {
    const updated = past()
      .lists([{ id: "1", name: text("here"), isActive: false }])
      .updates("1", { isActive: true }, { name: text("there"), isActive: true }, there)
      .lists([{ id: "1", name: text("here"), isActive: false }]);
    const duties = journalOf(updated).sightings.filter(({ by }) => by.space === HEAD.spaces[0]);
    expect(duties.map(({ duty }) => duty)).not.toContain("no-effect");
  });
});

test("an update that names another space than that of its resource must change nothing", () => {
  const past = new HistoryBuilder(spec)
    .creates("1", { name: text("here"), isActive: false }, { key: "k1" })
    .lists([{ id: "1", name: text("here"), isActive: false }])
    .updates("1", { name: text("new") }, { name: text("new"), isActive: false }, there)
    .waits(2_000)
    .lists([{ id: "1", name: text("new"), isActive: false }]);
  expect(wrong(past)).toMatchObject([{ field: "name", duty: "no-effect", standing: "proven" }]);
});

test("a create in another space that replays a key makes no resource there", () => {
  const past = new HistoryBuilder(spec)
    .creates("1", { name: text("here"), isActive: false }, { key: "k1" })
    .creates("1", { name: text("here"), isActive: false }, { key: "k1", ...there });
  expect(journalOf(past).resources).toHaveLength(1);
});

test("in recorded traffic, each space may have a resource with the updated id", () => {
  const past = new HistoryBuilder(spec)
    .updates("1", { name: text("here") }, { name: text("here"), isActive: false })
    .updates("1", { isActive: true }, { name: text("there"), isActive: true }, there)
    .lists([{ id: "1", name: text("here"), isActive: false }])
    .lists([{ id: "1", name: text("there"), isActive: true }], there);
  const { journal } = new History(spec, { ...head, runTag: null }, past.entries);
  expect(journal.resources).toHaveLength(2);
  expect(journal.sightings.map(({ duty }) => duty)).not.toContain("no-effect");
  expect(journal.sightings.every(({ fits }) => fits)).toBe(true);
});

test("the second space need not accept the first token if it has a token of its own", () => {
  const tokenOf = (number: number) => ({ kind: "token" as const, token: `token ${number}` });
  const kinds = (...tokens: number[]) => {
    const past = new HistoryBuilder(spec);
    for (const number of tokens) past.lists([], { ...there, credential: tokenOf(number) });
    const { answers } = new History(spec, head, past.entries);
    return past.entries.map((entry) => answers.classification(entry).kind);
  };
  expect(kinds(1)).toEqual(["valid"]);
  expect(kinds(2, 1)).toEqual(["valid", "doubtful"]);
});
