import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestTo, withBody, withHeaders, withQuery } from "../../generators/request.ts";
import { awkwardId, awkwardText, cutToBytes, DECLINABLE_TEXTS } from "../../generators/text.ts";
import { operation } from "../spec/package-spec.ts";
import { exampleSource } from "./value-source.ts";

const bytesOf = (text: string) => Buffer.byteLength(text, "utf8");

/**
 * Fails unless the text is visible, has no control characters or lone surrogates, and is at most `bytes` long
 * in bytes and in UTF-16 units.
 */
function expectLegal(text: string, bytes: number): void {
  expect(text.trim()).not.toBe("");
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/\p{Cc}/u);
  expect(bytesOf(text)).toBeLessThanOrEqual(bytes);
  expect(text.length).toBeLessThanOrEqual(bytes);
}

describe("unusual text", () => {
  test("is legal at every size", () => {
    const sized = fc
      .integer({ min: 4, max: 120 })
      .chain((bytes) => fc.tuple(fc.constant(bytes), awkwardText(bytes)));
    fc.assert(
      fc.property(sized, ([bytes, text]) => expectLegal(text, bytes)),
      { numRuns: 500 },
    );
  });

  test("has many kinds", () => {
    const made = fc.sample(awkwardText(80), { numRuns: 400, seed: 5 });
    for (const kind of [
      /'/,
      /"/,
      /</,
      /&/,
      /\p{Emoji_Presentation}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Han}/u,
      /\u0301/,
      /\\/,
      /%/,
    ])
      expect(
        made.some((text) => kind.test(text)),
        String(kind),
      ).toBe(true);
    expect(new Set(made).size).toBeGreaterThan(40);
  });
});

test("text is cut between characters, never within one", () => {
  expect(cutToBytes("abc", 2)).toBe("ab");
  expect(cutToBytes("aé", 2)).toBe("a");
  expect(cutToBytes("💸", 3)).toBe("");
  expect(cutToBytes("e\u0301x", 2)).toBe("");
  expect(cutToBytes("👩‍👩‍👧", 17)).toBe("");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.nat(60), (text, bytes) => {
      const cut = cutToBytes(text, bytes);
      expect(text.startsWith(cut)).toBe(true);
      expect(bytesOf(cut)).toBeLessThanOrEqual(bytes);
    }),
  );
});

test("ids that name nothing can be put into a path", () => {
  fc.assert(
    fc.property(awkwardId(), (text) => {
      expectLegal(text, 60);
      expect(["", ".", ".."]).not.toContain(text);
      expect(new URL(`http://x/a/${encodeURIComponent(text)}`).pathname.split("/")).toHaveLength(3);
    }),
    { numRuns: 300 },
  );
});

test("texts that a service may decline hold control characters, or white space alone", () => {
  for (const { text } of DECLINABLE_TEXTS)
    expect(/[\p{Cc}\p{Cf}]/u.test(text) || text.trim() === "").toBe(true);
  expect(new Set(DECLINABLE_TEXTS.map(({ detail }) => detail)).size).toBe(DECLINABLE_TEXTS.length);
});

test("unique texts differ and begin with the run tag", () => {
  const source = exampleSource();
  const made = Array.from({ length: 500 }, () => source.unique());
  expect(new Set(made).size).toBe(500);
  for (const text of made) expect(text).toMatch(/^pc-1a2b3c4d-/);
});

describe("requests are values: each change makes a copy", () => {
  const plan = requestTo(operation("GET /webhooks"), null);

  test("query parameters are set, replaced and removed", () => {
    const one = withQuery(plan, { limit: "5", after: "a" });
    expect(one.query).toEqual([
      ["limit", "5"],
      ["after", "a"],
    ]);
    expect(withQuery(one, { limit: null, after: "b" }).query).toEqual([["after", "b"]]);
    expect(plan.query).toEqual([]);
  });

  test("header names are the same in any casing", () => {
    const one = withHeaders(withHeaders(plan, { Authorization: "x" }), { AUTHORIZATION: null, "X-Y": "z" });
    expect(one.headers).toEqual({ authorization: null, "x-y": "z" });
    expect(plan.headers).toEqual({});
  });

  test("a body is JSON", () => {
    expect(withBody(plan, { a: 1 }).body).toEqual({ kind: "json", value: { a: 1 } });
    expect(plan.body).toBeUndefined();
  });
});
