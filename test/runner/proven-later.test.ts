import { expect, test } from "vitest";
import { Histories, provenLater } from "../../runner/histories.ts";
import { rejudge } from "../../runner/judging/rejudge.ts";
import { allChecks } from "../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { spec } from "../spec/package-spec.ts";
import { exampleSettings } from "./settings.ts";

const checks = allChecks(spec).filter(({ operation }) => operation === "POST /webhooks");
const sent = { name: "a", url: "https://example.com/a", events: null };
const first = { key: "k1", shown: { isActive: false, events: [] } };
const second = { key: "k2", round: 2, shown: { ...first.shown, name: "b" } };

function historiesOf({ entries }: HistoryBuilder): Histories {
  return new Histories(spec, exampleSettings({ space: "spc-main" }), "pc-test", { entries, deliveries: [] });
}

const idsOf = (found: readonly { check: { id: string } }[]) => found.map(({ check }) => check.id);

test("an answer of a confirmation proves a violation of a check that held before", () => {
  const history = new HistoryBuilder(spec).creates("w1", sent, first).creates("w2", sent, second);
  const histories = historiesOf(history);
  const found = idsOf(provenLater(checks, histories));
  expect(found).toContain("creates/CREATE-ECHO POST /webhooks");
  expect(histories.judgements.roundsOf("creates/CREATE-ECHO POST /webhooks")).toEqual([2]);
});

test("violations of the first round, and suspicions, are not found again", () => {
  const wrong = new HistoryBuilder(spec).creates("w1", sent, { ...second, round: 1 });
  expect(idsOf(provenLater(checks, historiesOf(wrong)))).toEqual([]);
  const suspicious = new HistoryBuilder(spec)
    .creates("w1", sent, first)
    .creates("w2", sent, { round: 2, status: 422 });
  expect(idsOf(provenLater(checks, historiesOf(suspicious)))).toEqual([]);
});

test("the recorded history, judged again, has the violation, too", () => {
  const { entries } = new HistoryBuilder(spec).creates("w1", sent, first).creates("w2", sent, second);
  const check = "creates/CREATE-ECHO POST /webhooks";
  const judged = { check, round: 1, entries: 1, deliveries: 0 };
  const origin = { suite: {}, spec: {}, head: HEAD, entries, deliveries: [] };
  const outcome = (judgements: readonly (typeof judged)[]) =>
    rejudge(
      spec,
      checks.filter(({ id }) => id === check),
      { ...origin, judgements } as never,
    ).map(({ violated }) => violated);
  expect(outcome([judged])).toEqual([0]);
  expect(outcome([judged, { ...judged, round: 2, entries: 2 }])).toEqual([1]);
});
