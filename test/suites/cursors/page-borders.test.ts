import { describe, expect, test } from "vitest";
import { ListScenario } from "../../history/list-scenario.ts";
import { verdict } from "../verdict.ts";

const firstPage = (scenario: ListScenario, items = "ab") => scenario.pages([items], 2, { next: "2" });
const twoPages = (scenario: ListScenario, second: string) => scenario.pages(["ab", second], 2, { next: "4" });

describe("a page that repeats an item of the page before", () => {
  const repeated = (before: string) =>
    firstPage(twoPages(firstPage(firstPage(new ListScenario(), before)), "bc"));

  test("violates a rule if the first page is always the same", () => {
    expect(verdict(repeated("ab"), "CURSOR-ONCE").outcome).toBe("violated");
  });

  test("proves nothing if the list changes", () => {
    expect(verdict(repeated("xa"), "CURSOR-ONCE").outcome).not.toBe("violated");
  });

  test("proves nothing if the page before was not read again", () => {
    const scenario = twoPages(firstPage(firstPage(new ListScenario())), "bc");
    expect(verdict(scenario, "CURSOR-ONCE").outcome).not.toBe("violated");
  });
});

describe("a page that lacks the item behind the page before", () => {
  const wide = (scenario: ListScenario) => scenario.pages(["abcdef"], 6, { next: "6" });
  const leftOut = (last: string) =>
    firstPage(twoPages(wide(firstPage(firstPage(new ListScenario()))), "de")).pages([last], 6, { next: "6" });

  test("violates a rule if larger pages show the item before and after", () => {
    expect(verdict(leftOut("abcdef"), "CURSOR-COMPLETE").outcome).toBe("violated");
  });

  test("proves nothing if a larger page shows another item there later", () => {
    expect(verdict(leftOut("abdefg"), "CURSOR-COMPLETE").outcome).not.toBe("violated");
  });

  test("is no violation if it holds the item", () => {
    const scenario = wide(twoPages(wide(firstPage(firstPage(firstPage(new ListScenario())))), "cd"));
    expect(verdict(scenario, "CURSOR-COMPLETE").outcome).not.toBe("violated");
  });
});

describe("a page that ends the list, although others follow its last item before and after", () => {
  const whole = (scenario: ListScenario) => scenario.pages(["abcdef"], 6);
  const begun = (scenario: ListScenario) => scenario.page([["limit", "2"]], "ab", { next: "snapshot-2" });
  const ended = (scenario: ListScenario) =>
    scenario.page(
      [
        ["limit", "2"],
        ["after", "snapshot-2"],
      ],
      "cd",
    );

  test("violates a rule if they followed before its walk began", () => {
    const scenario = whole(ended(begun(whole(new ListScenario()))));
    expect(verdict(scenario, "CURSOR-END").outcome).toBe("violated");
  });

  test("proves nothing if its cursor may show the list as it was when the walk began", () => {
    const scenario = whole(ended(whole(begun(new ListScenario()))));
    expect(verdict(scenario, "CURSOR-END").outcome).not.toBe("violated");
  });
});
