import { describe, expect, test } from "vitest";
import type { Pairs } from "../../../history/entry.ts";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { ListScenario } from "../../history/list-scenario.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";
import { verdict } from "../verdict.ts";

/** A history with a page after or before an item, twice, between reads of the whole list. */
const beside = (query: Pairs, ids: string, whole = "abcdefg", more: { status?: number } = {}) =>
  besideTwice(query, ids, whole, whole, more);

function besideTwice(
  query: Pairs,
  ids: string,
  whole: string,
  later: string,
  more: { status?: number } = {},
) {
  const sized: Pairs = [...query, ["limit", "3"]];
  return new ListScenario("listWebhooks")
    .reads(whole, 50)
    .page(sized, ids, { next: "x", ...more })
    .reads(later, 50)
    .page(sized, ids, { next: "x", ...more })
    .reads(whole, 50);
}

const after: Pairs = [["after", "d"]];
const before: Pairs = [["before", "d"]];

describe("after an item", () => {
  const outcome = (scenario: ListScenario) => verdict(scenario, "ITEM-CURSOR-AFTER", "middle").outcome;

  test("come the next items, or the first of them", () => {
    expect(outcome(beside(after, "efg"))).toBe("held");
    expect(outcome(beside(after, "ef"))).toBe("held");
  });

  test.each(["fg", "def", "abc", "egf", "efgx"])("must not come %s", (ids) => {
    expect(outcome(beside(after, ids))).toBe("violated");
  });

  test("must not come a rejection", () => {
    expect(outcome(beside(after, "", "abcdefg", { status: 400 }))).toBe("violated");
  });

  test("proves nothing if the list moved or the item is gone", () => {
    expect(outcome(besideTwice(after, "fg", "abcdefg", "xabcdefg"))).toBe("not-exercised");
    expect(outcome(beside(after, "efg", "abcefg"))).toBe("not-exercised");
  });

  test("each place of the list has a check of its own", () => {
    expect(verdict(beside(after, "fg"), "ITEM-CURSOR-AFTER", "tail").outcome).toBe("not-exercised");
    expect(verdict(beside([["after", "a"]], "cd"), "ITEM-CURSOR-AFTER", "head").outcome).toBe("violated");
  });
});

describe("before an item", () => {
  const outcome = (scenario: ListScenario) => verdict(scenario, "ITEM-CURSOR-BEFORE", "middle").outcome;

  test.each(["abc", "bc", "ab"])("may come %s", (ids) => {
    expect(outcome(beside(before, ids))).toBe("held");
  });

  test.each(["bcd", "efg", ""])("must not come %s", (ids) => {
    expect(outcome(beside(before, ids))).toBe("violated");
  });
});

describe("after one item and before another", () => {
  const both = (alone: string, ids: string) => {
    const scenario = new ListScenario("listWebhooks").reads("abcdefg", 50);
    for (let round = 0; round < 2; round++)
      scenario
        .page([...after, ["limit", "3"]], alone, { next: "x" })
        .page([...after, ["before", "f"], ["limit", "3"]], ids, { next: "x" })
        .reads("abcdefg", 50);
    return verdict(scenario, "ITEM-CURSOR-PRECEDENCE", "later before").outcome;
  };

  test("come the items that come after the one alone", () => {
    expect(both("efg", "efg")).toBe("held");
    expect(both("efg", "e")).toBe("violated");
    expect(both("efg", "abc")).toBe("violated");
  });
});

test("the items on a page before an item are recorded", () => {
  const noted = (ids: string) => {
    const scenario = new ListScenario("listWebhooks").reads("abcdefg", 50);
    return verdict(
      scenario.page(
        [
          ["before", "g"],
          ["limit", "3"],
        ],
        ids,
      ),
      "BEFORE-PAGE",
    );
  };
  expect(noted("def")).toMatchObject({ notes: [{ answer: { word: "nearest" } }] });
  expect(noted("abc")).toMatchObject({ notes: [{ answer: { word: "first" } }] });
  expect(noted("bcd")).toMatchObject({ notes: [{ answer: { word: "other" } }] });
});

test("pages of a list without a page size are judged, too", () => {
  const document = documentCopy();
  const list = objectAt(document, "paths", "/webhooks", "get");
  list.parameters = (list.parameters as JsonObject[]).filter(({ $ref }) => !String($ref).endsWith("/Limit"));
  const edition = specOf(document);
  const check = allChecks(edition).find(
    ({ id }) => id === "item-cursors/ITEM-CURSOR-AFTER GET /webhooks head",
  );
  const page = (ids: string) => {
    const result = [...ids].map((id) => ({ id }));
    return { success: true, messages: [], result, pagination: { count: ids.length, next: null } };
  };
  const outcome = (ids: string) => {
    const past = new HistoryBuilder(edition);
    const query: Pairs = [["after", "a"]];
    for (const _ of "12")
      past.answers("GET /webhooks", page("abc")).answers("GET /webhooks", page(ids), { query });
    return check?.verdict(new History(edition, HEAD, past.answers("GET /webhooks", page("abc")).entries))
      .outcome;
  };
  expect([outcome("bc"), outcome("c")]).toEqual(["held", "violated"]);
});
