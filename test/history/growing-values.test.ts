import { expect, test } from "vitest";
import type { Head } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const url = "https://example.com/a";

/** The first request names a webhook that only the create after it shows. */
const past = new HistoryBuilder(spec)
  .updates("w1", { url }, {}, { status: 404 })
  .creates("w1", { name: "a", url, events: null }, { key: "key-1" })
  .updates("w1", { url });

function kindsUpTo(count: number, head: Head): string[] {
  const entries = past.entries.slice(0, count);
  const { answers } = new History(spec, head, entries);
  return entries.map((entry) => answers.classification(entry).kind);
}

test("a longer history knows what a shorter one of the same run knows, and more", () => {
  const head = { ...HEAD };
  const growing = [1, 2, 3].map((count) => kindsUpTo(count, head));
  expect(growing).toEqual([["faulty"], ["valid", "valid"], ["valid", "valid", "valid"]]);
});

test("a shorter history that is asked later knows nothing of the longer one", () => {
  const head = { ...HEAD };
  expect(kindsUpTo(3, head)).toEqual(["valid", "valid", "valid"]);
  expect(kindsUpTo(1, head)).toEqual(["faulty"]);
});

test("a history that was asked before stays as it was", () => {
  const head = { ...HEAD };
  const first = past.entries[0];
  if (first === undefined) throw new Error("the history is empty");
  const { answers } = new History(spec, head, [first]);
  // Classifies in the shorter history only after the longer one was asked.
  expect(answers.isValid(first)).toBe(false);
  const shorter = new History(spec, head, past.entries.slice(0, 1));
  kindsUpTo(3, head);
  expect(shorter.answers.isValid(first)).toBe(false);
});
