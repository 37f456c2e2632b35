import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anchorOf, sectionsOf } from "../../spec/specification-text.ts";
import { spec } from "./package-spec.ts";

const text = readFileSync(new URL("../../spec/specification.md", import.meta.url), "utf8");

describe("the specification in the repository", () => {
  const sections = sectionsOf(text);

  test("has every section that a requirement or an operation names", () => {
    const named = [...spec.requirements.values(), ...spec.operations].map(({ section }) => section);
    expect([...new Set(named)].filter((section) => !sections.has(section))).toEqual([]);
  });

  test("describes each operation in the section that the operation names", () => {
    for (const { key, section } of spec.operations) {
      const { title = "", text: words = "" } = sections.get(section) ?? {};
      expect(`${title}\n${words}`, key).toContain(key);
    }
  });

  test("has each section at the line that is given", () => {
    const lines = text.split("\n");
    for (const [number, { title, line }] of sections)
      expect(lines[line - 1]).toMatch(new RegExp(`^#+ ${number}\\.? ${title.slice(0, 3)}`));
  });
});

test("a section ends at the next heading, numbered or not", () => {
  const sections = sectionsOf("# Title\n\n## 1. One\n\na\n\n### 1.1 Deep\nb\n# Notes\nc\n");
  expect(Object.fromEntries(sections)).toEqual({
    "1": { title: "One", line: 3, text: "a" },
    "1.1": { title: "Deep", line: 7, text: "b" },
  });
});

test.each([
  ["2.2", "Pagination object", "22-pagination-object"],
  ["4.4", "GET /payment-codes/{id}", "44-get-payment-codesid"],
  [
    "2.10",
    "Bank and Momo (provider records; the same shape)",
    "210-bank-and-momo-provider-records-the-same-shape",
  ],
])("the anchor of %s %s is that of GitHub and GitLab", (number, title, anchor) => {
  expect(anchorOf(number, title)).toBe(anchor);
});
