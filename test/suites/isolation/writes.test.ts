import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const checks = allChecks(spec);
const head = { ...HEAD, spaces: ["spc-main", "spc-other"] };
const other = { space: "spc-other" };
const unknown = { space: "spc-nobody" };
const fixed = { createTime: "2026-01-01T00:00:00Z" };

function verdict(past: HistoryBuilder, place: string, spaces = head.spaces): RuleResult | undefined {
  return checks
    .find(({ id }) => id === `isolation/${place}`)
    ?.verdict(new History(spec, { ...head, spaces }, past.entries));
}

describe("a create in one space", () => {
  const place = "ISOLATION-WRITES POST /webhooks";
  const [first, second] = ["pc-test-1", "pc-test-2"];
  const lastPage = (items: object[], space = "spc-other") =>
    [
      "GET /webhooks",
      { success: true, messages: [], result: items, pagination: { next: null } },
      { space },
    ] as const;

  test("makes nothing in another whose list lacks its text", () => {
    const past = new HistoryBuilder(spec).creates("w1", { name: first }).answers(...lastPage([{ id: "w9" }]));
    expect(verdict(past, place)).toMatchObject({ outcome: "held", times: 1 });
  });

  test("violates isolation if a list of another shows its text", () => {
    const past = new HistoryBuilder(spec)
      .creates("w1", { name: first })
      .answers(...lastPage([{ id: "w2", name: first }]));
    expect(verdict(past, place)).toMatchObject({
      violations: [{ certainty: "proven", shownBy: [{ entry: { index: 0 } }, { entry: { index: 1 } }] }],
    });
  });

  test("does not explain a second resource with a text that was sent to both spaces", () => {
    const past = new HistoryBuilder(spec)
      .creates("w1", { name: first })
      .creates("w2", { name: first }, other)
      .answers(...lastPage([{ id: "w2", name: first }]));
    expect(verdict(past, place)).toMatchObject({ outcome: "held" });
    past.answers(...lastPage([{ id: "w3", name: first }]));
    expect(verdict(past, place)).toMatchObject({ outcome: "violated" });
  });

  test("may have a text that a request without a readable answer sent to the other space", () => {
    const past = new HistoryBuilder(spec)
      .creates("w1", { name: first })
      .creates("w2", { name: first }, { ...other, status: 500 })
      .answers(...lastPage([{ id: "w2", name: first }]));
    expect(verdict(past, place)).toMatchObject({ outcome: "held" });
  });

  test("proves nothing about a list that was read before, or not to its end", () => {
    const early = new HistoryBuilder(spec).answers(...lastPage([])).creates("w1", { name: first });
    expect(verdict(early, place)).toMatchObject({ reason: "no-data" });
    const cut = new HistoryBuilder(spec)
      .creates("w1", { name: second })
      .answers("GET /webhooks", { success: true, result: [], pagination: { next: "c" } }, other);
    expect(verdict(cut, place)).toMatchObject({ reason: "budget" });
    expect(verdict(cut, place, ["spc-main"])).toMatchObject({ reason: "no-second-space" });
  });

  test("is looked for on every page of a list without a documented shape", () => {
    const list = "GET /v1/financial-accounts";
    const at = "ISOLATION-WRITES POST /v1/financial-accounts";
    const made = { id: "a1", name: first };
    const past = new HistoryBuilder(spec, {
      create: "createFinancialAccount",
      update: "updateWebhook",
      list: "listWebhooks",
    })
      .creates("a1", { name: first })
      .answers(list, { success: true, result: [], pagination: { next: "c" } }, other);
    past.answers(
      list,
      { success: true, result: [], pagination: { next: null } },
      {
        ...other,
        query: [["after", "c"]],
      },
    );
    expect(verdict(past, at)).toMatchObject({ reason: "no-data" });
    past.answers(list, { success: true, result: [made], pagination: { next: null } });
    expect(verdict(past, at)).toMatchObject({ outcome: "held", times: 2 });
    past.answers(
      list,
      { success: true, result: [{ ...made, id: "a2" }], pagination: { next: null } },
      {
        ...other,
        query: [["after", "c"]],
      },
    );
    expect(verdict(past, at)).toMatchObject({ outcome: "violated" });
  });
});

describe("a key of the first space", () => {
  const place = "ISOLATION-KEYS POST /webhooks";
  const key = { key: "k1" };

  test("must not show its resource in the second", () => {
    const past = new HistoryBuilder(spec)
      .creates("w1", { name: "a" }, key)
      .creates("w1", { name: "a" }, { ...key, ...other });
    expect(verdict(past, place)).toMatchObject({
      violations: [{ actual: "the resource w1 of another space" }],
    });
  });

  test("may make another resource there, or be rejected", () => {
    const past = new HistoryBuilder(spec)
      .creates("w1", { name: "a" }, key)
      .creates("w1", { name: "a", createTime: "2026-01-02T00:00:00Z" }, { ...key, ...other });
    expect(verdict(past, place)).toMatchObject({ outcome: "held" });
    past.creates("w2", { name: "a" }, { ...key, ...unknown, status: 403 });
    expect(verdict(past, "ISOLATION-UNKNOWN-SPACE POST /webhooks")).toMatchObject({
      outcome: "held",
      times: 1,
    });
  });

  test("proves nothing if it was not used there", () => {
    const past = new HistoryBuilder(spec)
      .creates("w1", { name: "a" }, key)
      .creates("w2", { name: "a" }, { key: "k2", ...other });
    expect(verdict(past, place)).toMatchObject({ reason: "no-data" });
  });
});

describe("an update in another space", () => {
  const place = "ISOLATION-WRITES PATCH /webhooks/{id}";
  const nowhere = "ISOLATION-UNKNOWN-SPACE PATCH /webhooks/{id}";
  const made = () => new HistoryBuilder(spec).creates("w1", { name: "a" }).reads("w1", { name: "a" });

  test("must not show the resource of the first", () => {
    const past = made().updates("w1", { name: "b" }, { name: "b", ...fixed }, other);
    expect(verdict(past, place)).toMatchObject({ outcome: "violated" });
    expect(verdict(past, nowhere)).toMatchObject({ reason: "no-data" });
  });

  test("must not change it if it is rejected", () => {
    const fine = made().rejects("w1", { name: "b" }, other).reads("w1", { name: "a" });
    expect(verdict(fine, place)).toMatchObject({ outcome: "held" });
    const changed = made().rejects("w1", { name: "b" }, unknown).reads("w1", { name: "b" });
    expect(verdict(changed, nowhere)).toMatchObject({ outcome: "violated" });
    expect(verdict(changed, place)).toMatchObject({ reason: "no-data" });
  });

  test("must not change it after null was sent, for which a service may show any value of its own", () => {
    const past = made()
      .updates("w1", { name: null })
      .reads("w1", { name: "default" })
      .updates("w1", { name: "c" })
      .reads("w1", { name: "c" })
      .rejects("w1", { name: "pc-test-1" }, unknown)
      .reads("w1", { name: "pc-test-1" });
    expect(verdict(past, nowhere)).toMatchObject({ violations: [{ certainty: "proven" }] });
  });

  test("proves nothing if nobody looked afterwards, or if it changed another resource", () => {
    expect(verdict(made().rejects("w1", { name: "b" }, other), place)).toMatchObject({ reason: "no-data" });
    const namesake = made().updates("w1", { name: "b" }, { createTime: "2026-01-02T00:00:00Z" }, other);
    expect(verdict(namesake, place)).toMatchObject({ reason: "control-rejected" });
  });
});
