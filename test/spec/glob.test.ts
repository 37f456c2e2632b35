import { describe, expect, test } from "vitest";
import { globMatcher } from "../../spec/glob.ts";
import { didYouMean, nearest } from "../../spec/nearest.ts";

describe("globMatcher", () => {
  test.each([
    ["LIST-*", "LIST-COUNT", true],
    ["LIST-*", "A-LIST-COUNT", false],
    ["GET *", "GET /payment-codes/{id}", true],
    ["GET *", "PATCH /payouts/{id}", false],
    ["GET /banks/{idOrCode}", "GET /banks/{idOrCode}", true],
    ["*{id}", "PATCH /payouts/{id}", true],
    ["GET /{banks,momos}", "GET /momos", true],
    ["lists/*", "lists/GET-webhooks/LIST-COUNT", true],
    ["*(x", "a(x", true],
    ["!LIST-*", "AUTH-MISSING", false],
    ["", "", true],
    ["", "a", false],
  ])("%j on %j: %j", (pattern, text, fits) => {
    expect(globMatcher([pattern])(text)).toBe(fits);
  });

  test("one matching pattern is enough, and without patterns nothing matches", () => {
    expect(globMatcher(["a", "b*"])("bc")).toBe(true);
    expect(globMatcher([])("a")).toBe(false);
  });
});

describe("nearest", () => {
  test("has the fewest edits, in any casing", () => {
    expect(nearest("list-cuont", ["LIST-COUNT", "LIST-ORDER"])).toBe("LIST-COUNT");
    expect(didYouMean("x", [])).toBe("");
    expect(didYouMean("rnu", ["run", "serve"])).toBe("; did you mean run?");
  });
});
