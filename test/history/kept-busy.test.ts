import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isKeptBusy } from "../../history/journal/updates-seen.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { HistoryBuilder } from "./builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
const PATRON = "/stage/patrons/{number}";

/** Returns whether a rejected update of patron 1 was kept busy by a nick that patron `id` got meanwhile. */
function isBusyBeside(id: string): boolean {
  const corrects = (past: HistoryBuilder) =>
    past.answers(`PATCH ${PATRON}`, {}, { path: "1", sent: { name: "a" }, status: 409 });
  const past = corrects(new HistoryBuilder(theatre));
  corrects(past.answers(`PUT ${PATRON}/nick`, { result: {} }, { path: id, sent: { nick: "abcd" } }));
  const [first, , last] = past.entries;
  return last !== undefined && isKeptBusy(past.entries, { ...last, repeats: first?.index ?? 0 });
}

test("an update is kept busy by another operation that updates the same resource", () => {
  expect(isBusyBeside("1")).toBe(true);
  expect(isBusyBeside("2")).toBe(false);
});
