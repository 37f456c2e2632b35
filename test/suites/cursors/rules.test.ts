import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, historyOfCodes } from "../../history/builder.ts";
import { ListScenario } from "../../history/list-scenario.ts";
import { spec } from "../../spec/package-spec.ts";
import { verdict } from "../verdict.ts";

const CODES = "GET /v1/payment-codes";

const outcomes = (scenario: ListScenario) =>
  ["CURSOR-ACCEPTED", "CURSOR-END", "CURSOR-ONCE", "CURSOR-COMPLETE", "LIST-ORDER"].map((requirement) => {
    const result = verdict(scenario, requirement);
    return result.outcome === "not-exercised" ? result.reason : result.outcome;
  });

/** Reads of a list: whole, in pages (`part`), whole, in the same pages again, and whole. */
const bracketed = (
  whole: string,
  part: (scenario: ListScenario) => ListScenario,
  again = whole,
  last = again,
) => part(part(new ListScenario().reads(whole, 50)).reads(again, 50)).reads(last, 50);

describe("a list in pages of two sizes", () => {
  test("conforms if both show the same items", () => {
    expect(outcomes(bracketed("abcdef", (scenario) => scenario.reads("abcdef", 2)))).toEqual(
      Array.from({ length: 5 }, () => "held"),
    );
  });

  test("conforms if a later read of it was not followed", () => {
    const past = bracketed("abcdef", (scenario) => scenario.reads("abcdef", 2));
    past.pages(["ab"], 2, { next: "2" }).reads("abcdef", 50);
    expect(outcomes(past)).toEqual(Array.from({ length: 5 }, () => "held"));
  });

  test("proves nothing if it has one page only", () => {
    expect(outcomes(bracketed("abc", (scenario) => scenario.reads("abc", 5)))).toEqual(
      Array.from({ length: 5 }, () => "no-data"),
    );
  });

  test("violates a rule if it leaves an item out in small pages", () => {
    expect(outcomes(bracketed("abcdef", (scenario) => scenario.reads("abcef", 2)))).toEqual([
      "control-rejected",
      "control-rejected",
      "control-rejected",
      "violated",
      "control-rejected",
    ]);
  });

  test("violates a rule if it leaves an item out in large pages, even if it was not read to its end", () => {
    const scenario = new ListScenario();
    for (let round = 0; round < 3; round++)
      scenario.pages(["abcefghi"], 50, { next: "8" }).pages(["abcdefghi"], 9, { next: "9" });
    expect(verdict(scenario, "CURSOR-COMPLETE").outcome).toBe("violated");
  });

  test("violates a rule if it shows an item twice", () => {
    expect(
      verdict(
        bracketed("abcd", (scenario) => scenario.reads("abbcd", 2)),
        "CURSOR-ONCE",
      ).outcome,
    ).toBe("violated");
  });

  test("proves a violation if new cursors of items that stay are rejected again and again", () => {
    const certainties = (times: number, status: number, last = "ab") => {
      const scenario = new ListScenario();
      for (let time = 0; time < times; time++)
        scenario.pages(["ab"], 2, { next: "2" }).page(
          [
            ["limit", "2"],
            ["after", "2"],
          ],
          "",
          { status },
        );
      const result = verdict(scenario.pages([last], 2, { next: "2" }), "CURSOR-ACCEPTED");
      return result.outcome === "violated" ? result.violations.map(({ certainty }) => certainty) : [];
    };
    expect(certainties(4, 400)).toContain("proven");
    expect(certainties(3, 400)).not.toContain("proven");
    expect(certainties(4, 403)).not.toContain("proven");
    expect(certainties(4, 400, "ac")).not.toContain("proven");
  });

  test("violates a rule if a page has no next although others follow before and after", () => {
    const scenario = new ListScenario().reads("abcdef", 50).pages(["abcd"], 4).reads("abcdef", 50);
    expect(verdict(scenario, "CURSOR-END")).toMatchObject({
      outcome: "violated",
      violations: [{ certainty: "proven", actual: "next null" }],
    });
  });

  test("violates no rule if others joined the list after its last page", () => {
    const scenario = new ListScenario().reads("abcd", 50).pages(["abcd"], 4).reads("abcdef", 50);
    expect(verdict(scenario, "CURSOR-END").outcome).not.toBe("violated");
  });

  test("violates no rule if others left and joined the list around its last page", () => {
    const scenario = new ListScenario().reads("abcdef", 50).pages(["abcd"], 4).reads("abcdgh", 50);
    expect(verdict(scenario, "CURSOR-END").outcome).not.toBe("violated");
  });

  test("violates two rules if its cursors lead in a circle", () => {
    const circle = (scenario: ListScenario) => scenario.pages(["ab", "cd", "cd"], 2, { next: "4" });
    expect(verdict(bracketed("abcd", circle), "CURSOR-END").outcome).toBe("violated");
    expect(verdict(bracketed("abcd", circle), "CURSOR-ONCE").outcome).toBe("violated");
  });

  test("violates two rules if it ends although there are more items", () => {
    const scenario = bracketed("abcdef", (each) => each.reads("abcd", 2));
    expect(verdict(scenario, "CURSOR-END").outcome).toBe("violated");
    expect(verdict(scenario, "CURSOR-COMPLETE").outcome).toBe("violated");
  });

  test("violates only the rule about order if it is complete in another order", () => {
    expect(outcomes(bracketed("abcd", (scenario) => scenario.reads("badc", 2)))).toEqual([
      "held",
      "held",
      "held",
      "held",
      "violated",
    ]);
  });

  test("violates a rule if it rejects its own cursor", () => {
    const refusing = (scenario: ListScenario) =>
      scenario.pages(["ab"], 2, { next: "2" }).page([...LIMIT, ["after", "2"]], "", { status: 400 });
    expect(verdict(bracketed("abcd", refusing), "CURSOR-ACCEPTED").outcome).toBe("violated");
  });

  test("violates a rule if it rejects its own cursor in two sizes, even if it may have changed meanwhile", () => {
    const begun = (scenario: ListScenario, size: number) =>
      scenario.pages(["abcdefgh".slice(0, size)], size, { next: String(size) });
    const refused = (scenario: ListScenario, size: number) =>
      begun(scenario, size).page(
        [
          ["limit", String(size)],
          ["after", String(size)],
        ],
        "",
        { status: 400 },
      );
    const start = () => new ListScenario().reads("abcdefgh", 50);
    expect(verdict(refused(refused(start(), 2), 3), "CURSOR-ACCEPTED").outcome).toBe("violated");
    expect(verdict(refused(start(), 2), "CURSOR-ACCEPTED").outcome).toBe("not-exercised");
    expect(verdict(refused(refused(start(), 2), 3).reads("abcdefgh", 4), "CURSOR-ACCEPTED").outcome).not.toBe(
      "violated",
    );
  });
});

const LIMIT: [string, string][] = [["limit", "2"]];

describe("a list that others change", () => {
  test("violates nothing if a difference was seen once", () => {
    const once = new ListScenario().reads("abcdef", 50).reads("abcef", 2).reads("abcdef", 50);
    expect(verdict(once, "CURSOR-COMPLETE")).toMatchObject({ outcome: "not-exercised", reason: "drift" });
    expect(verdict(once.reads("abcdef", 2), "CURSOR-COMPLETE").outcome).toBe("held");
  });

  test("violates nothing if it changed between the reads", () => {
    const moved = bracketed("abcdef", (scenario) => scenario.reads("abcef", 2), "xabcdef", "yxabcdef");
    expect(verdict(moved, "CURSOR-COMPLETE")).toMatchObject({ reason: "drift" });
  });

  test("must show only the items that stayed", () => {
    const grown = bracketed("abcdef", (scenario) => scenario.reads("xabcdef", 2), "yxabcdef", "zyxabcdef");
    expect(verdict(grown, "CURSOR-COMPLETE").outcome).toBe("held");
  });

  test("violates the rule if it leaves out an item each time although the item stayed", () => {
    const scenario = bracketed("abcdef", (each) => each.reads("abcef", 2), "xabcdef", "xabcdef");
    expect(verdict(scenario.reads("abcef", 2).reads("xabcdef", 50), "CURSOR-COMPLETE").outcome).toBe(
      "violated",
    );
  });
});

describe("a cursor that is used again", () => {
  const again = (
    ids: string,
    more: { status?: number; waits?: number } = {},
    scenario = new ListScenario(),
    size = 2,
  ) =>
    scenario
      .reads("abcdef", 50)
      .reads("abcdef", size)
      .waits(more.waits ?? 0)
      .page(
        [
          ["limit", String(size)],
          ["after", String(size)],
        ],
        ids,
        { next: "4", ...more },
      )
      .reads("abcdef", 50);
  const twice = (small: string, large: string, more: { status?: number; waits?: number } = {}) =>
    again(large, more, again(small, more), 3);

  test("leads to the same items, in whatever order", () => {
    expect(verdict(again("cd"), "CURSOR-REPEATABLE").outcome).toBe("held");
    expect(verdict(again("dc"), "CURSOR-REPEATABLE").outcome).toBe("held");
  });

  test("leads to other items, which may be chance if it is seen once", () => {
    expect(verdict(again("de"), "CURSOR-REPEATABLE")).toMatchObject({ reason: "drift" });
    expect(verdict(twice("de", "ef"), "CURSOR-REPEATABLE")).toMatchObject({
      violations: [{ certainty: "suspected", actual: "other items" }, {}],
    });
  });

  test("may be rejected once it is old", () => {
    expect(verdict(twice("", "", { status: 400 }), "CURSOR-REPEATABLE")).toMatchObject({
      violations: [{ actual: "status 400" }, {}],
    });
    const old = twice("", "", { status: 400, waits: 3_000 });
    expect(verdict(old, "CURSOR-REPEATABLE").outcome).toBe("not-exercised");
  });

  test("may be rejected by a copy that lacks a resource that the run has just created", () => {
    const rejected = (scenario: ListScenario) =>
      again("", { status: 400 }, again("", { status: 400 }, scenario), 3);
    const made = () => new ListScenario("listWebhooks").creates("createWebhook");
    expect(verdict(rejected(made()), "CURSOR-REPEATABLE")).toMatchObject({ reason: "drift" });
    expect(verdict(rejected(made().waits(2_000)), "CURSOR-REPEATABLE").outcome).toBe("violated");
  });

  test("may lead to other items if the list has changed", () => {
    const moved = new ListScenario().reads("abcd", 50).reads("abcd", 2);
    moved.page([...LIMIT, ["after", "2"]], "bc", { next: "4" }).reads("xabcd", 50);
    expect(verdict(moved, "CURSOR-REPEATABLE")).toMatchObject({ reason: "drift" });
  });

  test("may lead to other items beyond the part of the list that is known to be unchanged", () => {
    const scenario = new ListScenario();
    for (const size of [2, 3]) {
      const after: [string, string][] = [
        ["limit", String(size)],
        ["after", "7"],
      ];
      scenario.pages(["ab"], 50, { next: "2" }).page([["limit", String(size)]], "xy", { next: "7" });
      scenario.page(after, "cd").page(after, "cde").pages(["ab"], 50, { next: "2" });
    }
    expect(verdict(scenario, "CURSOR-REPEATABLE")).toMatchObject({ reason: "drift" });
  });

  test("may be rejected if others removed its item", () => {
    const scenario = new ListScenario("listWebhooks");
    for (const size of [2, 3]) {
      const after: [string, string][] = [
        ["limit", String(size)],
        ["after", "x"],
      ];
      scenario.reads("abcd", 50).page([["limit", String(size)]], "ax", { next: "x" });
      scenario.page(after, "bc").page(after, "", { status: 404 }).reads("abcd", 50);
    }
    expect(verdict(scenario, "CURSOR-REPEATABLE")).toMatchObject({ reason: "drift" });
  });

  test("counts as rejected at its first use only if it never worked before", () => {
    const scenario = new ListScenario().reads("abcdef", 2).pages(["ab"], 2, { next: "2", round: 2 });
    scenario.page(
      [
        ["limit", "2"],
        ["after", "2"],
      ],
      "",
      { status: 400, round: 2 },
    );
    expect(verdict(scenario, "CURSOR-ACCEPTED").outcome).toBe("not-exercised");
  });

  test("must be accepted right after an update of the item before it", () => {
    const items = ["c1", "c2"].map((id) => ({ id, name: "a" }));
    const page = { success: true, messages: [], result: items, pagination: { count: 2, next: "n1" } };
    const rejectedAfter = (milliseconds: number) =>
      historyOfCodes(spec)
        .answers(CODES, page, { query: [["limit", "2"]] })
        .updates("c2", { name: "b" }, { name: "b" })
        .waits(milliseconds)
        .answers(
          CODES,
          { error: "rejected" },
          {
            query: [
              ["limit", "2"],
              ["after", "n1"],
            ],
            status: 400,
          },
        );
    const rule = allChecks(spec).find(({ id }) => id === `cursors/CURSOR-ACCEPTED ${CODES}`);
    const outcomeAfter = (milliseconds: number) =>
      rule?.verdict(new History(spec, HEAD, rejectedAfter(milliseconds).entries));
    expect(outcomeAfter(0)).toMatchObject({ violations: [{ certainty: "suspected", actual: "status 400" }] });
    expect(outcomeAfter(2_000)?.outcome).toBe("not-exercised");
  });
});
