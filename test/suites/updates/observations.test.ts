import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { updateObservations } from "../../../suites/updates/observations.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const NULL_FOR_EVENTS = "updates/UPDATE-NULL-MEANING PATCH /webhooks/{id} null for events";
const BODY = { name: "pc-test-0001", url: "https://example.com/a", events: ["one"] };
const NULL = { url: BODY.url, events: null };
const ALL = { ...BODY, events: ["one", "two"] };

function noted(past: HistoryBuilder): unknown {
  const check = updateObservations(spec).find(({ id }) => id === NULL_FOR_EVENTS);
  if (!check) throw new Error("there is no such check");
  const result = check.verdict(new History(spec, HEAD, past.entries));
  return "notes" in result ? result.notes?.map(({ answer }) => answer) : result;
}

test("null is seen to change a value if one update shows it, whatever an earlier one left unchanged", () => {
  const past = new HistoryBuilder(spec)
    .creates("w1", BODY)
    .reads("w1", ALL)
    .updates("w1", NULL, ALL)
    .reads("w1", ALL);
  expect(noted(past)).toEqual([{ word: "kept" }]);
  past.updates("w1", BODY).reads("w1", BODY).updates("w1", NULL, ALL).reads("w1", ALL);
  expect(noted(past)).toEqual([{ shows: ALL.events }]);
});

test("a value that null leaves unchanged shows nothing if the resource was created with it", () => {
  const past = new HistoryBuilder(spec)
    .creates("w1", BODY)
    .reads("w1", BODY)
    .updates("w1", NULL, BODY)
    .reads("w1", BODY);
  expect(noted(past)).toMatchObject({ reason: "not-sampled" });
  past.updates("w1", ALL).reads("w1", ALL).updates("w1", NULL, ALL).reads("w1", ALL);
  expect(noted(past)).toEqual([{ word: "kept" }]);
});

test("a late read proves nothing, and a later one shows what null does", () => {
  const past = new HistoryBuilder(spec)
    .creates("w1", BODY)
    .reads("w1", ALL)
    .updates("w1", NULL, BODY)
    .reads("w1", ALL)
    .reads("w1", BODY, { version: "caph.2025-06-20" });
  expect(noted(past)).toMatchObject({ reason: "not-sampled" });
  past.reads("w1", BODY);
  expect(noted(past)).toEqual([{ shows: BODY.events }]);
});
