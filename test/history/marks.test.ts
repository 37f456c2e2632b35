import { expect, test } from "vitest";
import { straysIn } from "../../history/marks.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, type HistoryBuilder, historyOfCodes } from "./builder.ts";

const name = `pc-${HEAD.runTag}-1`;
const found = ({ entries }: HistoryBuilder) =>
  straysIn(spec, HEAD, entries).spills.map(({ id, text }) => ({ id, text }));

test("a text that an update sent to one resource spills if another one shows it", () => {
  expect(found(historyOfCodes(spec).updates("c1", { name }, { name }).reads("c2", { name }))).toEqual([
    { id: "c2", text: name },
  ]);
});

test("a text that was sent to the other resource too does not spill", () => {
  const past = historyOfCodes(spec)
    .updates("c2", { name }, { name })
    .updates("c1", { name }, { name })
    .reads("c2", { name });
  expect(found(past)).toEqual([]);
});

test("an update whose answer shows another id than its path is for both", () => {
  expect(
    found(historyOfCodes(spec).updates("c1", { name }, { name, id: "c2" }).reads("c2", { name })),
  ).toEqual([]);
});

test("texts without the tag of the run are nobody's", () => {
  expect(
    found(historyOfCodes(spec).updates("c1", { name: "x" }, { name: "x" }).reads("c2", { name: "x" })),
  ).toEqual([]);
});
