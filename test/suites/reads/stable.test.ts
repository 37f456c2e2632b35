import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { operationById } from "../../../spec/operations.ts";
import { readRules } from "../../../suites/reads/rules.ts";
import { needsOf } from "../../../suites/reads/stable-rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const BANKS = "GET /banks";
const BANK = "GET /banks/{idOrCode}";
const checks = readRules(spec);
const pastOf = ({ entries }: HistoryBuilder) => new History(spec, HEAD, entries);

function judge(past: HistoryBuilder, key = BANK): RuleResult {
  const check = checks.find(({ id }) => id === `reads/READ-STABLE ${key}`);
  if (!check) throw new Error(`there is no check of ${key}`);
  return check.verdict(pastOf(past));
}

/** The reads that the rule still needs to decide. Each is text: operation, kind of read, and how often. */
function needs(past: HistoryBuilder, id = "getBank") {
  return needsOf(pastOf(past), operationById(spec, id)).map(({ again, way, times, after }) =>
    [again.operation?.key, way, times, ...(after ? ["after a read"] : [])].join(" "),
  );
}

class Scenario extends HistoryBuilder {
  constructor() {
    super(spec);
  }

  /** Adds a read of a bank, `pause` milliseconds after the last request. By default, others have time to write. */
  shows(path: string, shown: JsonObject, { pause = 20 } = {}): this {
    const body = { success: true, messages: [], result: { id: path, ...shown } };
    return this.waits(pause).answers(BANK, body, { path, url: `/banks/${path}` });
  }

  page(result: JsonObject[], { pause = 20 } = {}): this {
    const pagination = { count: result.length, next: null };
    const body = { success: true, messages: [], result, pagination };
    return this.waits(pause).answers(BANKS, body, { query: [["country", "CM"]] });
  }

  /** Adds several reads of one bank. `name` returns the name that each answer shows. */
  showsEach(times: number, name: (index: number) => string, use: { pause?: number } = {}): this {
    for (let index = 0; index < times; index++) this.shows("b1", { name: name(index) }, use);
    return this;
  }
}

const scenario = () => new Scenario();
const counted = (index: number) => `read ${index}`;

test("two equal answers in a row keep the rule", () => {
  const past = scenario().showsEach(2, () => "Afriland");
  expect(judge(past)).toMatchObject({ outcome: "held", times: 1 });
  expect(needs(past)).toEqual([]);
});

test("an undocumented field may differ at each read, such as a counter of reads", () => {
  const past = scenario()
    .shows("b1", { name: "Afriland", reads: 1 })
    .shows("b1", { name: "Afriland", reads: 2 });
  expect(judge(past)).toMatchObject({ outcome: "held" });
});

test("a time may be spelled in another zone and with more digits each time", () => {
  const spellings = [
    "2025-08-23T10:00:00.25Z",
    "2025-08-23T15:45:00.250000+05:45",
    "2016-12-31t23:59:60.5z",
    "2017-01-01T01:00:00.50+01:00",
  ];
  for (const [one = "", other = ""] of [spellings.slice(0, 2), spellings.slice(2)]) {
    const past = scenario().shows("b1", { createTime: one }).shows("b1", { createTime: other });
    expect(judge(past)).toMatchObject({ outcome: "held", times: 1 });
  }
  const past = scenario()
    .shows("b1", { createTime: "2025-08-23T10:00:00.25Z" })
    .shows("b1", { createTime: "2025-08-23T15:45:00.250001+05:45" });
  expect(judge(past)).toMatchObject({ outcome: "not-exercised", reason: "drift" });
});

test("without an accepted read, nothing is judged", () => {
  expect(judge(scenario())).toMatchObject({ outcome: "not-exercised", reason: "no-data" });
  const rejected = scenario().answers(BANK, {}, { path: "b1", status: 404 });
  expect(judge(rejected)).toMatchObject({ outcome: "not-exercised", reason: "control-rejected" });
});

describe("a record that differs", () => {
  test("is read again, soon and then at nearly the same time", () => {
    const twice = scenario().showsEach(2, counted);
    expect(judge(twice)).toMatchObject({ outcome: "not-exercised", reason: "drift" });
    expect(needs(twice)).toEqual([`${BANK} soon 2`]);
    const often = scenario().showsEach(4, counted);
    expect(judge(often)).toMatchObject({ outcome: "not-exercised", reason: "drift" });
    expect(needs(often)).toEqual([`${BANK} together 9`]);
  });

  test("is a violation if it differs each time, also at nearly the same time", () => {
    const past = scenario()
      .showsEach(4, counted)
      .showsEach(10, (index) => counted(index + 4), { pause: 0 });
    expect(judge(past)).toMatchObject({
      outcome: "violated",
      violations: [{ certainty: "suspected", difference: "answers-differ", shownBy: [{}, {}] }],
    });
    expect(needs(past)).toEqual([]);
  });

  test("was changed by others if it differs each time, but not at nearly the same time", () => {
    const past = scenario()
      .showsEach(4, counted)
      .showsEach(10, (index) => counted(4 + Math.floor(index / 3)), { pause: 0 });
    expect(judge(past)).toMatchObject({ outcome: "held" });
    expect(needs(past)).toEqual([]);
  });

  test("was changed by others if it differs once", () => {
    const past = scenario().showsEach(4, (index) => (index < 1 ? "Afriland" : "Afriland First"));
    expect(judge(past)).toMatchObject({ outcome: "held" });
    expect(needs(past)).toEqual([]);
  });

  test("is no evidence if this run wrote between the reads", () => {
    const past = scenario()
      .shows("b1", { name: "Afriland" })
      .creates("w1", { url: "https://example.org" })
      .shows("b1", { name: "Afriland First" });
    expect(judge(past)).toMatchObject({ outcome: "not-exercised" });
    expect(needs(past)).toEqual([]);
  });
});

describe("records that change at their first reading", () => {
  const two = (reads: number) => {
    const past = scenario();
    for (const id of ["b1", "b2"])
      for (let index = 0; index < reads; index++) past.shows(id, { name: index === 0 ? "new" : "seen" });
    return past;
  };

  test("are read again, and are proven if they never change again", () => {
    expect(judge(two(4))).toMatchObject({ outcome: "held" });
    expect(needs(two(4))).toEqual([`${BANK} soon 8`, `${BANK} soon 8`]);
    expect(judge(two(12))).toMatchObject({ outcome: "violated", violations: [{ certainty: "proven" }] });
  });

  test("are no violation if one of them changes later", () => {
    expect(judge(two(12).shows("b2", { name: "other" }))).toMatchObject({ outcome: "held" });
  });
});

test("the traffic of others shows no violation, because nobody can read again", () => {
  const past = scenario()
    .showsEach(4, counted)
    .showsEach(10, (index) => counted(index + 4), { pause: 0 });
  const history = new History(spec, { ...HEAD, runTag: null }, past.entries);
  const check = checks.find(({ id }) => id === `reads/READ-STABLE ${BANK}`);
  expect(check?.verdict(history)).toMatchObject({ outcome: "not-exercised", reason: "drift" });
});

describe("a list", () => {
  const bank = (name: string) => ({ id: "b1", name });
  const alternating = (times: number, name: (index: number) => string) => {
    const past = scenario().page([bank(name(0))]);
    for (let index = 1; index <= times; index++)
      past.shows("b1", { name: "Afriland" }).page([bank(name(index))]);
    return past;
  };

  test("is a violation of the read if it shows something else after each read, and never without", () => {
    expect(needs(alternating(1, counted))).toEqual([`${BANKS} soon 2 after a read`]);
    expect(needs(alternating(3, counted))).toEqual([`${BANKS} soon 3`]);
    const past = alternating(3, counted);
    for (let index = 0; index < 3; index++) past.page([bank(counted(3))]);
    expect(judge(past)).toMatchObject({ violations: [{ certainty: "suspected", difference: "changed" }] });
  });

  test("was changed by others if it also changes without reads", () => {
    const past = alternating(3, counted).page([bank("other")]);
    expect(judge(past)).toMatchObject({ outcome: "held" });
    expect(needs(past)).toEqual([]);
  });

  test("is a violation of the list if one item differs each time", () => {
    const items = (index: number) => [bank(counted(index)), { id: "b2", name: "Ecobank" }];
    const past = scenario();
    for (let index = 0; index < 4; index++) past.page(items(index));
    expect(judge(past, BANKS)).toMatchObject({ outcome: "held" });
    expect(needs(past, "listBanks")).toEqual([`${BANKS} together 9`]);
    for (let index = 4; index < 14; index++) past.page(items(index), { pause: 0 });
    expect(judge(past, BANKS)).toMatchObject({ violations: [{ actual: "b1 differs each time" }] });
  });

  test("is read again once for all items that differ", () => {
    const items = (index: number) => [bank(counted(index)), { id: "b2", name: counted(index) }];
    expect(needs(scenario().page(items(0)).page(items(1)), "listBanks")).toEqual([`${BANKS} soon 2`]);
  });

  test("may have been changed by another request if it shows something else once, and that request is looked for", () => {
    const items = [bank("Afriland"), { id: "b2", name: "Ecobank" }];
    const past = scenario().page(items).page([]);
    expect(needs(past, "listBanks")).toEqual([`${BANKS} soon 2`]);
    expect(judge(past.page(items), BANKS)).toMatchObject({
      outcome: "excused",
      violation: { shownBy: [{}, { offending: "/result" }, {}] },
    });
    const longer = scenario().page(items).page([]).page([]).page(items);
    expect(judge(longer, BANKS)).toMatchObject({ outcome: "excused" });
    expect(judge(scenario().page(items).page([]).page([]), BANKS)).toMatchObject({
      outcome: "not-exercised",
    });
  });

  test("may get new items and lose others", () => {
    const past = scenario()
      .page([bank("Afriland")])
      .page([bank("Afriland"), { id: "b2", name: "Ecobank" }]);
    expect(judge(past, BANKS)).toMatchObject({ outcome: "held", times: 1 });
  });
});

describe("a time that is now", () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const shown = (times: number, time: (second: number) => string, pause = 1_100) => {
    const past = new HistoryBuilder(spec);
    for (let second = 0; second < times; second++)
      past
        .waits(pause)
        .answers(
          "GET /payouts/{id}",
          { success: true, messages: [], result: { id: "po_1", createTime: time(second) } },
          { path: "po_1", headers: [["date", new Date(at(second)).toUTCString()]] },
        );
    return past;
  };
  const clock = (past: HistoryBuilder) => judge(past, "GET /payouts/{id}");

  test("is read again in other seconds", () => {
    expect(
      needs(
        shown(2, () => at(0), 20),
        "getPayout",
      ),
    ).toEqual(["GET /payouts/{id} slowly 3"]);
  });

  test("is a violation if it is the time of each reading", () => {
    expect(clock(shown(4, at))).toMatchObject({ violations: [{ certainty: "suspected" }] });
  });

  test("may be the time at which the record was made", () => {
    expect(clock(shown(5, () => at(1)))).toMatchObject({ outcome: "held" });
  });
});
