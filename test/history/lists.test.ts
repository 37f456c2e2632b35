import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { operationById } from "../../spec/operations.ts";
import { documentCopy, objectAt, operation, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";
import { ListScenario } from "./list-scenario.ts";

const reads = (scenario: ListScenario) =>
  scenario.history.lists.reads(scenario.list).map(({ ids, size, end }) => [ids.join(""), size, end]);

test("pages are joined by their cursors, whatever is read in between", () => {
  const scenario = new ListScenario()
    .page([["limit", "2"]], "ab", { next: "2" })
    .page([["limit", "3"]], "abc", { next: "3" })
    .page(
      [
        ["limit", "2"],
        ["after", "2"],
      ],
      "cd",
    );
  expect(reads(scenario)).toEqual([
    ["abcd", 2, "last-page"],
    ["abc", 3, "not-followed"],
  ]);
});

test("a page continues the latest page that gave its cursor, and only one page does", () => {
  const scenario = new ListScenario().pages(["ab"], 2, { next: "2" }).reads("abcd", 2);
  scenario.page(
    [
      ["limit", "2"],
      ["after", "2"],
    ],
    "cd",
  );
  expect(reads(scenario)).toEqual([
    ["ab", 2, "not-followed"],
    ["abcd", 2, "last-page"],
  ]);
});

test("another version, size or filter is another read", () => {
  const scenario = new ListScenario("listPaymentCodes")
    .page([["limit", "2"]], "ab", { next: "2" })
    .page([["after", "2"]], "cd")
    .page(
      [
        ["limit", "2"],
        ["after", "2"],
      ],
      "cd",
      { version: "caph.2025-08-23" },
    )
    .page(
      [
        ["limit", "2"],
        ["mode", "recurrent"],
        ["after", "2"],
      ],
      "cd",
    );
  expect(reads(scenario)).toEqual([["ab", 2, "not-followed"]]);
});

test.each<[string, [string, string][]]>([
  [
    "a repeated parameter",
    [
      ["limit", "2"],
      ["limit", "3"],
    ],
  ],
  ["an unusual spelling", [["limit", "05"]]],
  ["a size that is not allowed", [["limit", "51"]]],
  ["an empty value", [["after", ""]]],
  ["a parameter that is not documented", [["page", "2"]]],
])("%s makes no read: what it asks for is not clear", (_, query) => {
  expect(reads(new ListScenario().page(query, "ab"))).toEqual([]);
});

test("a refused cursor ends a read, unless it led on before", () => {
  const refused = new ListScenario().pages(["ab"], 2, { next: "2" });
  const after: [string, string][] = [
    ["limit", "2"],
    ["after", "2"],
  ];
  expect(reads(refused.page(after, "", { status: 400 }))).toEqual([["ab", 2, "rejected"]]);
  const spent = new ListScenario().reads("abcd", 2).pages(["ab"], 2, { next: "2" });
  expect(reads(spent.page(after, "", { status: 400 }))).toEqual([
    ["abcd", 2, "last-page"],
    ["ab", 2, "not-followed"],
  ]);
});

test("a cursor that was given before is a loop, and an empty one an end", () => {
  expect(reads(new ListScenario().pages(["ab", "cd"], 2, { next: "2" }))).toEqual([["abcd", 2, "loop"]]);
  expect(reads(new ListScenario().pages(["ab"], 2, { next: "" }))).toEqual([["ab", 2, "last-page"]]);
});

test("a cursor of the wrong type makes a page unreadable", () => {
  expect(reads(new ListScenario().pages(["ab"], 2, { next: 2 }))).toEqual([]);
});

test("reads are those of the round that is judged", () => {
  expect(reads(new ListScenario().reads("ab", 2).reads("abc", 2, { round: 2 }))).toEqual([
    ["abc", 2, "last-page"],
  ]);
});

const file = (name: string) => ({
  name,
  text: readFileSync(new URL(`../editions/library/${name}`, import.meta.url), "utf8"),
});
const library = loadSpec(file("openapi.yaml"), file("requirements.yaml"));

test("a list below a resource that the space does not have is no page of that list", () => {
  const [own, other] = ["br_ost_0001", "br_sud_0002"];
  const past = new HistoryBuilder(library)
    .answers("GET /books", { result: [{ book_no: 7 }], pagination: { count: 1, next: null } }, { space: own })
    .answers("GET /books/{book_no}/loans", { result: [], pagination: {} }, { path: "7", space: own })
    .answers("GET /books/{book_no}/loans", { error: "no" }, { path: "7", space: other, status: 404 });
  const history = new History(library, { ...HEAD, spaces: [own, other] }, past.entries);
  const pages = history.lists.pages(operationById(library, "listLoans"));
  expect(pages.map(({ entry }) => entry.space)).toEqual([own]);
});

test("an id is unknown under another parent, though an answer repeats it", () => {
  const space = "br_ost_0001";
  const read = "GET /books/{book_no}/loans/{loan_id}";
  const loan = { result: { loan_id: "l" } };
  const past = new HistoryBuilder(library)
    .answers("GET /books", { result: [{ book_no: 7 }, { book_no: 8 }] }, { space })
    .answers("GET /books/{book_no}/loans", { result: [{ loan_id: "l" }] }, { path: "7", space })
    .answers(read, loan, { path: "l", outer: { book_no: "7" }, space })
    .answers(read, loan, { path: "l", outer: { book_no: "8" }, space });
  const { answers } = new History(library, { ...HEAD, spaces: [space] }, past.entries);
  const found = past.entries.slice(2).map((entry) => answers.classification(entry));
  expect(found).toMatchObject([
    { kind: "valid" },
    { kind: "faulty", faults: [{ requirement: "READ-UNKNOWN", place: "path/loan_id" }] },
  ]);
});

test("a next that may be a number is a cursor like its text", () => {
  const document = documentCopy();
  objectAt(document, "components", "schemas", "PaginationWithTotal", "properties").next = {
    type: ["integer", "null"],
  };
  const edition = specOf(document);
  const page = (id: string, next: number | null) => ({ result: [{ id }], pagination: { count: 1, next } });
  const { entries } = new HistoryBuilder(edition)
    .answers("GET /webhooks", page("a", 7))
    .answers("GET /webhooks", page("b", null), { query: [["after", "7"]] });
  const { lists } = new History(edition, HEAD, entries);
  expect(lists.reads(operation("GET /webhooks", edition)).map(({ ids }) => ids.join(""))).toEqual(["ab"]);
});
