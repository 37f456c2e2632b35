import { expect, test } from "vitest";
import { straysIn } from "../../history/values/tags.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, type HistoryBuilder, historyOfCodes } from "./builder.ts";

const name = `pc-${HEAD.runTag}-1`;
const found = ({ entries }: HistoryBuilder) =>
  straysIn(spec, HEAD, entries).spills.map(({ id, text }) => ({ id, text }));

test("finds a text that an update sent to one resource if another one shows it", () => {
  expect(found(historyOfCodes(spec).updates("c1", { name }, { name }).reads("c2", { name }))).toEqual([
    { id: "c2", text: name },
  ]);
});

test("finds no text that was sent to the other resource, too", () => {
  const past = historyOfCodes(spec)
    .updates("c2", { name }, { name })
    .updates("c1", { name }, { name })
    .reads("c2", { name });
  expect(found(past)).toEqual([]);
});

test("counts an update as one of both ids if its answer shows another id than its path", () => {
  expect(
    found(historyOfCodes(spec).updates("c1", { name }, { name, id: "c2" }).reads("c2", { name })),
  ).toEqual([]);
});

test("ignores texts without the run tag", () => {
  expect(
    found(historyOfCodes(spec).updates("c1", { name: "x" }, { name: "x" }).reads("c2", { name: "x" })),
  ).toEqual([]);
});

test("a record may embed another one with its texts, or name it beside them", () => {
  const updated = historyOfCodes(spec).updates("c1", { name }, { name });
  const part = { id: "c1", name };
  expect(found(updated.reads("c2", { name: "x", customerTarget: part }))).toEqual([]);
  expect(found(updated.reads("c2", { name: "x", metadata: { parentName: name }, ussdCode: "c1" }))).toEqual(
    [],
  );
  expect(found(updated.reads("c2", { name, customerTarget: part }))).toEqual([{ id: "c2", text: name }]);
});

test("a small number beside the text of a record need not name another record", () => {
  const past = historyOfCodes(spec).updates("1", { name }, { name }).reads("2", { name, progress: 1 });
  expect(found(past)).toEqual([{ id: "2", text: name }]);
});
