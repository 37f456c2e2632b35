import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const checks = allChecks(spec);
const head = { ...HEAD, spaces: ["spc-main", "spc-other"] };
const other = { space: "spc-other" };
const made = { id: "w1", name: "a", createTime: "2026-01-01T00:00:00Z" };
const theirs = { id: "w2", name: "b", createTime: "2026-01-02T00:00:00Z" };

/** The result of the rule of this requirement at GET /webhooks. */
function verdict(past: HistoryBuilder, requirement: string, spaces = head.spaces): RuleResult | undefined {
  const id = `isolation/${requirement} GET /webhooks`;
  return checks
    .find((check) => check.id === id)
    ?.verdict(new History(spec, { ...head, spaces }, past.entries));
}

describe("a list of the second space", () => {
  test("violates isolation if it shows a resource of the first, whatever was sent between", () => {
    const past = new HistoryBuilder(spec)
      .creates("w1", { name: "a" })
      .lists([made])
      .lists([theirs], other)
      .updates("w1", { name: "c" })
      .lists([theirs, { ...made, name: "c" }], other);
    expect(verdict(past, "ISOLATION-LISTS")).toMatchObject({
      violations: [{ certainty: "proven", shownBy: [{ entry: { index: 0 } }, { offending: "/result/1" }] }],
    });
  });

  test("keeps isolation if it shows other resources", () => {
    const past = new HistoryBuilder(spec).creates("w1", { name: "a" }).lists([made]).lists([theirs], other);
    expect(verdict(past, "ISOLATION-LISTS")).toMatchObject({ outcome: "held" });
  });

  test("may show another resource with the same id", () => {
    const past = new HistoryBuilder(spec).lists([made]).lists([{ ...theirs, id: "w1" }], other);
    expect(verdict(past, "ISOLATION-LISTS")).toMatchObject({ outcome: "held" });
  });

  test("proves nothing if nobody read it", () => {
    const past = new HistoryBuilder(spec).lists([made]);
    expect(verdict(past, "ISOLATION-LISTS")).toMatchObject({ reason: "no-data" });
    expect(verdict(past, "ISOLATION-LISTS", ["spc-main"])).toMatchObject({ reason: "no-second-space" });
  });
});

describe("a list in a space that does not exist", () => {
  test("violates isolation if it shows a resource of an existing space", () => {
    const past = new HistoryBuilder(spec).lists([made]).lists([made], { space: "spc-nobody" });
    expect(verdict(past, "ISOLATION-UNKNOWN-SPACE")).toMatchObject({
      violations: [{ actual: "the resource w1 of another space" }],
    });
  });

  test("may be rejected", () => {
    const past = new HistoryBuilder(spec).lists([made]).lists([], { space: "spc-nobody", status: 403 });
    expect(verdict(past, "ISOLATION-UNKNOWN-SPACE")).toMatchObject({ outcome: "held" });
  });

  test("is not the list of an existing space whose id is spelled in another way", () => {
    const past = new HistoryBuilder(spec).lists([made]).lists([made], { space: "spc-MAIN" });
    expect(verdict(past, "ISOLATION-UNKNOWN-SPACE")).toMatchObject({ reason: "no-data" });
  });
});
