import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { filteredRules } from "../../../suites/updates/lists/filtered.ts";
import { HEAD, HistoryBuilder, historyOfCodes } from "../../history/builder.ts";
import { objectAt, spec, specOf } from "../../spec/package-spec.ts";

const [check] = filteredRules(spec);
const SHOWN: JsonObject = { name: "a", mode: "oneTime", status: "pending", isActive: false };
const ACTIVE: JsonObject = { ...SHOWN, isActive: true };
const ITEM: JsonObject = { id: "c1", name: "a", mode: "one_time", status: "pending", enable: false };
const OTHER: JsonObject = { ...ITEM, mode: "recurrent" };

const page = (result: JsonObject[]) => ({
  success: true,
  messages: [],
  result,
  pagination: { count: result.length, next: null },
});

/**
 * The outcome for a history with an update, and then a list filtered by mode, which shows `filtered`. The list without
 * a filter shows `before` at the start, and `after` at the end.
 */
function outcome(filtered: JsonObject[], before: JsonObject, after = before): string | undefined {
  const past = historyOfCodes(spec)
    .lists([before])
    .reads("c1", SHOWN)
    .updates("c1", { isActive: true }, ACTIVE)
    .waits(3_000)
    .reads("c1", ACTIVE)
    .answers("GET /v1/payment-codes", page(filtered), { query: [["mode", "one_time"]] })
    .reads("c1", ACTIVE)
    .lists([after]);
  const head = { ...HEAD, fixtures: { mutablePaymentCode: "c1" } };
  return check?.verdict?.(new History(spec, head, past.entries))?.outcome;
}

test("a filter shows what the list shows without it, even if a single read spells the field in another way", () => {
  expect(outcome([ITEM], ITEM)).toBe("held");
  expect(outcome([], ITEM)).toBe("violated");
});

test("nothing is missing under a filter if the list shows another value, or shows it only later", () => {
  expect(outcome([], OTHER)).toBe("not-exercised");
  expect(outcome([], ITEM, OTHER)).toBe("not-exercised");
});

test("nothing is missing under a filter by a field that takes other values for a moment, by itself", () => {
  const paid = (status: string): JsonObject => ({ ...ITEM, id: "c2", status });
  function outcome(...statuses: string[]): string | undefined {
    const past = historyOfCodes(spec).updates("c1", { isActive: true }, ACTIVE);
    for (const status of statuses) past.lists([ITEM, paid(status)]);
    past
      .waits(3_000)
      .reads("c1", ACTIVE)
      .answers("GET /v1/payment-codes", page([]), { query: [["status", "pending"]] })
      .reads("c1", ACTIVE);
    return check?.verdict?.(new History(spec, HEAD, past.entries)).outcome;
  }
  expect(outcome("pending", "processing")).toBe("violated");
  expect(outcome("pending", "processing", "pending")).toBe("not-exercised");
});

test("nothing is missing under a filter if an update set the field after the resource was last read", () => {
  function outcome(update: JsonObject): string | undefined {
    const past = historyOfCodes(spec)
      .lists([ITEM])
      .reads("c1", ACTIVE)
      .updates("c1", update, ACTIVE)
      .waits(3_000)
      .answers("GET /v1/payment-codes", page([]), { query: [["status", "pending"]] })
      .reads("c1", ACTIVE);
    return check?.verdict?.(new History(spec, HEAD, past.entries))?.outcome;
  }
  expect(outcome({ name: "b" })).toBe("violated");
  expect(outcome({ status: null })).toBe("not-exercised");
});

test("the answer to an update shows what it set, once the consistency timeout is over", () => {
  function outcome(waited: number, sent: JsonObject): string | undefined {
    const past = historyOfCodes(spec)
      .lists([ITEM])
      .reads("c1", { ...ACTIVE, status: "cancelled" })
      .updates("c1", sent, ACTIVE)
      .waits(waited)
      .answers("GET /v1/payment-codes", page([]), { query: [["status", "pending"]] })
      .reads("c1", ACTIVE);
    return check?.verdict?.(new History(spec, HEAD, past.entries))?.outcome;
  }
  expect(outcome(3_000, { status: "pending" })).toBe("violated");
  expect(outcome(0, { status: "pending" })).toBe("not-exercised");
  expect(outcome(3_000, { status: "completed" })).toBe("not-exercised");
});

test("a resource of another parent with the same id is another resource", () => {
  const file = (name: string) => {
    const path = `test/editions/clinic/${name}`;
    return { name: path, text: readFileSync(path, "utf8") };
  };
  const clinic = loadSpec(file("openapi.yaml"), file("requirements.yaml"));
  const VISITS = "/patients/{patient}/visits";
  const visit = (kind: string) => ({ id: "1", reason: "a cough", kind });
  const read = (past: HistoryBuilder, patient: string, kind: string) =>
    past.answers(`GET ${VISITS}/{visit}`, { result: visit(kind) }, { outer: { patient }, path: "1" });
  const kinds = { p1: "checkup", p2: "surgery" };
  function outcome(listed: keyof typeof kinds, order: (keyof typeof kinds)[]): string | undefined {
    const past = new HistoryBuilder(clinic);
    for (const patient of order)
      past.answers(
        `PATCH ${VISITS}/{visit}`,
        { result: visit(kinds[patient]) },
        { outer: { patient }, path: "1", sent: { reason: "a cough" } },
      );
    past.waits(3_000);
    for (const patient of order) read(past, patient, kinds[patient]);
    past.answers(
      `GET ${VISITS}`,
      { result: [], pagination: { next: null } },
      { path: listed, query: [["kind", "checkup"]] },
    );
    for (const patient of order.toReversed()) read(past, patient, kinds[patient]);
    const check = filteredRules(clinic).find(({ operation }) => operation === `GET ${VISITS}`);
    return check?.verdict?.(new History(clinic, HEAD, past.entries)).outcome;
  }
  expect(outcome("p1", ["p1", "p2"])).toBe("violated");
  expect(outcome("p2", ["p2", "p1"])).toBe("not-exercised");
});

test("a filter by a part of a field that an update changed shows every match", () => {
  const document: unknown = parse(readFileSync("test/editions/theatre/openapi.yaml", "utf8"));
  const list = objectAt(document, "paths", "/stage/plays", "get");
  if (!Array.isArray(list.parameters)) throw new Error("no parameters");
  list.parameters.push({
    name: "mail",
    in: "query",
    schema: { type: "string" },
    "x-filter": "/contact/mail",
  });
  const theatre = specOf(objectAt(document));
  const venue = { space: "venue" };
  const play = { id: "p1", genre: "opera", contact: { mail: "b@a.example" } };
  const all = (items: JsonObject[]) => ({ result: items, pagination: { count: items.length, next: null } });
  const outcome = (found: JsonObject[]) => {
    const past = new HistoryBuilder(theatre)
      .answers(
        "POST /stage/plays",
        { result: { ...play, contact: {} } },
        { ...venue, sent: { genre: "opera" } },
      )
      .answers(
        "PATCH /stage/plays/{play}",
        { result: play },
        { ...venue, path: "p1", sent: { contact: play.contact } },
      )
      .waits(3_000)
      .answers("GET /stage/plays/{play}", { result: play }, { ...venue, path: "p1" })
      .answers("GET /stage/plays", all(found), { ...venue, query: [["mail", "b@a.example"]] })
      .answers("GET /stage/plays/{play}", { result: play }, { ...venue, path: "p1" });
    const rule = filteredRules(theatre).find(({ operation }) => operation === "GET /stage/plays");
    return rule?.verdict(new History(theatre, { ...HEAD, spaces: ["venue"] }, past.entries)).outcome;
  };
  expect(outcome([play])).toBe("held");
  expect(outcome([])).toBe("violated");
});
