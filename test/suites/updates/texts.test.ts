import { describe, expect, test } from "vitest";
import { MARKUP } from "../../../generators/text.ts";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { updateTexts } from "../../../suites/updates/texts/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const HOOKS = "PATCH /webhooks/{id}";
const checks = updateTexts(spec);
const plain = { name: "pc-test-1", url: "https://example.com/pc-test", events: ["a"] };
const odd = { ...plain, name: "pc-test-2 💸 é" };
const lost = { ...plain, name: "pc-test-2 ? e" };

function judge(past: HistoryBuilder, name: string): RuleResult {
  const check = checks.find(({ id }) => id === `updates/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

const history = () => new HistoryBuilder(spec).creates("w1", plain);

describe("an unusual text", () => {
  const shown = `UPDATE-ECHO ${HOOKS} any text`;
  const stored = `UPDATE-STORED ${HOOKS} any text`;

  test("is shown as it was sent, in the answer and in reads", () => {
    const past = history().updates("w1", odd).reads("w1", odd);
    expect(judge(past, shown)).toMatchObject({ outcome: "held" });
    expect(judge(past, stored)).toMatchObject({ outcome: "held" });
    expect(judge(history(), shown)).toMatchObject({ reason: "no-data" });
    expect(judge(history().updates("w1", odd, lost), shown)).toMatchObject({ outcome: "violated" });
    const later = history().updates("w1", odd).waits(5_000).reads("w1", lost);
    expect(judge(later, stored)).toMatchObject({ outcome: "violated" });
  });

  test("is accepted if plain text of the same length is", () => {
    const rejected = () => history().rejects("w1", odd);
    expect(judge(rejected().updates("w1", plain), shown)).toMatchObject({ reason: "control-rejected" });
    const letters = { ...plain, name: "a".repeat(40) };
    expect(judge(rejected().updates("w1", letters), shown)).toMatchObject({
      violations: [{ expected: "legal text to be accepted" }],
    });
  });

  test("proves nothing if the next plain text is rejected as well, for the resource may be closed", () => {
    const letters = { ...plain, name: "a".repeat(40) };
    const closed = () => history().updates("w1", letters).rejects("w1", odd).rejects("w1", letters);
    expect(judge(closed(), shown)).toMatchObject({ reason: "control-rejected" });
    expect(judge(closed().updates("w1", letters), shown)).toMatchObject({ reason: "control-rejected" });
    for (const past of [
      history().updates("w1", letters).rejects("w1", odd),
      history().updates("w1", letters).rejects("w1", odd).updates("w1", letters),
      history()
        .updates("w1", letters)
        .rejects("w1", odd)
        .rejects("w1", { ...letters, isActive: true }),
    ])
      expect(judge(past, shown)).toMatchObject({ outcome: "violated" });
  });

  test("is distinguished from markup, which the seed may leave out", () => {
    const name = `UPDATE-ECHO ${HOOKS} markup`;
    expect(judge(history().updates("w1", odd, lost), name)).toMatchObject({ reason: "not-sampled" });
    const marked = { ...plain, name: `pc-test-3 ${MARKUP.text}` };
    const past = history().updates("w1", marked, { ...plain, name: "pc-test-3" });
    expect(judge(past, name)).toMatchObject({ outcome: "violated" });
    expect(judge(past, shown)).toMatchObject({ reason: "no-data" });
  });
});

test("a text at its longest is shown whole", () => {
  const name = `UPDATE-ECHO ${HOOKS} at the limits`;
  const long = { ...plain, name: "a".repeat(100) };
  expect(judge(history().updates("w1", long), name)).toMatchObject({ outcome: "held" });
  const cut = history().updates("w1", long, { ...plain, name: "a".repeat(99) });
  expect(judge(cut, name)).toMatchObject({ outcome: "violated" });
});

test("a text that a service may decline is shown unchanged if it is accepted", () => {
  const name = `UPDATE-ECHO ${HOOKS} declinable name: NUL`;
  const sent = { ...plain, name: "before\u0000after" };
  expect(judge(history(), name)).toMatchObject({ reason: "no-data" });
  expect(judge(history().updates("w1", plain), name)).toMatchObject({ reason: "not-sampled" });
  expect(judge(history().updates("w1", sent), name)).toMatchObject({ outcome: "held" });
  const cut = history().updates("w1", sent, { ...plain, name: "before" });
  expect(judge(cut, name)).toMatchObject({ outcome: "violated" });
  expect(judge(history().rejects("w1", sent), name)).toMatchObject({ reason: "declined" });
});
