import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { History } from "../../history/history.ts";
import type { Violation } from "../../history/result.ts";
import { stepsOf } from "../../runner/confirming/steps.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { spec } from "../spec/package-spec.ts";

function steps(past: HistoryBuilder, shown: number[], offending: string, edition = spec) {
  const [last = 0] = shown.slice(-1);
  const violation: Violation = {
    certainty: "suspected",
    expected: "isActive true",
    actual: "isActive false",
    shownBy: shown.flatMap((index) => {
      const entry = past.entries[index];
      return entry ? [{ entry, ...(index === last ? { offending } : {}) }] : [];
    }),
  };
  return stepsOf(violation, new History(edition, HEAD, past.entries));
}

const indexes = (entries: readonly { index: number }[]) => entries.map(({ index }) => index);

describe("the requests that a violation always needs", () => {
  const until = (created: boolean) =>
    new HistoryBuilder(spec)
      .creates("w1", { isActive: created })
      .updates("w1", { isActive: true })
      .rejects("w1", { name: 7 })
      .updates("w1", { name: "b" }, { name: "b", isActive: false });

  test("include the update that gave the wrong field its expected value", () => {
    const { core, writesBefore } = steps(until(false), [0, 3], "/result/isActive");
    expect([indexes(core), indexes(writesBefore)]).toEqual([[0, 1, 3], [2]]);
  });

  test("do not include it if the resource was made with that value", () => {
    const { core, writesBefore } = steps(until(true), [0, 3], "/result/isActive");
    expect([indexes(core), indexes(writesBefore)]).toEqual([
      [0, 3],
      [1, 2],
    ]);
  });
});

test("an update of another resource with the same id gave no field its value", () => {
  const past = new HistoryBuilder(spec)
    .creates("1", { name: "a" })
    .updates("1", { name: "b" })
    .answers("PATCH /payment-codes/{id}", { result: { id: "1" } }, { path: "1", sent: { name: "c" } })
    .updates("1", { isActive: true }, { name: "a", isActive: true });
  expect(indexes(steps(past, [3], "/result/name").core)).toEqual([0, 1, 3]);
});

test("a resource of another space with the same id is not needed", () => {
  const other = { space: "spc-other" };
  const past = new HistoryBuilder(spec)
    .creates("1", { name: "a" })
    .creates("1", { name: "a" }, other)
    .updates("1", { name: "b" }, { name: "b" }, other)
    .updates("1", { name: "c" })
    .updates("1", { isActive: true }, { name: "a", isActive: true }, other);
  expect(indexes(steps(past, [4], "/result/name").core)).toEqual([1, 2, 4]);
});

test("a request in another space than that of the resource needs its create", () => {
  const past = new HistoryBuilder(spec)
    .creates("1", { name: "a" })
    .updates("1", { name: "b" }, { name: "b" }, { space: "spc-other" });
  expect(indexes(steps(past, [1], "status").core)).toEqual([0, 1]);
});

test("an action on another resource with the same id is not needed", () => {
  const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
  const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
  const past = new HistoryBuilder(theatre)
    .answers("POST /stage/plays", { result: { id: "1" } }, { sent: { title: "a" } })
    .answers("POST /stage/patrons", { result: { number: 1 } }, { sent: { name: "a" } })
    .answers("POST /stage/plays/{play}/close", { result: { id: "1" } }, { path: "1", sent: {} })
    .answers("GET /stage/patrons/{number}", { result: { number: 1 } }, { path: "1" })
    .answers("GET /stage/plays/{play}", { result: { id: "1" } }, { path: "1" });
  expect(indexes(steps(past, [3], "/result/name", theatre).core)).toEqual([1, 3]);
  expect(indexes(steps(past, [4], "/result/title", theatre).core)).toEqual([0, 2, 4]);
});

test("each resource in a path has its own create, also if the ids are equal numbers", () => {
  const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
  const orchard = loadSpec(file("test/editions/orchard/openapi.yaml"), file("spec/requirements.yaml"));
  const rows = "/v2/groves/{grove}/rows";
  const past = new HistoryBuilder(orchard)
    .answers("POST /v2/groves", { result: { id: "1" } }, { sent: { name: "a" } })
    .answers("POST /v2/groves", { result: { id: "2" } }, { sent: { name: "b" } })
    .answers(`POST ${rows}`, { result: { row: 1 } }, { path: "1", sent: { spacing: 200 } })
    .answers(`POST ${rows}`, { result: { row: 1 } }, { path: "2", sent: { spacing: 200 } })
    .answers(`GET ${rows}/{row}`, { result: { row: 1 } }, { outer: { grove: "2" }, path: "1" });
  expect(indexes(steps(past, [4], "/result/spacing", orchard).core)).toEqual([1, 3, 4]);
});

test("a fixture has no create, even if the run made something with its id", () => {
  const past = new HistoryBuilder(spec)
    .creates("5", { name: "a" })
    .answers("PATCH /payouts/{id}", { result: { id: "5" } }, { path: "5", sent: { metadata: {} } });
  expect(steps(past, [1], "/result/metadata")).toMatchObject({ core: [{ index: 1 }], isOwn: false });
});

test("the history of a fixture begins with the last two writes before the violation", () => {
  const PAYOUT = "PATCH /payouts/{id}";
  const update = (past: HistoryBuilder, path: string, note: string) =>
    past.answers(PAYOUT, { result: { id: path } }, { path, sent: { metadata: { note } } });
  const past = new HistoryBuilder(spec);
  for (const [id, note] of [
    ["p1", "a"],
    ["p1", "b"],
    ["p2", "c"],
    ["p1", "d"],
    ["p1", "e"],
  ] as const)
    update(past, id, note);
  past.answers("GET /payouts/{id}", { result: { id: "p1" } }, { path: "p1" });
  expect(indexes(steps(past, [4, 5], "/result/metadata").writesBefore)).toEqual([2, 1, 3]);
});

test("a rejected update is undone by a read of its resource", () => {
  const past = new HistoryBuilder(spec)
    .answers("GET /payouts/{id}", { success: true, messages: [], result: { id: "p2" } }, { path: "p2" })
    .answers("GET /payouts/{id}", { success: true, messages: [], result: { id: "p1" } }, { path: "p1" })
    .answers("PATCH /payouts/{id}", {}, { path: "p1", sent: { metadata: {} }, status: 409 });
  expect(steps(past, [2], "status").reset?.index).toBe(1);
});

describe("if a list shows a wrong switch", () => {
  const past = () =>
    new HistoryBuilder(spec)
      .creates("w1", { isActive: false })
      .creates("w2", { isActive: false })
      .updates("w1", { isActive: true })
      .updates("w2", { isActive: false })
      .updates("w2", { name: "b" })
      .lists([{ id: "w1", isActive: false }]);
  const stepsWith = (made: number, setBy: number) => {
    const { entries } = past();
    const [create = null, set = null, list] = [entries[made], entries[setBy], entries[5]];
    const wrongField = { name: "isActive", shown: false, made: create, setBy: set };
    const shownBy = list ? [{ entry: list }] : [];
    const violation: Violation = {
      certainty: "suspected",
      expected: "true",
      actual: "false",
      shownBy,
      wrongField,
    };
    return stepsOf(violation, new History(spec, HEAD, entries));
  };

  test("its resource is created again, and the switch is set again", () => {
    const { core, isOwn } = stepsWith(0, 2);
    expect([indexes(core), isOwn]).toEqual([[0, 2, 5], true]);
  });

  test("the switch is not set again if the create showed its value", () => {
    expect(indexes(stepsWith(1, 3).core)).toEqual([1, 5]);
  });

  test("an update that sent the shown value is the likeliest cause, so it comes last", () => {
    expect(indexes(stepsWith(0, 2).writesAfter)).toEqual([4, 3]);
  });
});

test("writes to the same resource come first among the earlier writes", () => {
  const past = new HistoryBuilder(spec)
    .creates("w1", { name: "a" })
    .creates("w2", { name: "a" })
    .updates("w1", { url: "https://example.com/a" })
    .updates("w2", { name: "b" })
    .updates("w1", { url: "https://example.com/b" }, { name: "c", url: "https://example.com/b" });
  expect(indexes(steps(past, [0, 4], "/result/name").writesBefore)).toEqual([1, 3, 2]);
});

describe("the requests before a read that may explain its answer", () => {
  const LIST = "GET /v1/payment-codes";
  const page = (next: string | null) => ({
    success: true,
    messages: [],
    result: [],
    pagination: { count: 0, next },
  });

  test("include the first page of the list that it continues", () => {
    const past = new HistoryBuilder(spec)
      .answers(LIST, page("c1"))
      .answers(LIST, page(null), { query: [["status", "pending"]] })
      .answers(LIST, page(null), { query: [["after", "c1"]] });
    expect(indexes(steps(past, [2], "status").core)).toEqual([0, 2]);
  });

  test("include one request with each kind of fault before a second one of a kind", () => {
    const past = new HistoryBuilder(spec).answers(LIST, {}, { status: 400, version: "caph.2020-01-01" });
    for (const kind of ["empty-token", "altered", "unknown", "none"] as const)
      past.answers(LIST, {}, { status: 401, credential: { kind, token: null } });
    past.answers(LIST, {}, { status: 400 });
    // First come the two requests right before the read, and then one of each kind of fault that these lack.
    const { causes } = steps(past, [5], "status");
    expect(indexes(causes.map(({ cause }) => cause))).toEqual([4, 3, 0, 2, 1]);
  });

  test("include the last accepted request, whatever was rejected since", () => {
    const past = new HistoryBuilder(spec).answers(LIST, page(null), { query: [["status", "pending"]] });
    for (const limit of ["0", "x", "-1", "1e3"])
      past.answers(LIST, {}, { status: 400, query: [["limit", limit]] });
    past.answers(LIST, {}, { status: 500 });
    expect(steps(past, [5], "status").causes[0]?.cause.index).toBe(0);
  });

  test("include those before the first answer to a repeated read, which may be the wrong one", () => {
    const pageAt = (cursor: string) => ({ query: [["after", cursor]] satisfies [string, string][] });
    const past = new HistoryBuilder(spec)
      .answers(LIST, page("c1"))
      .answers(LIST, {}, { status: 400, query: [["limit", "0"]] })
      .answers(LIST, page(null), pageAt("c1"))
      .answers(LIST, page(null), { query: [["status", "pending"]] })
      .answers(LIST, page("c2"), pageAt("c1"));
    const pairs = steps(past, [2, 4], "/result").causes.map(({ cause, before }) => [
      cause.index,
      before.index,
    ]);
    expect(pairs).toEqual([
      [3, 4],
      [1, 2],
      [1, 4],
    ]);
  });
});

test("a rejected create is compared with the first accepted one that has its fields", () => {
  const create = "POST /webhooks";
  const past = new HistoryBuilder(spec)
    .creates("w1", { name: "a" })
    .creates("w2", { name: "b", url: "https://hooks.example.com/b", events: null })
    .creates("w3", { name: "c", url: "https://hooks.example.com/c" })
    .answers(create, {}, { status: 409, sent: { name: "d", url: "https://hooks.example.com/d" } });
  expect(steps(past, [3], "status").twin?.index).toBe(1);
});

test("the reads between two pages begin after the page that gave out the cursor", () => {
  const page = (next: string | null) => ({ success: true, messages: [], result: [], pagination: { next } });
  const list = "GET /webhooks";
  const past = new HistoryBuilder(spec)
    .answers(list, page("one"))
    .answers(list, page("two"))
    .answers(list, { error: "rejected" }, { status: 400, query: [["limit", "0"]] })
    .answers(list, page("three"), { query: [["limit", "2"]] })
    .answers(list, page("four"), { query: [["limit", "3"]] })
    .answers(list, page(null), { query: [["after", "one"]] });
  expect(indexes(steps(past, [0, 3, 5], "").readsBetween)).toEqual([1, 4]);
  expect(indexes(steps(past, [0, 3], "").readsBetween)).toEqual([1]);
});
