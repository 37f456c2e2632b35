import { describe, expect, test } from "vitest";
import { ListScenario } from "../../history/list-scenario.ts";
import { verdict } from "../verdict.ts";

const TWELVE = "abcdefghijkl";

describe("a page without a size", () => {
  const unsized = (ids: string, scenario = new ListScenario()) =>
    scenario
      .pages([TWELVE.slice(0, 10)], 10, { next: "10" })
      .page([], ids, { next: "10" })
      .pages([TWELVE.slice(0, 10)], 10, { next: "10" });

  test("has the default size", () => {
    expect(verdict(unsized("abcdefghij"), "LIST-LIMIT-DEFAULT").outcome).toBe("held");
  });

  test("equals the beginning of a longer page", () => {
    const scenario = new ListScenario().reads(TWELVE, 50).page([], "abcdefghij", { next: "10" });
    expect(verdict(scenario, "LIST-LIMIT-DEFAULT").outcome).toBe("held");
  });

  test("violates the rule if it differs twice while the list is unchanged", () => {
    const once = unsized("abcde");
    expect(verdict(once, "LIST-LIMIT-DEFAULT")).toMatchObject({ reason: "drift" });
    expect(verdict(unsized("abcde", once), "LIST-LIMIT-DEFAULT")).toMatchObject({
      violations: [{ actual: "5 items", certainty: "suspected" }],
    });
  });

  test("proves nothing about a list that is no longer than the page", () => {
    const short = new ListScenario().reads("abc", 10).page([], "abc").reads("abc", 10);
    expect(verdict(short, "LIST-LIMIT-DEFAULT")).toMatchObject({ reason: "no-data" });
  });
});

describe("a page size that is allowed", () => {
  test("is suspected if it is rejected while others are accepted", () => {
    const scenario = new ListScenario().reads("abc", 10).page([["limit", "7"]], "", { status: 400 });
    expect(verdict(scenario, "LIST-LIMIT-ACCEPTED", "any")).toMatchObject({
      violations: [{ expected: "limit=7 to be accepted", actual: "status 400" }],
    });
  });

  test("proves nothing if no size is accepted under the version", () => {
    const version = "caph.2025-06-20";
    const scenario = new ListScenario().page([["limit", "7"]], "", { status: 400, version });
    expect(verdict(scenario, "LIST-LIMIT-ACCEPTED", "any")).toMatchObject({ reason: "control-rejected" });
    expect(verdict(scenario.reads("abc", 10), "LIST-LIMIT-ACCEPTED", "any").outcome).toBe("held");
  });
});

describe("a total on a first page", () => {
  const totals = (...each: number[]) =>
    each.reduce((scenario, total) => scenario.reads("abcd", 50, { total }), new ListScenario("listWebhooks"));

  test("is the number of items", () => {
    expect(verdict(totals(4), "LIST-TOTAL-EXACT").outcome).toBe("held");
  });

  test("violates the rule if it is wrong each time while the list is unchanged", () => {
    expect(verdict(totals(9, 9, 9), "LIST-TOTAL-EXACT").outcome).toBe("violated");
    expect(verdict(totals(3, 3, 3), "LIST-TOTAL-EXACT").outcome).toBe("violated");
  });

  test("of a copy may lag behind others until the consistency timeout after a create", () => {
    const small = (scenario: ListScenario) =>
      scenario.reads("abcd", 50, { total: 4 }).page([["limit", "1"]], "b", { next: "b", total: 3 });
    const twice = (scenario: ListScenario) => small(small(scenario)).reads("abcd", 50, { total: 4 });
    const made = () => new ListScenario("listWebhooks").creates("createWebhook");
    expect(verdict(twice(made()), "LIST-TOTAL-EXACT").outcome).toBe("held");
    const over = twice(made().waits(2_000));
    expect(verdict(over, "LIST-TOTAL-EXACT").outcome).toBe("violated");
    const ofOthers = twice(new ListScenario("listWebhooks").creates("createFinancialAccount"));
    expect(verdict(ofOthers, "LIST-TOTAL-EXACT").outcome).toBe("violated");
  });

  test("may be late once", () => {
    expect(verdict(totals(3, 4), "LIST-TOTAL-EXACT").outcome).toBe("held");
    expect(verdict(totals(3), "LIST-TOTAL-EXACT")).toMatchObject({ reason: "drift" });
  });

  test("is not counted in a list that was not read to its end", () => {
    const cut = new ListScenario("listWebhooks").pages(["abcd"], 50, { next: "d", total: 9 });
    expect(verdict(cut, "LIST-TOTAL-EXACT")).toMatchObject({ reason: "budget" });
  });

  test("is wrong below the number of items shown, also if the list was not read to its end", () => {
    const cut = () => new ListScenario("listWebhooks").pages(["abcd"], 50, { next: "d", total: 3 });
    const read = [1, 2].reduce((scenario) => scenario.pages(["abcd"], 50, { next: "d", total: 3 }), cut());
    expect(verdict(read, "LIST-TOTAL-EXACT").outcome).toBe("violated");
  });
});

describe("the order", () => {
  const shuffled = (...each: string[]) =>
    each.reduce((scenario, ids) => scenario.pages([ids], 5, { next: "5" }), new ListScenario());

  test("of a page must not change from read to read", () => {
    expect(verdict(shuffled("abcde", "badce", "ecdab"), "LIST-ORDER").outcome).toBe("violated");
  });

  test("of a page may change once, by chance", () => {
    expect(verdict(shuffled("abcde", "badce", "badce"), "LIST-ORDER").outcome).not.toBe("violated");
  });

  test("of a page may change together with its items, which may be sorted by their changes", () => {
    const scenario = new ListScenario();
    for (const [index, ids] of ["abcde", "badce", "ecdab"].entries())
      scenario.pages([ids], 5, { next: "5", fields: { status: index } });
    expect(verdict(scenario, "LIST-ORDER").outcome).not.toBe("violated");
  });
});

describe("a page with a next", () => {
  test("must be full", () => {
    expect(verdict(new ListScenario().reads("abcd", 2), "LIST-FULL-PAGES").outcome).toBe("held");
    expect(verdict(new ListScenario().pages(["ab", "c", "d"], 2), "LIST-FULL-PAGES")).toMatchObject({
      violations: [{ expected: "2 items, because there is a next", actual: "1 item" }],
    });
    expect(verdict(new ListScenario().reads("ab", 2), "LIST-FULL-PAGES")).toMatchObject({
      reason: "no-data",
    });
  });
});
