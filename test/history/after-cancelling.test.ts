import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, historyOfCodes } from "./builder.ts";

test("a cancelled code still exists for reads, and what updates of it do is open", () => {
  const past = historyOfCodes(spec)
    .reads("c1", { name: "a", status: "pending" })
    .updates("c1", { status: "cancelled" })
    .reads("c1", { name: "a", status: "cancelled" })
    .updates("c1", { name: "b" });
  const { answers } = new History(spec, HEAD, past.entries);
  expect(past.entries.map((entry) => answers.classification(entry).kind)).toEqual([
    "valid",
    "valid",
    "valid",
    "doubtful",
  ]);
});
