import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { otherSizes } from "../../../suites/reads/probes.ts";
import { sameInEachSize } from "../../../suites/reads/size-rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const LIST = "GET /v1/ussd-otps";
const [check] = sameInEachSize(spec, "reads").filter(({ operation }) => operation === LIST);

/**
 * The result for a history of pages, each with the same OTP. A page has a size (null: none was sent) and the OTP's
 * message. A write precedes the page with the index `write`.
 */
function judge(pages: readonly [size: number | null, message: string | null][], { write = -1 } = {}) {
  const past = new HistoryBuilder(spec);
  for (const [at, [size, verificationMessage]] of pages.entries()) {
    if (at === write) past.updates("w1", { name: "a" });
    past.waits(200).answers(
      LIST,
      {
        success: true,
        messages: [],
        result: [{ id: "o1", verificationMessage }],
        pagination: { count: 1, next: null },
      },
      { query: size === null ? [] : [["limit", String(size)]] },
    );
  }
  return check?.verdict?.(new History(spec, HEAD, past.entries));
}

const outcome = (result: RuleResult | undefined) =>
  result?.outcome === "violated" ? result.violations[0].certainty : result?.outcome;

/**
 * Pages for `judge`. For each size: two pages without a size, with the message `seen`, then one of that size, with the
 * message `other`. At the end, one more page without a size.
 */
const turns = (sizes: readonly number[], seen: string | null, other: string | null) => [
  ...sizes.flatMap((size): [number | null, string | null][] => [
    [null, seen],
    [null, seen],
    [size, other],
  ]),
  [null, seen] as [null, string | null],
];

describe("a record on pages of several sizes", () => {
  test("is the same on each", () => {
    expect(outcome(judge(turns([5, 6, 7, 8], "a", "a")))).toBe("held");
  });

  test("must not be another one on each page of a new size", () => {
    expect(outcome(judge(turns([5, 6, 7, 8], null, "a")))).toBe("suspected");
  });

  test("may be another one on pages of only three sizes, or on pages of one size, which a service may cache", () => {
    expect(outcome(judge(turns([5, 6, 7], null, "a")))).toBe("not-exercised");
    expect(outcome(judge(turns([5, 5, 5, 5], null, "a")))).toBe("not-exercised");
  });

  test("may change by itself", () => {
    const pages = turns([5, 6, 7, 8], null, "a");
    expect(outcome(judge(pages.with(4, [null, "b"])))).toBe("not-exercised");
    expect(outcome(judge(pages.with(5, [6, "b"])))).toBe("not-exercised");
  });

  test("may change by a write", () => {
    expect(outcome(judge(turns([5, 6, 7, 8], null, "a"), { write: 5 }))).toBe("not-exercised");
  });
});

test("pages are read in sizes that were not asked for, or in others if all were", () => {
  const list = spec.operations.find(({ key }) => key === LIST);
  if (!list) throw new Error(`no ${LIST}`);
  const sizes = (asked: number[]) => otherSizes(list, { place: 3, own: 50, asked: new Set(asked) });
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);
  expect(sizes(from(20, 50))).toEqual([16, 17, 18, 19]);
  expect(sizes(from(6, 50))).toEqual([48, 49, 4, 5]);
  expect(sizes(from(1, 50))).toEqual([46, 47, 48, 49]);
});

/**
 * The result for reads of a list with a second OTP. It shows the message `behind` on a page behind a cursor, and `first`
 * on the first page of each size.
 */
function judgeBehind(sizes: readonly number[], first: string, behind: string) {
  const past = new HistoryBuilder(spec);
  const page = (query: [string, string][], items: [id: string, message: string][], next: string | null) =>
    past.waits(100).answers(
      LIST,
      {
        success: true,
        messages: [],
        result: items.map(([id, verificationMessage]) => ({ id, verificationMessage })),
        pagination: { count: items.length, next },
      },
      { query },
    );
  const follow = () => {
    page([["limit", "1"]], [["o1", "one"]], "cursor");
    const after: [string, string][] = [
      ["limit", "1"],
      ["after", "cursor"],
    ];
    page(after, [["o2", behind]], null);
  };
  for (const size of sizes) {
    follow();
    follow();
    const whole: [string, string][] = [
      ["o1", "one"],
      ["o2", first],
    ];
    page([["limit", String(size)]], whole, null);
  }
  follow();
  return check?.verdict?.(new History(spec, HEAD, past.entries));
}

describe("a record on a page behind a cursor", () => {
  test("is the same as on the first page of each size", () => {
    expect(outcome(judgeBehind([5, 6, 7, 8], "two", "two"))).toBe("held");
  });

  test("must not be another one there", () => {
    expect(outcome(judgeBehind([5, 6, 7, 8], "two", "other"))).toBe("suspected");
  });

  test("may be another one on first pages of only three sizes", () => {
    expect(outcome(judgeBehind([5, 6, 7], "two", "other"))).not.toBe("suspected");
  });
});
