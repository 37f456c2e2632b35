import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { notEmptyBetween } from "../../../suites/reads/empty-rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const LIST = "GET /v1/ussd-otps";
const [check] = notEmptyBetween(spec, "reads").filter(({ operation }) => operation === LIST);

/** The outcome for lists that show resources with these ids, of the space or of a space for each. */
function judge(lists: readonly string[][], spaces: readonly string[] = []): string | undefined {
  const past = new HistoryBuilder(spec);
  for (const [at, ids] of lists.entries()) {
    const result = ids.map((id) => ({ id }));
    const pagination = { count: ids.length, next: null };
    past.answers(
      LIST,
      { success: true, messages: [], result, pagination },
      { space: spaces[at] ?? "spc-main" },
    );
  }
  return check?.verdict?.(new History(spec, { ...HEAD, spaces: ["spc-main", "spc-other"] }, past.entries))
    .outcome;
}

describe("a list between two lists that show the same resource", () => {
  test("shows resources", () => {
    expect(judge([["a"], ["a"], ["a"]])).toBe("held");
  });

  test("must not be empty", () => {
    expect(judge([["a"], [], ["a"]])).toBe("violated");
    expect(judge([["a", "b"], [], [], ["b"]])).toBe("violated");
  });

  test("may be empty in another space", () => {
    expect(judge([["a"], [], ["a"]], ["spc-main", "spc-other", "spc-main"])).toBe("held");
  });
});

test("a list may become empty, and show other resources later", () => {
  expect(judge([["a"], []])).toBe("not-exercised");
  expect(judge([["a"], [], ["b"]])).toBe("held");
  expect(judge([[], ["a"]])).toBe("not-exercised");
});
