import { describe, expect, test } from "vitest";
import { MARKUP } from "../../../generators/text.ts";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { createTexts } from "../../../suites/creates/texts.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const HOOKS = "POST /webhooks";
const checks = createTexts(spec);
const plain = { name: "pc-test-1", url: "https://example.com/pc-test", events: null };
const odd = { ...plain, name: "pc-test-2 💸 é" };

function judge(past: HistoryBuilder, name: string): RuleResult {
  const check = checks.find(({ id }) => id === `creates/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

const history = () => new HistoryBuilder(spec).creates("w1", plain, { key: "k1" });
const letters = { ...plain, name: "a".repeat(40) };

describe("an unusual text", () => {
  const name = `CREATE-ECHO ${HOOKS} any text`;

  test("is shown as it was sent, in the answer and in lists", () => {
    const past = () => history().creates("w2", odd, { key: "k2" });
    expect(judge(past(), name)).toMatchObject({ outcome: "held" });
    expect(judge(history(), name)).toMatchObject({ reason: "no-data" });
    const lost = history().creates("w2", odd, { key: "k2", shown: { name: "pc-test-2 ? e" } });
    expect(judge(lost, name)).toMatchObject({ violations: [{ shownBy: [{ offending: "/result/name" }] }] });
    const listed = past()
      .waits(5_000)
      .lists([{ id: "w2", ...odd, name: "pc-test-2 ? e" }]);
    expect(judge(listed, name)).toMatchObject({ outcome: "violated" });
  });

  test("is accepted if plain text of the same length is", () => {
    const rejected = () => history().creates("", odd, { key: "k2", status: 400 });
    expect(judge(rejected().creates("w3", plain, { key: "k3" }), name)).toMatchObject({
      reason: "control-rejected",
    });
    expect(judge(rejected().creates("w3", letters, { key: "k3" }), name)).toMatchObject({
      violations: [{ expected: "legal text to be accepted" }],
    });
  });

  test("is distinguished from markup, which a firewall may reject", () => {
    const marked = { ...plain, name: `pc-test-3 ${MARKUP.text}` };
    const past = history().creates("w2", marked, { key: "k2", shown: { name: "pc-test-3" } });
    expect(judge(past, name)).toMatchObject({ reason: "no-data" });
    expect(judge(past, `CREATE-ECHO ${HOOKS} markup`)).toMatchObject({ outcome: "violated" });
  });
});

describe("a text that a service may decline", () => {
  const name = `CREATE-ECHO ${HOOKS} declinable name: NUL`;
  const sent = { ...plain, name: "before\u0000after" };

  test("is shown unchanged if it is accepted", () => {
    expect(judge(history(), name)).toMatchObject({ reason: "not-sampled" });
    expect(judge(history().creates("w2", sent, { key: "k2" }), name)).toMatchObject({ outcome: "held" });
    const cut = history().creates("w2", sent, { key: "k2", shown: { name: "before" } });
    expect(judge(cut, name)).toMatchObject({ outcome: "violated" });
    const rejected = history().creates("", sent, { key: "k2", status: 400 });
    expect(judge(rejected, name)).toMatchObject({ reason: "declined" });
  });
});

test("lists are shown in their order", () => {
  const sent = { ...plain, events: ["b", "a"] };
  const past = history().creates("w2", sent, { key: "k2", shown: { events: ["a", "b"] } });
  expect(judge(past, `CREATE-ECHO-DETAILS ${HOOKS}`)).toMatchObject({ outcome: "violated" });
});
