import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { bodyOf } from "../../history/body.ts";
import type { Delivery, Entry } from "../../history/entry.ts";
import {
  deliveryLine,
  entryLine,
  HistoryReader,
  headLine,
  judgementsLine,
  readHistory,
} from "../../history/lines.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const schema = createRequire(import.meta.url)("../../history/history.schema.json") as object;
const origin = { suite: { name: "suite", version: "1.0.0" }, spec: { title: "API", sha256: "0".repeat(64) } };

/**
 * Entries of every kind: a create, an answer with an unreadable body, two failures, an undocumented
 * operation.
 */
function everyKind(): Entry[] {
  const [made, read, lost, large, other] = new HistoryBuilder(spec)
    .creates("w1", { name: "a" }, { key: "k" })
    .reads("w1", { name: "a" })
    .updates("w1", { name: "b" })
    .lists([])
    .lists([])
    .entries.map((entry) => ({ ...entry, probe: "a probe" }));
  if (!made || !read || !lost || !large || !other) throw new Error("five entries were built");
  return [
    made,
    {
      ...read,
      response: {
        status: 200,
        headers: [],
        body: bodyOf("{}", { unreadable: "not-utf-8", json: undefined }),
      },
    },
    { ...lost, repeats: 1, response: { fault: "timeout", message: "no answer", mayHaveHappened: true } },
    {
      ...large,
      response: { fault: "too-large", message: "too large", mayHaveHappened: true, itemsAtLeast: 51 },
    },
    {
      ...other,
      operation: null,
      response: { status: 404, headers: [], body: bodyOf('{"a":', { cut: true }) },
    },
  ];
}

test("each line fits the package's schema, and is read back unchanged", () => {
  const entries = everyKind();
  const judgements = [
    { check: "one", round: 1, entries: 4, deliveries: 0 },
    { check: "other", round: 1, entries: 4, deliveries: 1 },
    { check: "one", round: 2, entries: 4, deliveries: 1 },
  ];
  const headers: Delivery["headers"] = [["x-custom", "v"]];
  const body = bodyOf('{"a":1}');
  const delivery = { at: 9, mailbox: "m", method: "POST", headers, body, signedIn: "x-signature" };
  const lines = [
    headLine(HEAD, origin),
    ...entries.map((entry) => entryLine(entry)),
    deliveryLine(delivery),
    judgementsLine(judgements),
  ];
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(
    schema,
  );
  for (const line of lines) expect([validate(JSON.parse(line)), validate.errors]).toEqual([true, null]);
  const { head, entries: read, deliveries, judgements: when, ...from } = readHistory(lines, spec);
  expect(deliveries).toMatchObject([{ ...delivery, body: { text: '{"a":1}' } }]);
  expect(deliveries[0]?.body.json()).toEqual({ a: 1 });
  expect([head, from, when]).toEqual([HEAD, origin, judgements]);
  const plain = (all: Entry[]) => JSON.parse(JSON.stringify(all)) as unknown;
  expect(plain(read)).toEqual(plain(entries));
  expect(read.map(({ operation }) => operation)).toEqual(entries.map(({ operation }) => operation));
  expect(read.map(({ response }) => "status" in response && response.body.json())).toEqual(
    entries.map(({ response }) => "status" in response && response.body.json()),
  );
});

test("a history without one of its lines, or with one twice, has gaps", () => {
  const entries = new HistoryBuilder(spec).lists([]).lists([]).lists([]).entries;
  const delivery: Delivery = {
    at: 1,
    mailbox: "m",
    method: "POST",
    headers: [],
    body: bodyOf("{}"),
    signedIn: null,
  };
  const lines = [
    headLine(HEAD, origin),
    ...entries.map((entry) => entryLine(entry)),
    deliveryLine(delivery),
    judgementsLine([{ check: "one", round: 1, entries: 3, deliveries: 1 }]),
  ];
  const isGapless = (read: string[]) => {
    const reader = new HistoryReader(spec);
    for (const line of read) reader.take(line);
    return reader.isGapless;
  };
  expect(isGapless(lines)).toBe(true);
  for (const place of [1, 2, 3, 4]) expect(isGapless(lines.toSpliced(place, 1)), `${place}`).toBe(false);
  expect(isGapless(lines.toSpliced(2, 0, lines[2] ?? ""))).toBe(false);
});

test("each body and the rest of an entry are cleaned, and stay in their places", () => {
  for (const entry of everyKind()) {
    const shouted = JSON.parse(entryLine(entry, (json) => json.replaceAll("a", "A"))) as unknown;
    expect(shouted).toEqual(JSON.parse(entryLine(entry).replaceAll("a", "A")));
  }
});

test("a byte order mark is not part of a body's value", () => {
  expect(bodyOf('\uFEFF{"a":1}').json()).toEqual({ a: 1 });
});

const [first = ""] = everyKind().map((entry) => entryLine(entry));
const head = headLine(HEAD, origin);

test.each([
  ["an empty file", [], /empty/],
  ["no head", [first], /line 1 is not the head of a history/],
  ["two heads", [head, head], /line 2 is a second head/],
  ["a line that is cut off", [head, first.slice(0, 80)], /line 2 is no JSON/],
  [
    "an unknown operation",
    [head, first.replace('"POST /webhooks"', '"POST /nowhere"')],
    /line 2: .* POST \/nowhere/,
  ],
  [
    "a field of another type",
    [head, first.replace('"round":1', '"round":"1"')],
    /line 2: \/round must be integer/,
  ],
  [
    "a later version of the format",
    [head.replace('"schemaVersion":1', '"schemaVersion":2')],
    /line 1: \/schemaVersion/,
  ],
])("refuses %s", (_, lines, message) => {
  expect(() => readHistory(lines, spec)).toThrow(message);
});
