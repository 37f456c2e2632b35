import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { readRules } from "../../../suites/reads/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const BANKS = "GET /banks";
const BANK = "GET /banks/{idOrCode}";
const MOMOS = "GET /momos";
const CODES = "GET /v1/payment-codes";
const CM: [string, string][] = [["country", "CM"]];
const checks = readRules(spec);

function judge(past: HistoryBuilder, id: string): RuleResult {
  const check = checks.find((each) => each.id === `reads/${id}`);
  if (!check) throw new Error(`there is no check ${id}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

class Scenario extends HistoryBuilder {
  constructor() {
    super(spec);
  }

  page(key: string, ...result: JsonObject[]): this {
    const pagination = { count: result.length, total: result.length, next: null };
    return this.answers(key, { success: true, messages: [], result, pagination }, { query: CM });
  }

  shows(path: string, result: JsonObject, more: { version?: string } = {}): this {
    return this.answers(BANK, { success: true, messages: [], result }, { path, ...more });
  }

  refuses(path: string, status = 404): this {
    return this.answers(BANK, {}, { path, status });
  }
}

const afri = { id: "b1", code: "AFRI", name: "Afriland", country: "CM" };
const eco = { id: "b2", code: "ECO", name: "Ecobank", country: "CM" };
const scenario = () => new Scenario();

describe("a record that the list shows", () => {
  test("must be found by its id and by its code", () => {
    const past = scenario().page(BANKS, afri).shows("b1", afri).refuses("AFRI").page(BANKS, afri);
    expect(judge(past, `READ-ACCEPTED ${BANK} by id`)).toMatchObject({ outcome: "held", times: 1 });
    expect(judge(past, `READ-ACCEPTED ${BANK} by code`)).toMatchObject({
      violations: [{ certainty: "suspected", actual: "status 404" }],
    });
  });

  test("may be gone when it is read, or found when it is read again", () => {
    const gone = scenario().page(BANKS, afri).refuses("b1").page(BANKS, eco);
    expect(judge(gone, `READ-ACCEPTED ${BANK} by id`)).toMatchObject({ outcome: "not-exercised" });
    const late = scenario().page(BANKS, afri).refuses("b1").page(BANKS, afri).shows("b1", afri);
    expect(judge(late, `READ-ACCEPTED ${BANK} by id`)).toMatchObject({ outcome: "held" });
  });

  test("must be the same when it is read alone", () => {
    const past = scenario().page(BANKS, afri).shows("b1", afri).page(BANKS, afri);
    expect(judge(past, `READ-MATCHES-LIST ${BANK} by id`)).toMatchObject({ outcome: "held", times: 1 });
    expect(judge(past, `READ-MATCHES-LIST ${BANK} by code`)).toMatchObject({ reason: "no-data" });
  });

  test("is suspected once it differs for the consistency timeout while the list stays the same", () => {
    const other = { ...afri, name: "Another" };
    const past = scenario().page(BANKS, afri).shows("b1", other).page(BANKS, afri);
    expect(judge(past, `READ-MATCHES-LIST ${BANK} by id`)).toMatchObject({ reason: "drift" });
    past.waits(2_000).shows("b1", other).page(BANKS, afri);
    expect(judge(past, `READ-MATCHES-LIST ${BANK} by id`)).toMatchObject({
      violations: [{ certainty: "suspected", expected: expect.stringContaining("as in the list: name") }],
    });
    past.shows("b1", afri);
    expect(judge(past, `READ-MATCHES-LIST ${BANK} by id`)).toMatchObject({ outcome: "held" });
  });

  test("must be the one that was asked for, even if a later read shows it", () => {
    const past = scenario().page(BANKS, afri, eco).shows("b1", eco).page(BANKS, afri, eco).shows("b1", afri);
    expect(judge(past, `READ-MATCHES-LIST ${BANK} by id`)).toMatchObject({
      violations: [{ certainty: "proven", shownBy: [{ entry: { index: 2 } }, { entry: { index: 1 } }] }],
    });
  });

  test("may move together with the list", () => {
    const past = scenario()
      .page(BANKS, afri)
      .shows("b1", { ...afri, name: "B" });
    past.page(BANKS, { ...afri, name: "C" });
    expect(judge(past, `READ-MATCHES-LIST ${BANK} by id`)).toMatchObject({ reason: "drift" });
  });
});

describe("a code that reads have shown", () => {
  const CODE = "GET /payment-codes/{id}";
  const GONE = `READ-ACCEPTED ${CODE} in the whole run`;
  const shown = () =>
    scenario().answers(CODE, { success: true, messages: [], result: { id: "c1" } }, { path: "c1" });
  const refusedTwice = (body: unknown) =>
    shown().answers(CODE, body, { path: "c1", status: 404 }).answers(CODE, body, { path: "c1", status: 404 });

  test("is gone for sure if the service rejects the last two reads", () => {
    expect(judge(refusedTwice({ code: "NOT_FOUND" }), GONE)).toMatchObject({
      violations: [{ certainty: "proven" }],
    });
  });

  test("may not be gone if a gateway rejects them", () => {
    expect(judge(refusedTwice("<html>404</html>"), GONE)).toMatchObject({
      violations: [{ certainty: "suspected" }],
    });
  });
});

describe("a record that the run has written", () => {
  const CODE = "GET /payment-codes/{id}";
  const updated = () =>
    scenario().answers("PATCH /payment-codes/{id}", {}, { path: "c1", sent: { isActive: false } });
  const shownTwice = (past: Scenario, status: string) => {
    for (const wait of [0, 2_000]) {
      past.waits(wait).page(CODES, { id: "c1", status: "cancelled" });
      past.answers(CODE, { success: true, messages: [], result: { id: "c1", status } }, { path: "c1" });
      past.page(CODES, { id: "c1", status: "cancelled" });
    }
    return past;
  };

  test("must be the same in the list once the consistency timeout is over", () => {
    const past = shownTwice(updated().waits(1_500), "pending");
    expect(judge(past, `SHAPES-AGREE ${CODE} by id`)).toMatchObject({ outcome: "violated" });
    const same = shownTwice(updated().waits(1_500), "cancelled");
    expect(judge(same, `SHAPES-AGREE ${CODE} by id`)).toMatchObject({ outcome: "held" });
  });

  test("may differ from the list soon after a write", () => {
    const past = shownTwice(updated(), "pending");
    past.answers("PATCH /payment-codes/{id}", {}, { path: "c1", sent: { isActive: true } });
    expect(judge(past, `SHAPES-AGREE ${CODE} by id`)).toMatchObject({ reason: "no-data" });
  });
});

describe("an id that names nothing", () => {
  const known = () => scenario().page(BANKS, afri).shows("b1", afri);

  test("must be rejected if the same request with a valid id is accepted", () => {
    expect(judge(known().refuses("b"), `READ-UNKNOWN ${BANK}`)).toMatchObject({ outcome: "held" });
    expect(judge(known().shows("b", afri), `READ-UNKNOWN ${BANK}`)).toMatchObject({ outcome: "violated" });
    const alone = scenario().page(BANKS, afri).refuses("b");
    expect(judge(alone, `READ-UNKNOWN ${BANK}`)).toMatchObject({ reason: "control-rejected" });
  });

  test("is proven to be accepted if the answer shows a record with another id and code", () => {
    expect(judge(known().shows("b", afri), `READ-UNKNOWN ${BANK}`)).toMatchObject({
      violations: [{ certainty: "proven" }],
    });
    const { id: _, ...withoutId } = afri;
    expect(judge(known().shows("b", withoutId), `READ-UNKNOWN ${BANK}`)).toMatchObject({
      violations: [{ certainty: "suspected" }],
    });
  });

  test("names a resource after all if a record shows it", () => {
    expect(judge(known().shows("b3", { ...eco, id: "b3" }), `READ-UNKNOWN ${BANK}`)).toMatchObject({
      outcome: "not-exercised",
    });
  });

  test("must not find the record of another list", () => {
    const momo = { id: "m1", code: "MTN", name: "MTN", country: "CM" };
    const past = known().page(MOMOS, momo).shows("m1", momo);
    expect(judge(past, `READ-UNKNOWN ${BANK}`)).toMatchObject({
      violations: [{ certainty: "suspected", actual: "the record of the other list" }],
    });
    // The list of banks shows this id, too, so it is the id of a bank as well.
    const both = known().page(BANKS, afri, momo).page(MOMOS, momo).shows("m1", momo);
    expect(judge(both, `READ-UNKNOWN ${BANK}`)).toMatchObject({ outcome: "not-exercised" });
  });

  test("breaks a requirement of its own if it ends with a blank", () => {
    const past = known().shows("b1 ", afri);
    expect(judge(past, `READ-UNKNOWN-BLANKS ${BANK}`)).toMatchObject({ outcome: "violated" });
    expect(judge(past, `READ-UNKNOWN ${BANK}`)).toMatchObject({ outcome: "not-exercised" });
  });

  test("is judged as open if it differs only in casing", () => {
    const past = known().shows("B1", afri);
    expect(judge(past, `READ-UNKNOWN ${BANK}`)).toMatchObject({ outcome: "not-exercised" });
    expect(judge(past, `READ-SPELLING ${BANK}`)).toMatchObject({
      outcome: "noted",
      notes: [{ field: "id", answer: { status: 200 } }],
    });
  });
});

describe("a reference", () => {
  const code = (provider: string) => ({ id: "c1", authorizedProviders: [provider] });

  test("keeps the rule if a list shows what it refers to, or a read finds it", () => {
    const listed = scenario().page(BANKS, afri).page(CODES, code("AFRI"));
    expect(judge(listed, `PROVIDERS-EXIST ${CODES}`)).toMatchObject({ outcome: "held", times: 1 });
    const read = scenario().page(BANKS, afri).page(CODES, code("ECO")).shows("ECO", eco);
    expect(judge(read, `PROVIDERS-EXIST ${CODES}`)).toMatchObject({ outcome: "held", times: 1 });
  });

  test("is suspected if no list shows it and no read finds it", () => {
    const past = scenario().page(BANKS, afri).page(CODES, code("OLD"));
    expect(judge(past, `PROVIDERS-EXIST ${CODES}`)).toMatchObject({ reason: "no-data" });
    past.refuses("OLD").answers("GET /momos/{idOrCode}", {}, { path: "OLD", status: 404 });
    expect(judge(past, `PROVIDERS-EXIST ${CODES}`)).toMatchObject({ outcome: "violated" });
  });

  test("that the run sent itself need not exist", () => {
    const past = scenario().page(BANKS, afri);
    past.answers("PATCH /payment-codes/{id}", {}, { path: "c1", sent: { allowedProviders: ["OLD"] } });
    past.page(CODES, code("OLD")).refuses("OLD");
    past.answers("GET /momos/{idOrCode}", {}, { path: "OLD", status: 404 });
    expect(judge(past, `PROVIDERS-EXIST ${CODES}`)).toMatchObject({ reason: "no-data" });
  });
});

describe("a resource that was read before", () => {
  const PAYOUT = "GET /payouts/{id}";
  const read = (...ids: string[]) =>
    ids.reduce(
      (past, id) => past.answers(PAYOUT, { success: true, messages: [], result: { id } }, { path: "p1" }),
      new HistoryBuilder(spec),
    );

  test("must not become another one", () => {
    expect(judge(read("p1", "p2"), `READ-ACCEPTED ${PAYOUT} in the whole run`)).toMatchObject({
      violations: [{ certainty: "proven", actual: 'the resource "p2"' }],
    });
    expect(judge(read("p1", "p1"), `READ-ACCEPTED ${PAYOUT} in the whole run`).outcome).toBe("held");
  });

  test("may have another id than its path, if it always has", () => {
    const result = judge(read("p2", "p2"), `READ-ACCEPTED ${PAYOUT} in the whole run`);
    expect(result.outcome).toBe("not-exercised");
  });
});
