import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { isObject } from "../../../spec/json.ts";
import { notEmptyBetween } from "../../../suites/reads/empty-rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, spec, specOf } from "../../spec/package-spec.ts";

const OLDER = "caph.2025-06-20";
const NEWER = "caph.2025-08-23";
const LIST = "GET /v1/ussd-otps";
const [check] = notEmptyBetween(spec, "reads").filter(({ operation }) => operation === LIST);

/**
 * The outcome for a history in which one list is read several times. `lists` has the ids that each answer shows,
 * `spaces` and `versions` its space (by default spc-main) and its version (by default the newer one).
 */
function judge(
  lists: readonly string[][],
  { spaces = [], versions = [] }: { spaces?: string[]; versions?: string[] } = {},
): string | undefined {
  const past = new HistoryBuilder(spec);
  for (const [at, ids] of lists.entries()) {
    const result = ids.map((id) => ({ id }));
    const pagination = { count: ids.length, next: null };
    past.answers(
      LIST,
      { success: true, messages: [], result, pagination },
      { space: spaces[at] ?? "spc-main", version: versions[at] ?? NEWER },
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
    expect(judge([["a"], [], ["a"]], { spaces: ["spc-main", "spc-other"] })).toBe("held");
  });
});

test("a list may be empty under one version", () => {
  expect(judge([["a"], [], ["a"]], { versions: [NEWER, OLDER] })).toBe("held");
  expect(judge([["a"], [], ["a"], ["a"]], { versions: [NEWER, OLDER, NEWER, OLDER] })).toBe("violated");
});

test("a list may become empty, and show other resources later", () => {
  expect(judge([["a"], []])).toBe("not-exercised");
  expect(judge([["a"], [], ["b"]])).toBe("held");
  expect(judge([[], ["a"]])).toBe("not-exercised");
});

test("a list may show a resource of the run late, even if no operation updates it", () => {
  const document = documentCopy();
  const { paths } = document;
  if (!isObject(paths)) throw new Error("the document has no paths");
  const { "/webhooks/{id}": _, ...others } = paths;
  const edition = specOf({ ...document, paths: others });
  const past = new HistoryBuilder(edition).creates("w1", { name: "a" }, { key: "k-1" });
  for (const shown of [[{ id: "w1" }], [], [{ id: "w1" }]])
    past.answers("GET /webhooks", {
      success: true,
      messages: [],
      result: shown,
      pagination: { count: shown.length, next: null, total: shown.length },
    });
  const rule = notEmptyBetween(edition, "reads").find(({ operation }) => operation === "GET /webhooks");
  expect(rule?.verdict?.(new History(edition, HEAD, past.entries)).outcome).toBe("held");
});
