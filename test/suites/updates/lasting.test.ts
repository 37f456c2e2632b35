/** Tests of update rules with short histories: fields and lists that an update must leave as they are. */

import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { createRules } from "../../../suites/creates/rules.ts";
import { filteredRules } from "../../../suites/updates/lists/filtered.ts";
import { updateRules } from "../../../suites/updates/rules.ts";
import { HEAD, HistoryBuilder, historyOfCodes } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const checks = [...updateRules(spec), ...filteredRules(spec)];

function judge(past: HistoryBuilder, id: string): RuleResult {
  const check = checks.find((each) => each.id === id);
  if (!check) throw new Error(`there is no check ${id}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

const payouts = () =>
  new HistoryBuilder(spec, {
    create: "createWebhook",
    update: "updatePayout",
    read: "getPayout",
    list: "listWebhooks",
  });

test("the amount of a payout is changed by an update that sends it without taking it", () => {
  const [amount, larger] = [1, 2].map((value) => ({ currency: "XAF", value }));
  const past = payouts()
    .reads("p1", { amount })
    .updates("p1", { amount: 0, metadata: { a: "1" } }, { metadata: { a: "1" }, amount: larger })
    .reads("p1", { metadata: { a: "1" }, amount: larger });
  expect(judge(past, "updates/UPDATE-KEEPS-REST PATCH /payouts/{id} amount").outcome).toBe("violated");
});

describe("a field of a payout that may change by itself", () => {
  const [one, two] = [[{ name: "fee" }], [{ name: "fee" }, { name: "fee" }]];
  const charges = (past: HistoryBuilder) =>
    judge(past, "updates/UPDATE-KEEPS-REST PATCH /payouts/{id} charges");

  test("may have changed in the answer to a later update, so the cause is looked for", () => {
    const past = payouts()
      .reads("p1", { charges: one })
      .updates("p1", { metadata: { a: "1" } }, { metadata: { a: "1" }, charges: one })
      .reads("p1", { metadata: { a: "1" }, charges: one })
      .updates("p1", { metadata: { a: "2" } }, { metadata: { a: "2" }, charges: two })
      .reads("p1", { metadata: { a: "2" }, charges: two });
    expect(charges(past)).toMatchObject({ outcome: "excused", otherwise: { outcome: "held" } });
  });

  test("is excused if it changes in another payout without an update of that", () => {
    const update = (past: HistoryBuilder, id: string) =>
      past.updates(id, { metadata: { a: "1" } }, { metadata: { a: "1" } });
    const before = () =>
      update(payouts(), "p2")
        .reads("p2", { charges: one })
        .reads("p1", { charges: one })
        .reads("p1", { charges: one });
    const past = (charge: unknown) =>
      update(before(), "p1").reads("p2", { charges: charge }).reads("p1", { charges: two });
    expect(charges(past(one))).toMatchObject({ violations: [{ certainty: "proven" }] });
    expect(charges(past(two))).toMatchObject({ outcome: "excused" });
  });

  test("is kept if every answer shows the same", () => {
    const past = payouts()
      .reads("p1", { charges: one })
      .updates("p1", { metadata: { a: "1" } }, { metadata: { a: "1" }, charges: one })
      .reads("p1", { metadata: { a: "1" }, charges: one });
    expect(charges(past)).toMatchObject({ outcome: "held" });
  });
});

describe("a switch that an update set, and that a later list shows as it was before", () => {
  const past = (before: (past: HistoryBuilder) => HistoryBuilder) =>
    before(new HistoryBuilder(spec).creates("w1", { isActive: true }).creates("w2", { isActive: false }))
      .updates("w2", { isActive: true })
      .waits(10_000)
      .lists([{ id: "w2", isActive: false }]);
  const stored = (history: HistoryBuilder) =>
    judge(history, "updates/UPDATE-STORED PATCH /webhooks/{id} isActive");

  test("is suspected not to be stored", () => {
    expect(stored(past((history) => history))).toMatchObject({
      outcome: "violated",
      violations: [{ certainty: "suspected" }],
    });
  });

  test("may be set by the service if that set another one without a write", () => {
    const lists = (history: HistoryBuilder, isActive: boolean) => history.lists([{ id: "w1", isActive }]);
    const switchedOff = past((history) => lists(lists(lists(history, true), true), false));
    expect(stored(switchedOff)).toMatchObject({ outcome: "not-exercised", reason: "drift" });
    const switchedOn = past((history) =>
      lists(lists(lists(history.creates("w1", { isActive: false }), false), false), true),
    );
    expect(stored(switchedOn)).toMatchObject({ outcome: "violated" });
  });
});

describe("a list under filters that a payment code matches", () => {
  const CODE = { name: "a", mode: "oneTime" };
  const filtered = (past: HistoryBuilder) =>
    judge(past, "updates/FILTER-COMPLETE GET /v1/payment-codes after PATCH /payment-codes/{id}");
  const query: [string, string][] = [
    ["status", "cancelled"],
    ["ussd_code", "*126#"],
  ];
  const EMPTY = { success: true, messages: [], result: [], pagination: { count: 0, next: null } };
  const lacks = (past: HistoryBuilder) => past.answers("GET /v1/payment-codes", EMPTY, { query });
  const cancelled = { ...CODE, status: "cancelled", ussdCode: "*126#" };
  const until = () =>
    historyOfCodes(spec)
      .reads("c1", { ...cancelled, status: "pending" })
      .updates("c1", { status: "cancelled" }, cancelled);

  test("is suspected of a violation if it lacks the code once, and proven if twice", () => {
    const once = () => lacks(until().waits(2_000).reads("c1", cancelled)).reads("c1", cancelled);
    expect(filtered(once())).toMatchObject({ violations: [{ certainty: "suspected" }] });
    const twice = lacks(once()).reads("c1", cancelled);
    expect(filtered(twice)).toMatchObject({ violations: [{ certainty: "proven" }, {}] });
  });

  test("may be late after the update that made it match", () => {
    const past = lacks(until().reads("c1", cancelled)).reads("c1", cancelled);
    expect(filtered(past)).toMatchObject({ outcome: "not-exercised" });
  });
});

describe("a webhook that lists no longer show", () => {
  const BODY = { name: "pc-test-0001", url: "https://example.com/a?b=C", events: null };
  const ITEM = { id: "w1", ...BODY, isActive: false, events: [] };
  const rules = [...checks, ...createRules(spec)];
  const listed = () =>
    new HistoryBuilder(spec).creates("w1", BODY, { key: "k1", shown: ITEM }).waits(3_000).lists([ITEM]);

  /** Returns the outcome of the rule about rejected updates, and that of the rule about creates. */
  function outcomesOf(past: HistoryBuilder): string[] {
    const history = new History(spec, HEAD, past.entries);
    return ["updates/UPDATE-NO-EFFECT PATCH /webhooks/{id}", "creates/CREATE-LISTED POST /webhooks"].map(
      (id) => {
        const rule = rules.find((each) => each.id === id);
        if (!rule) throw new Error(`there is no check ${id}`);
        return rule.verdict(history).outcome;
      },
    );
  }

  test("was hidden by the rejected update before", () => {
    const past = listed().rejects("w1", { name: 7 }).lists([]).lists([]);
    expect(outcomesOf(past)).toEqual(["violated", "not-exercised"]);
  });

  test("was perhaps hidden by the accepted update before, so the create is blamed", () => {
    const past = listed()
      .rejects("w1", { name: 7 })
      .updates("w1", { name: "b" }, { ...ITEM, name: "b" });
    expect(outcomesOf(past.lists([]).lists([]))[1]).toBe("violated");
  });

  test("may be missing from one list that a replica answers", () => {
    const [, created] = outcomesOf(listed().rejects("w1", { name: 7 }).lists([]).lists([ITEM]));
    expect(created).toBe("held");
  });
});
