import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { undocumentedRules } from "../../../suites/undocumented/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, spec, specOf } from "../../spec/package-spec.ts";

const LIST = "GET /v1/financial-transactions";
const READ = "GET /v1/receipts/{orderNumber}";
const WRITE = "POST /v1/receipts/{orderNumber}/redeem";
const checks = undocumentedRules(spec);
const history = () => new HistoryBuilder(spec);
const withoutToken = { credential: { kind: "none" as const, token: null }, status: 401 };
const envelope = (result: unknown, more = {}) => ({ success: true, messages: [], result, ...more });
const page = (...ids: string[]) =>
  envelope(
    ids.map((id) => ({ id })),
    { pagination: { count: ids.length, next: null } },
  );

function judge(past: HistoryBuilder, name: string): RuleResult {
  const check = checks.find(({ id }) => id === `named-only/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

test("a success is 200 with JSON, in the envelope, with pagination beside a list", () => {
  const names = ["NAMED-SUCCESS", "NAMED-ENVELOPE", "NAMED-LIST"].map((name) => `${name} ${LIST}`);
  const outcomes = (past: HistoryBuilder) => names.map((name) => judge(past, name).outcome);
  expect(outcomes(history().answers(LIST, page("a")))).toEqual(["held", "held", "held"]);
  expect(outcomes(history().answers(LIST, page("a"), { status: 201 }))[0]).toBe("violated");
  expect(outcomes(history().answers(LIST, { result: [], pagination: { count: 0 } }))[1]).toBe("violated");
  for (const wrong of [
    envelope([{ id: "a" }]),
    envelope({ id: "a" }, { pagination: {} }),
    envelope([], { pagination: { count: 1 } }),
    page("a", "a"),
  ])
    expect(outcomes(history().answers(LIST, wrong))[2]).toBe("violated");
  expect(judge(history().answers(LIST, "", { status: 404 }), `NAMED-LIST ${LIST}`)).toMatchObject({
    reason: "not-shown",
  });
});

test("a repeated id is no violation in an edition whose resources have other ids", () => {
  const document = documentCopy();
  objectAt(document, "components", "schemas", "UssdOtp")["x-identity"] = "dialCode";
  const edition = specOf(document);
  const repeated = new HistoryBuilder(edition).answers(LIST, page("a", "a"));
  const check = undocumentedRules(edition).find(({ id }) => id === `named-only/NAMED-LIST ${LIST}`);
  expect(check?.verdict(new History(edition, HEAD, repeated.entries))).toMatchObject({ outcome: "held" });
});

describe("an answer that is asked for again", () => {
  const name = `NAMED-STABLE ${LIST}`;
  const times = (...pages: unknown[]) =>
    pages.reduce<HistoryBuilder>((past, each) => past.answers(LIST, each), history());

  test("is the same, or has new items at its beginning", () => {
    expect(judge(times(page("a", "b"), page("a", "b")), name)).toMatchObject({ outcome: "held" });
    expect(judge(times(page("a", "b"), page("c", "a", "b")), name)).toMatchObject({ outcome: "held" });
  });

  test("may differ now and then, but not each time", () => {
    const moving = [page("a", "b"), page("b"), page("a"), page("b"), page("a")];
    expect(judge(times(...moving.slice(0, 4)), name)).toMatchObject({ outcome: "not-exercised" });
    expect(judge(times(...moving), name)).toMatchObject({ outcome: "violated" });
    expect(judge(times(...moving, page("a")), name)).toMatchObject({ outcome: "held" });
  });

  test("is the same if its items have numbers as ids, or none, and other optional fields", () => {
    const pagination = { count: 2, next: null };
    const rows = [{ amount: 1, note: "a" }, { amount: 2 }, { amount: 3, fee: 1 }];
    const numbered = envelope(
      rows.map((row, index) => ({ id: index + 1, ...row })),
      { pagination },
    );
    for (const same of [numbered, envelope(rows, { pagination })])
      expect(judge(times(same, same, same, same, same), name)).toMatchObject({ outcome: "held" });
    const other = envelope([{ id: 7, amount: 1 }], { pagination });
    expect(judge(times(numbered, other, numbered, other, numbered), name).outcome).toBe("violated");
  });
});

describe("a call without a token", () => {
  const name = `AUTH-NO-EFFECT ${WRITE}`;
  const read = (past: HistoryBuilder, state: string) => past.answers(READ, envelope({ id: "r", state }));

  test("changes nothing", () => {
    const past = read(read(history(), "new").answers(WRITE, "", withoutToken), "new");
    expect(judge(past, name)).toMatchObject({ outcome: "held" });
  });

  test("is suspected if the record differs afterwards, and keeps differing", () => {
    const past = read(read(history(), "new").answers(WRITE, "", withoutToken), "redeemed");
    expect(judge(past, name)).toMatchObject({ reason: "drift" });
    expect(judge(read(past, "redeemed"), name)).toMatchObject({ outcome: "violated" });
  });

  test("is not suspected if the record changes by itself, or a valid call changed it", () => {
    const past = read(read(history(), "new").answers(WRITE, "", withoutToken), "redeemed");
    expect(judge(read(past, "new"), name)).toMatchObject({ reason: "drift" });
    const valid = read(read(read(history(), "new").answers(WRITE, envelope({})), "redeemed"), "redeemed");
    expect(judge(valid, name)).toMatchObject({ outcome: "not-exercised" });
  });
});

describe("a list in an edition", () => {
  const judgeIn = (change: (list: JsonObject, page: JsonObject) => void, body: unknown) => {
    const document = documentCopy();
    for (const end of ["", "WithTotal"]) {
      const list = objectAt(document, "components", "schemas", `ListEnvelope${end}`);
      change(list, objectAt(document, "components", "schemas", `Pagination${end}`));
    }
    const edition = specOf(document);
    const past = new HistoryBuilder(edition).answers(LIST, body);
    const check = undocumentedRules(edition).find(({ id }) => id === `named-only/NAMED-LIST ${LIST}`);
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };
  const without = (schema: JsonObject, name: string) => {
    schema.required = (Array.isArray(schema.required) ? schema.required : []).filter((each) => each !== name);
  };
  const unchanged = () => undefined;

  test("has pagination with a count only if all documented lists have them", () => {
    const plain = envelope([{ id: "a" }]);
    expect(judgeIn(unchanged, plain)).toBe("violated");
    expect(judgeIn((list) => without(list, "pagination"), plain)).toBe("held");
    const uncounted = envelope([{ id: "a" }], { pagination: { next: null } });
    expect(judgeIn(unchanged, uncounted)).toBe("violated");
    expect(judgeIn((_, page) => without(page, "count"), uncounted)).toBe("held");
    const miscounted = envelope([{ id: "a" }], { pagination: { count: 2, next: null } });
    expect(judgeIn((_, page) => without(page, "count"), miscounted)).toBe("violated");
  });

  test("may have pagination beside a single result if documented answers may", () => {
    const single = envelope({ id: "a" }, { pagination: {} });
    expect(judgeIn(unchanged, single)).toBe("violated");
    const document = documentCopy();
    delete objectAt(document, "components", "schemas", "Envelope", "properties").pagination;
    const edition = specOf(document);
    const past = new HistoryBuilder(edition).answers(LIST, single);
    const check = undocumentedRules(edition).find(({ id }) => id === `named-only/NAMED-LIST ${LIST}`);
    expect(check?.verdict(new History(edition, HEAD, past.entries)).outcome).toBe("held");
  });
});
