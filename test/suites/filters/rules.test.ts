import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { filterRules } from "../../../suites/filters/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { ListScenario } from "../../history/list-scenario.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";
import { verdict } from "../verdict.ts";

/** Builds histories of the list of payment codes. Capital letters are ids of pending codes, small ones of completed. */
class Codes extends ListScenario {
  constructor() {
    super("listPaymentCodes");
  }

  whole(ids: string): this {
    return this.page([["limit", "50"]], ids, { fieldsOf });
  }

  /** Adds pages of a list with `status=pending` and this page size. */
  pending(pages: string[], size = 50, more: { status?: number } = {}): this {
    let start = 0;
    for (const [index, ids] of pages.entries()) {
      const after: [string, string][] = index > 0 ? [["after", String(start)]] : [];
      start += ids.length;
      const next = index < pages.length - 1 ? String(start) : null;
      this.page([["status", "pending"], ["limit", String(size)], ...after], ids, { next, fieldsOf, ...more });
    }
    return this;
  }
}

const fieldsOf = (id: string) => ({ status: id === id.toUpperCase() ? "pending" : "completed" });

/** Reads of the list without and with the filter in turn: three whole lists, and `pages` twice between them. */
const inTurn = (whole: string, pages: string[], size = 50) =>
  new Codes().whole(whole).pending(pages, size).whole(whole).pending(pages, size).whole(whole);

const outcome = (scenario: ListScenario, requirement: string) => {
  const result = verdict(scenario, requirement, " status");
  return result.outcome === "not-exercised" ? result.reason : result.outcome;
};

describe("a list under a filter", () => {
  test("shows each item that matches, and nothing else", () => {
    const scenario = inTurn("AbCdE", ["AC", "E"], 2);
    for (const requirement of [
      "FILTER-SOUND",
      "FILTER-COMPLETE",
      "LIST-SHOWS-ALL",
      "CURSOR-FILTERED",
      "CURSOR-ACCEPTED",
      "CURSOR-END",
      "LIST-FULL-PAGES",
      "PARAMETER-ACCEPTED",
    ])
      expect([requirement, outcome(scenario, requirement)]).toEqual([requirement, "held"]);
  });

  test("is proven wrong by a page with an item that does not match", () => {
    expect(verdict(new Codes().whole("AbC").pending(["Ab"]), "FILTER-SOUND", " status")).toMatchObject({
      violations: [{ certainty: "proven", actual: 'an item with status "completed"' }],
    });
    const later = new Codes().whole("AbCd").pending(["AC", "d"], 2);
    expect(outcome(later, "FILTER-SOUND")).toBe("held");
    expect(verdict(later, "CURSOR-FILTERED", " status")).toMatchObject({
      violations: [{ certainty: "proven" }],
    });
  });

  test("violates a rule if it leaves out an item that matches", () => {
    const scenario = inTurn("AbCdE", ["AC"]);
    expect(outcome(scenario, "FILTER-COMPLETE")).toBe("violated");
    expect(outcome(scenario, "LIST-SHOWS-ALL")).toBe("no-data");
  });

  test("violates a rule if it leaves out an item in small pages that a large page shows", () => {
    const scenario = inTurn("AbCdEF", ["AC", "F"], 2).pending(["ACEF"]);
    expect(outcome(scenario, "CURSOR-FILTERED")).toBe("violated");
    expect(outcome(scenario, "FILTER-COMPLETE")).not.toBe("violated");
  });

  test("violates a rule if it shows an item that the whole list leaves out", () => {
    expect(outcome(inTurn("AbC", ["ACX"]), "LIST-SHOWS-ALL")).toBe("violated");
  });

  test("proves nothing if no item has the value and the value is not one of an enumeration", () => {
    const scenario = new Codes().whole("Ab").page([["status", "unknown"]], "Ab", { fieldsOf });
    expect(outcome(scenario, "FILTER-SOUND")).toBe("no-data");
  });

  test("violates a rule if it is refused", () => {
    const scenario = new Codes().whole("AbC").pending([""], 50, { status: 400 });
    expect(outcome(scenario, "PARAMETER-ACCEPTED")).toBe("violated");
    expect(outcome(scenario, "FILTER-SOUND")).toBe("no-data");
  });

  test("is no evidence while items change their status", () => {
    const scenario = new Codes().whole("AbC").pending(["A"]).whole("AbC").pending(["A"]).whole("Abc");
    expect(outcome(scenario, "FILTER-COMPLETE")).toBe("drift");
  });

  test("is no evidence if the difference was seen once", () => {
    expect(outcome(new Codes().whole("AbC").pending(["A"]).whole("AbC"), "FILTER-COMPLETE")).toBe("drift");
  });
});

describe("values of filters", () => {
  const ussd = (code: string, asked: string) =>
    new ListScenario("listPaymentCodes")
      .page([["limit", "50"]], "a", { fieldsOf: () => ({ ussdCode: "*126*1#" }) })
      .page([["ussd_code", asked]], code === "" ? "" : "a", { fieldsOf: () => ({ ussdCode: code }) });

  test("that resemble the value of an item find nothing", () => {
    expect(verdict(ussd("", "*126*1"), "FILTER-SOUND", "near misses").outcome).toBe("held");
    expect(verdict(ussd("*126*1#", "*126*1"), "FILTER-SOUND", "near misses")).toMatchObject({
      violations: [{ certainty: "proven" }],
    });
  });

  test("that are required are those of every item", () => {
    const banks = (country: string) =>
      new ListScenario("listBanks").page([["country", "CM"]], "a", { fieldsOf: () => ({ country }) });
    expect(verdict(banks("CM"), "FILTER-SOUND", " country").outcome).toBe("held");
    expect(verdict(banks("GH"), "FILTER-SOUND", " country").outcome).toBe("violated");
    expect(verdict(banks("cm"), "FILTER-SOUND", " country").outcome).toBe("not-exercised");
  });
});

describe("a filter by a field that an item may leave out", () => {
  const document = documentCopy();
  objectAt(document, "components", "schemas", "PaymentCodeListItem").required = ["id"];
  const edition = specOf(document);
  const judge = (...items: JsonObject[]) => {
    const pagination = { count: items.length, next: null };
    const past = new HistoryBuilder(edition).answers(
      "GET /v1/payment-codes",
      { success: true, messages: [], result: items, pagination },
      { query: [["mode", "recurrent"]] },
    );
    const check = filterRules(edition).find(({ id }) =>
      id.endsWith("FILTER-SOUND GET /v1/payment-codes mode"),
    );
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };

  test("may show items that leave it out, but none with another value", () => {
    expect(judge({ id: "a", mode: "recurrent" }, { id: "b" })).toBe("held");
    expect(judge({ id: "b" })).toBe("not-exercised");
    expect(judge({ id: "a", mode: "recurrent" }, { id: "b", mode: "one_time" })).toBe("violated");
    expect(judge({ id: "a", mode: "recurrent" }, { id: "b", mode: null })).toBe("violated");
  });
});

test("a filter by a masked field is not compared with what items show", () => {
  const document = documentCopy();
  const { ussdCode } = objectAt(document, "components", "schemas", "PaymentCodeListItem", "properties");
  Object.assign(ussdCode ?? {}, { "x-maskable": true });
  const edition = specOf(document);
  const key = "GET /v1/payment-codes";
  const violated = (shown: string, found: string[]) => {
    const past = new HistoryBuilder(edition);
    const page = (codes: string[], query: [string, string][]) => {
      const result = codes.map((code, index) => ({ id: `c${index}`, ussdCode: code }));
      const pagination = { count: codes.length, next: null };
      past.answers(key, { success: true, messages: [], result, pagination }, { query });
    };
    const limit: [string, string] = ["limit", "50"];
    for (let turn = 0; turn < 3; turn++) {
      page([shown], [limit]);
      page(found, [limit, ["ussd_code", shown.replaceAll("•", "0")]]);
    }
    page([shown], [limit]);
    const history = new History(edition, HEAD, past.entries);
    return filterRules(edition).flatMap(({ id, verdict }) =>
      verdict(history).outcome === "violated" ? [id] : [],
    );
  };
  expect(violated("12•••6", ["12•••6"])).toEqual([]);
  expect(violated("12•••6", [])).toEqual([]);
  expect(violated("123456", [])).toEqual([`filters/FILTER-COMPLETE ${key} ussd_code`]);
});

describe("the unfiltered list", () => {
  const key = "GET /v1/payment-codes";
  const one = { id: "a", mode: "one_time" };
  const other = { id: "b", mode: "recurrent" };
  const page = (result: JsonObject[]) => {
    return { success: true, messages: [], result, pagination: { count: result.length, next: null } };
  };
  const violated = (edition: ReturnType<typeof specOf>, past: HistoryBuilder) => {
    const history = new History(edition, HEAD, past.entries);
    const found = filterRules(edition).filter(({ verdict }) => verdict(history).outcome === "violated");
    return found.map(({ id }) => id);
  };

  test("need not show what a default of the filter leaves out", () => {
    const judge = (more: JsonObject) => {
      const document = documentCopy();
      const { parameters } = objectAt(document, "paths", "/v1/payment-codes", "get");
      for (const each of Array.isArray(parameters) ? parameters : [])
        if (objectAt(each).name === "mode") Object.assign(objectAt(each, "schema"), more);
      const edition = specOf(document);
      const past = new HistoryBuilder(edition);
      const limit: [string, string] = ["limit", "50"];
      for (let turn = 0; turn < 3; turn++) {
        past.answers(key, page([one]), { query: [limit] });
        past.answers(key, page([other]), { query: [limit, ["mode", "recurrent"]] });
        past.answers(key, page([one]), { query: [limit, ["mode", "one_time"]] });
      }
      past.answers(key, page([one]), { query: [limit] });
      return violated(edition, past);
    };
    expect(judge({})).toEqual([`filters/LIST-SHOWS-ALL ${key} mode`]);
    expect(judge({ default: "one_time" })).toEqual([]);
  });

  test("is none that another parameter narrows", () => {
    const document = documentCopy();
    const list = objectAt(document, "paths", "/v1/payment-codes", "get");
    const parameters = Array.isArray(list.parameters) ? list.parameters : [];
    const kind = { name: "kind", in: "query", schema: { type: "string", enum: ["old", "new"] } };
    list.parameters = [...parameters.filter((each) => !JSON.stringify(each).includes("/Limit")), kind];
    const edition = specOf(document);
    const past = new HistoryBuilder(edition);
    for (let turn = 0; turn < 3; turn++) {
      past.answers(key, page([one]), { query: [["kind", "old"]] });
      past.answers(key, page([other]), { query: [["mode", "recurrent"]] });
    }
    past.answers(key, page([one]), { query: [["kind", "old"]] });
    expect(violated(edition, past)).toEqual([]);
  });
});

test("a later page of a list without page sizes shows only items that match, too", () => {
  const document = documentCopy();
  const list = objectAt(document, "paths", "/v1/payment-codes", "get");
  const parameters = Array.isArray(list.parameters) ? list.parameters : [];
  list.parameters = parameters.filter((each) => !JSON.stringify(each).includes("/Limit"));
  const edition = specOf(document);
  const key = "GET /v1/payment-codes";
  const page = (id: string, mode: string, next: string | null) => {
    return { success: true, messages: [], result: [{ id, mode }], pagination: { count: 1, next } };
  };
  const violated = (mode: string) => {
    const past = new HistoryBuilder(edition)
      .answers(key, page("a", "recurrent", "n"), { query: [["mode", "recurrent"]] })
      .answers(key, page("b", mode, null), {
        query: [
          ["mode", "recurrent"],
          ["after", "n"],
        ],
      });
    const history = new History(edition, HEAD, past.entries);
    const checks = filterRules(edition).filter(({ verdict }) => verdict(history).outcome === "violated");
    return checks.map(({ id }) => id);
  };
  expect(violated("recurrent")).toEqual([]);
  expect(violated("one_time")).toEqual([`filters/CURSOR-FILTERED ${key} mode`]);
});

test("a value that an item shows, but the filter does not allow, may be rejected", () => {
  const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
  const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
  const space = "33333333-3333-4333-8333-333333333333";
  const HALLS = "GET /stage/halls";
  const check = filterRules(theatre).find(({ id }) =>
    id.endsWith(`PARAMETER-ACCEPTED ${HALLS} floor of an item`),
  );
  const rejectedFloor = (floor: number) => {
    const page = { result: [{ code: "ab", floor }], pagination: { count: 1, next: null, total: 1 } };
    const past = new HistoryBuilder(theatre).answers(HALLS, page, { space });
    past.answers(HALLS, {}, { space, status: 422, query: [["floor", String(floor)]] });
    past.answers(HALLS, page, { space });
    return check?.verdict(new History(theatre, { ...HEAD, spaces: [space] }, past.entries)).outcome;
  };
  expect(rejectedFloor(5)).toBe("violated");
  expect(rejectedFloor(12)).toBe("not-exercised");
});
