import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { versionRules } from "../../../suites/versions/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { ListScenario } from "../../history/list-scenario.ts";
import { spec } from "../../spec/package-spec.ts";
import { listOf, samples } from "../../spec/samples.ts";
import { verdict } from "../verdict.ts";

const HOOKS = "GET /webhooks";
const CREATE = "POST /webhooks";
const PAYOUT = "GET /payouts/{id}";
const OLDER = "caph.2025-06-20";
const NEWER = "caph.2025-08-23";
const checks = versionRules(spec);
const hooks = listOf([samples.Webhook], 1);

function judge(past: HistoryBuilder, requirement: string, key: string): RuleResult {
  const check = checks.find(({ id }) => id.startsWith(`versions/${requirement} ${key}`));
  if (!check) throw new Error(`there is no check of ${requirement}`);
  return check.verdict(new History(spec, { ...HEAD, fixtures: { payout: "p1" } }, past.entries));
}

const history = () => new HistoryBuilder(spec);
const under = (version: string | null, status = 200) => ({ version, status });

describe("a version", () => {
  test("is accepted if a valid request under each was", () => {
    const past = history().answers(HOOKS, hooks, under(null)).answers(HOOKS, hooks, under(OLDER));
    expect(judge(past, "VERSION-ACCEPTED", HOOKS)).toMatchObject({ outcome: "held", times: 2 });
  });

  test("proves nothing at creates if none is accepted from then on", () => {
    const sent = { name: "a", url: "https://example.com/a", events: null };
    const create = (past: HistoryBuilder, key: string, version: string, status: number) =>
      past.answers(CREATE, { success: true, result: { id: key } }, { sent, key, version, status });
    const rejected = () => create(create(history(), "key-1", OLDER, 200), "key-2", NEWER, 403);
    expect(judge(rejected(), "VERSION-ACCEPTED", CREATE)).toMatchObject({ reason: "declined" });
    const later = create(rejected(), "key-3", OLDER, 200);
    expect(judge(later, "VERSION-ACCEPTED", CREATE)).toMatchObject({ outcome: "violated" });
  });

  test("is suspected if it is rejected and another is accepted", () => {
    const past = history().answers(HOOKS, hooks, under(null)).answers(HOOKS, "", under(NEWER, 400));
    expect(judge(past, "VERSION-ACCEPTED", HOOKS)).toMatchObject({
      violations: [
        { certainty: "suspected", expected: `version ${NEWER} to be accepted`, actual: "status 400" },
      ],
    });
  });

  test("is not suspected if valid requests are rejected under every version", () => {
    const past = history().answers(HOOKS, "", under(null, 400)).answers(HOOKS, "", under(NEWER, 400));
    expect(judge(past, "VERSION-ACCEPTED", HOOKS)).toMatchObject({ reason: "control-rejected" });
  });

  test("is not tested by an empty answer", () => {
    const past = history().answers(HOOKS, hooks, under(null)).answers(HOOKS, {}, under(NEWER));
    expect(judge(past, "VERSION-ACCEPTED", HOOKS)).toMatchObject({ reason: "no-data" });
  });

  test("must be rejected if it is not allowed, after a valid request was accepted", () => {
    const accepted = history().answers(HOOKS, hooks).answers(HOOKS, hooks, under("other"));
    expect(judge(accepted, "VERSION-UNKNOWN", HOOKS)).toMatchObject({ outcome: "violated" });
    const rejected = history().answers(HOOKS, hooks).answers(HOOKS, "", under("other", 400));
    expect(judge(rejected, "VERSION-UNKNOWN", HOOKS)).toMatchObject({ outcome: "held" });
    const alone = history().answers(HOOKS, "", under("other", 400));
    expect(judge(alone, "VERSION-UNKNOWN", HOOKS)).toMatchObject({ reason: "control-rejected" });
  });
});

/** A history in which a payout is read under the older and then the newer version, `turns` times. */
function inTurn(turns: number, older: JsonObject, newer: (turn: number) => JsonObject): HistoryBuilder {
  const past = history();
  const payout = (shown: JsonObject) => ({ success: true, messages: [], result: { id: "p1", ...shown } });
  for (let turn = 0; turn < turns; turn++)
    past
      .answers(PAYOUT, payout(older), { ...under(OLDER), path: "p1" })
      .answers(PAYOUT, payout(newer(turn)), { ...under(NEWER), path: "p1" });
  return past;
}

describe("a record under two versions", () => {
  test("keeps the rule if the later version shows all that the earlier one shows", () => {
    const past = inTurn(1, { status: "pending" }, () => ({ status: "pending", delayedReason: "new" }));
    expect(judge(past, "VERSION-FIELDS", PAYOUT)).toMatchObject({ outcome: "held" });
    expect(judge(past, "VERSION-VALUES", PAYOUT)).toMatchObject({ outcome: "held" });
  });

  test("is suspected once reads under both, in turn, differed often enough", () => {
    const lost = (turns: number) => inTurn(turns, { status: "pending" }, () => ({}));
    expect(judge(lost(1), "VERSION-FIELDS", PAYOUT)).toMatchObject({ reason: "drift" });
    expect(judge(lost(4), "VERSION-FIELDS", PAYOUT)).toMatchObject({
      violations: [{ certainty: "suspected", actual: "absent" }],
    });
    expect(judge(lost(4), "VERSION-VALUES", PAYOUT)).toMatchObject({ outcome: "held" });
  });

  test("is not suspected if one pair of reads shows no difference", () => {
    const past = inTurn(8, { status: "pending" }, (turn) => ({ status: turn === 3 ? "pending" : "paid" }));
    expect(judge(past, "VERSION-VALUES", PAYOUT)).toMatchObject({ outcome: "held" });
  });

  test("is not compared across a write", () => {
    const past = history();
    for (let turn = 0; turn < 8; turn++)
      past
        .answers(PAYOUT, { result: { id: "p1", status: "a" } }, { ...under(OLDER), path: "p1" })
        .answers("PATCH /payouts/{id}", { result: { id: "p1" } }, { path: "p1", sent: { metadata: {} } })
        .answers(PAYOUT, { result: { id: "p1", status: "b" } }, { ...under(NEWER), path: "p1" })
        .answers("PATCH /payouts/{id}", { result: { id: "p1" } }, { path: "p1", sent: { metadata: {} } });
    expect(judge(past, "VERSION-VALUES", PAYOUT)).toMatchObject({ reason: "no-data" });
  });
});

describe("a create under two versions", () => {
  const made = { name: "a", url: "https://example.com/a", events: ["e"], isActive: false };
  const again = (shown: boolean, isUpdated: boolean) => {
    const past = new HistoryBuilder(spec).creates("w1", made, { version: OLDER, key: "k1" });
    if (isUpdated) past.updates("w1", { url: made.url, isActive: true });
    return past.creates("w1", made, { version: NEWER, key: "k1", shown: { isActive: shown } });
  };

  test("fails if the answer under the newer one shows another value", () => {
    expect(judge(again(false, false), "VERSION-VALUES", CREATE)).toMatchObject({ outcome: "held" });
    expect(judge(again(true, false), "VERSION-VALUES", CREATE)).toMatchObject({ outcome: "violated" });
  });

  test("may show the present state if it is sent again after an update", () => {
    expect(judge(again(true, true), "VERSION-VALUES", CREATE)).toMatchObject({ outcome: "not-exercised" });
  });
});

describe("a list under two versions", () => {
  const scenario = (turns: number, newer: string, more = {}) => {
    const past = new ListScenario();
    for (let turn = 0; turn < turns; turn++)
      past.reads("abc", 50, { version: OLDER }).reads(newer, 50, { version: NEWER, ...more });
    return past;
  };

  test("keeps the rule if both have the same members, in any order", () => {
    expect(verdict(scenario(1, "bca"), "VERSION-MEMBERS")).toMatchObject({ outcome: "held" });
  });

  test.each([
    ["ac", "the item b"],
    ["abcd", "no item d"],
  ])("is suspected if the later one shows %s", (newer, expected) => {
    expect(verdict(scenario(4, newer), "VERSION-MEMBERS").outcome).toBe("violated");
    expect(verdict(scenario(4, newer), "VERSION-MEMBERS")).toMatchObject({
      violations: [
        { expected: `under ${NEWER}, as under ${OLDER}: ${expected}` },
        // The different count is a violation of its own.
        { expected: expect.stringContaining("pagination") },
      ],
    });
  });

  test("proves nothing about items that may follow on later pages", () => {
    const past = scenario(4, "ab", { next: "more" });
    const found = verdict(past, "VERSION-MEMBERS");
    expect(found).toMatchObject({ violations: [{ expected: expect.stringContaining("pagination") }] });
  });
});
