import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { namesOfExtra, namesOfUnseen, valuesShown } from "../../../suites/responses/checks.ts";
import { judgeAnswers } from "../../../suites/responses/judging.ts";
import { isJsonContentType } from "../../../suites/responses/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { operation, spec } from "../../spec/package-spec.ts";
import { listOf, samples, single } from "../../spec/samples.ts";

const history = () => new HistoryBuilder(spec);

function judge(past: HistoryBuilder, key: string, requirement: string): RuleResult {
  return judgeAnswers(new History(spec, HEAD, past.entries), operation(key), requirement);
}

/** The outcome of a rule. For a violation, `expected | actual` instead. */
function outcome(past: HistoryBuilder, key: string, requirement: string): string {
  const result = judge(past, key, requirement);
  if (result.outcome !== "violated") return result.outcome;
  const [{ expected, actual }] = result.violations;
  return `${expected} | ${actual}`;
}

/** For each requirement that the answers of an operation violate, `expected | actual`. */
function violations(past: HistoryBuilder, key: string): Record<string, string> {
  const ids = [...spec.requirements.keys()].filter((id) => judge(past, key, id).outcome === "violated");
  return Object.fromEntries(ids.map((id) => [id, outcome(past, key, id)]));
}

interface TinyAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

function faultsOf(key: string, { status, body = "", headers }: TinyAnswer): Record<string, string> {
  const past = history().answers(key, body, {
    // Only the answer to a valid create is judged in full, so send one.
    ...(key.startsWith("POST") ? { sent: { name: "a", currency: "GHS" }, key: "k-1" } : {}),
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers: Object.entries(headers) }),
  });
  // A server error is proven only if the request is repeated and gets it again.
  if ((status ?? 200) >= 500) past.answers(key, body, { status: status ?? 0, repeats: true });
  return violations(past, key);
}

const OTPS = "GET /v1/ussd-otps";
const HOOKS = "GET /webhooks";
const otp = (id: string, change: object = {}) => ({ ...samples.UssdOtp, id, ...change });

describe("an answer as documented breaks no rule", () => {
  test.each<[string, TinyAnswer]>([
    [OTPS, { status: 200, body: listOf([otp("a"), otp("b")]) }],
    [OTPS, { status: 200, body: listOf(null) }],
    [OTPS, { status: 404, body: "gone" }],
    [HOOKS, { status: 200, body: listOf([samples.Webhook], 1) }],
    ["GET /payouts/{id}", { status: 200, body: single(samples.Payout) }],
    ["GET /countries", { status: 200, body: listOf([samples.Country], 1) }],
    ["GET /v1/receipts/{orderNumber}", { status: 201, body: "not shown, so not judged" }],
    [
      OTPS,
      { status: 200, body: listOf([]), headers: { "content-type": "Application/Problem+JSON; charset=x" } },
    ],
  ])("%s %j", (key, answer) => {
    expect(Object.keys(faultsOf(key, answer)).filter((id) => id !== "STATUS-200")).toEqual([]);
  });
});

test("null in every empty optional field is one fault of the resource, with the fields' names", () => {
  const payout = {
    ...samples.Payout,
    charges: null,
    delayedReason: null,
    failureDetail: null,
    metadata: null,
  };
  const faults = faultsOf("GET /payouts/{id}", { status: 200, body: single(payout) });
  expect(faults).toEqual({
    "PAYOUT-FIELDS":
      "no null where the specification does not allow it | null in charges, delayedReason, failureDetail, metadata",
  });
});

describe("each fault counts for its requirement, and for no other", () => {
  test.each<[requirement: string, key: string, answer: TinyAnswer, message: RegExp]>([
    ["NO-SERVER-ERROR", OTPS, { status: 503 }, /^no server error \| status 503$/],
    ["STATUS-200", OTPS, { status: 201, body: listOf([]) }, /^status 200 \| status 201$/],
    ["STATUS-200", OTPS, { status: 302, headers: { location: "/" } }, /status 302/],
    [
      "JSON-CONTENT-TYPE",
      OTPS,
      { status: 200, body: listOf([]), headers: { "content-type": "text/html" } },
      /text\/html/,
    ],
    ["JSON-BODY", OTPS, { status: 200, body: "<html>" }, /^a body that is JSON \| "<html>"$/],
    [
      "SUCCESS-TRUE",
      OTPS,
      { status: 200, body: { ...listOf([]), success: false } },
      /^\/success: true \| false$/,
    ],
    ["SUCCESS-TRUE", OTPS, { status: 200, body: [] }, /an object/],
    ["MESSAGES-ARRAY", OTPS, { status: 200, body: { ...listOf([]), messages: {} } }, /^\/messages/],
    [
      "PAGINATION-ABSENT",
      "GET /payouts/{id}",
      { status: 200, body: { ...single(samples.Payout), pagination: {} } },
      /^\/pagination: no such field/,
    ],
    [
      "OTP-FIELDS",
      OTPS,
      { status: 200, body: listOf([otp("a", { status: "lost" })]) },
      /^\/result\/0\/status: one of/,
    ],
    [
      "OTP-EXPECTED",
      OTPS,
      { status: 200, body: listOf([{ ...otp("a"), metadata: undefined }]) },
      /^\/result\/0\/metadata: the field metadata \| absent$/,
    ],
    [
      "OTP-TIMES-ORDERED",
      OTPS,
      { status: 200, body: listOf([otp("a", { expireTime: "2025-08-23T10:15:29Z" })]) },
      /^\/expireTime not before \/createTime/,
    ],
    [
      "LIST-COUNT",
      OTPS,
      { status: 200, body: { ...listOf([otp("a")]), pagination: { count: 2, next: null } } },
      /^count 1 \| count 2$/,
    ],
    [
      "LIST-COUNT",
      OTPS,
      { status: 200, body: { ...listOf(null), pagination: { count: 1, next: null } } },
      /^count 0 \| count 1$/,
    ],
    ["LIST-IDS-UNIQUE", OTPS, { status: 200, body: listOf([otp("a"), otp("a")]) }, /"a" twice/],
    [
      "CURSOR-FORM",
      OTPS,
      { status: 200, body: { ...listOf([otp("a")]), pagination: { count: 1, next: "" } } },
      /non-empty/,
    ],
    [
      "CURSOR-FORM",
      OTPS,
      { status: 200, body: { ...listOf([otp("a")]), pagination: { count: 1, next: "c".repeat(2001) } } },
      /at most 2000 characters \| 2001/,
    ],
    [
      "LIST-PAGE-MAXIMUM",
      OTPS,
      { status: 200, body: listOf(Array.from({ length: 51 }, (_, n) => otp(`o${n}`))) },
      /^at most 50 items \| 51 items$/,
    ],
    [
      "LIST-TOTAL",
      HOOKS,
      { status: 200, body: { ...listOf([samples.Webhook]), pagination: { count: 1, total: 0, next: null } } },
      /^a total of at least 1 \| total 0$/,
    ],
    [
      "COUNTRY-UNIT-LENGTH",
      "GET /countries",
      {
        status: 200,
        body: listOf([{ ...samples.Country, currency: { code: "JPY", unit: "yen", unitLength: 2 } }], 1),
      },
      /^0, the minor-unit digits of "JPY" \| 2$/,
    ],
    [
      "ACCOUNT-ONE-CURRENCY",
      "POST /v1/financial-accounts",
      { status: 200, body: single({ ...samples.FinancialAccount, currency: "USD" }) },
      /\/balance\/available\/currency equal to \/currency/,
    ],
    [
      "PROVIDER-CODES-UNIQUE",
      "GET /banks",
      { status: 200, body: listOf([samples.Bank, { ...samples.Bank, id: "prv_2" }], 2) },
      /a value that no other record has/,
    ],
  ])("%s", (requirement, key, answer, message) => {
    const faults = faultsOf(key, answer);
    expect(Object.keys(faults)).toEqual([requirement]);
    expect(faults[requirement]).toMatch(message);
  });
});

test("a redirect of a faulty request is left to the rules about faulty requests", () => {
  const more = { status: 302, headers: [["location", "/"]] as [string, string][] };
  const bare = { ...more, credential: { kind: "none" as const, token: null } };
  expect(outcome(history().answers(OTPS, "", bare), OTPS, "STATUS-200")).toBe("not-exercised");
  expect(outcome(history().answers(OTPS, "", more), OTPS, "STATUS-200")).toBe("status 200 | status 302");
});

describe("an accepted write that should have been rejected", () => {
  const key = "PATCH /webhooks/{id}";
  const url = "https://a.example/x";
  const made = () => history().creates("w1", { name: "a" });

  test("is judged by its envelope only", () => {
    expect(Object.keys(violations(made().updates("w1", { name: "b", url }, { isActive: 5 }), key))).toContain(
      "WEBHOOK-FIELDS",
    );
    const faulty = made().updates("w1", { name: 5, url }, { isActive: 5 });
    expect(violations(faulty, key)).toEqual({});
    // For another status than 200, the builder of histories makes a body without an envelope.
    const odd = faulty.updates("w1", { name: 5, url }, {}, { status: 201 });
    expect(Object.keys(violations(odd, key)).sort()).toEqual([
      "MESSAGES-ARRAY",
      "STATUS-200",
      "SUCCESS-TRUE",
    ]);
  });
});

describe("a page longer than the requested limit", () => {
  const three = listOf([otp("a"), otp("b"), otp("c")]);
  const asked = (...query: [string, string][]) =>
    outcome(history().answers(OTPS, three, { query }), OTPS, "LIST-LIMIT-RESPECTED");

  test("breaks the rule", () => {
    expect(asked(["limit", "2"])).toBe("at most 2 items | 3 items");
    expect(asked(["limit", "3"])).toBe("held");
  });

  test("is left open if the request had several limits, or one in another spelling", () => {
    expect(asked(["limit", "2"], ["limit", "5"])).toBe("not-exercised");
    expect(asked(["limit", "02"])).toBe("not-exercised");
  });
});

test("a result that is no list is one violation, whatever its parts", () => {
  const faults = faultsOf(OTPS, { body: { ...listOf([]), result: { id: 5 } } });
  expect(Object.keys(faults)).toEqual(["RESULT-LIST"]);
});

describe("of similar violations", () => {
  test("one is shown, and the others are counted", () => {
    const past = history();
    for (const status of [201, 202, 206]) past.answers(OTPS, listOf([]), { status });
    const result = judge(past, OTPS, "STATUS-200");
    expect(result).toMatchObject({
      violations: [
        {
          certainty: "proven",
          actual: "status 201 (and 2 more like it)",
          shownBy: [{ entry: { index: 0 }, offending: "status" }],
        },
      ],
    });
  });

  test("the shortest exchange is shown, but one of a valid request goes first", () => {
    const bare = { credential: { kind: "none" as const, token: null } };
    const past = history()
      .answers(OTPS, "x".repeat(300))
      .answers(OTPS, "x".repeat(20))
      .answers(OTPS, "x".repeat(100));
    expect(judge(past, OTPS, "JSON-BODY")).toMatchObject({
      violations: [{ shownBy: [{ entry: { index: 1 } }] }],
    });
    const key = "PATCH /webhooks/{id}";
    const url = "https://a.example/x";
    const writes = history()
      .creates("w1", { name: "a" })
      .updates("w1", { name: "b", url }, {}, { ...bare, status: 201 })
      .updates("w1", { name: "bbbbb", url }, {}, { status: 201 });
    expect(judge(writes, key, "STATUS-200")).toMatchObject({
      violations: [{ shownBy: [{ entry: { index: 2 } }] }],
    });
  });
});

describe("a server error", () => {
  const fine = listOf([]);
  const check = (past: HistoryBuilder) => judge(past, OTPS, "NO-SERVER-ERROR");

  test("is proven if the same request got it again", () => {
    const past = history()
      .answers(OTPS, "", { status: 500 })
      .answers(OTPS, "", { status: 500, repeats: true });
    expect(check(past)).toMatchObject({ violations: [{ certainty: "proven", actual: "status 500" }] });
  });

  test("is unsteady if the same request did not get it again, unless its cause is found", () => {
    const past = history().answers(OTPS, "", { status: 500 }).answers(OTPS, fine, { repeats: true });
    expect(check(past)).toMatchObject({
      outcome: "excused",
      violation: {
        actual: "status 500",
        shownBy: [{ entry: { index: 0 }, offending: "status" }, { entry: { index: 1 } }],
      },
      otherwise: { outcome: "unsteady" },
    });
  });

  test("in a race is suspected until the race shows it in another round", () => {
    const raced = (round: number, status: number) =>
      ({ status, round, probe: "race", beside: true }) as const;
    const past = history().answers(OTPS, fine).answers(OTPS, "", raced(1, 500));
    expect(check(past)).toMatchObject({ violations: [{ certainty: "suspected" }] });
    past.answers(OTPS, fine, raced(2, 200));
    expect(check(past)).toMatchObject({ violations: [{ certainty: "suspected" }] });
    const second = past.entries.filter(({ round }) => round === 2);
    const again = new History(spec, HEAD, second, past.entries);
    expect(judgeAnswers(again, operation(OTPS), "NO-SERVER-ERROR")).toMatchObject({ outcome: "unsteady" });
    past.answers(OTPS, "", raced(3, 500));
    expect(check(past)).toMatchObject({ violations: [{ certainty: "proven" }] });
  });

  test("in another race does not prove the first one", () => {
    const past = history()
      .answers(OTPS, "", { status: 500, probe: "one", round: 1 })
      .answers(OTPS, "", { status: 500, probe: "other", round: 2 });
    expect(check(past)).toMatchObject({ violations: [{ certainty: "suspected" }] });
  });

  test.each([502, 503, 504])("%i in a race may come from a gateway", (status) => {
    expect(check(history().answers(OTPS, "", { status }))).toMatchObject({
      outcome: "excused",
      otherwise: { outcome: "unsteady" },
    });
  });

  test("501 at an operation without a documented shape says that it does not exist", () => {
    const past = history().answers("GET /v1/receipts/{orderNumber}", "", { status: 501 });
    expect(outcome(past, "GET /v1/receipts/{orderNumber}", "NO-SERVER-ERROR")).toBe("held");
  });
});

test.each([
  [9, "no-data"],
  [10, "not-shown"],
])("%i different resources without a field give the reason %s", (count, reason) => {
  const left = { ...samples.UssdOtp, verificationMessage: null };
  const shown = Array.from({ length: count }, (_, n) => ({ ...left, id: `otp-${n}` }));
  const past = history().answers(OTPS, listOf([...shown, ...shown]));
  expect(judge(past, OTPS, "OTP-MESSAGE-LENGTH")).toMatchObject({ outcome: "not-exercised", reason });
});

test("a rule that no answer could have broken is not exercised", () => {
  const past = history().answers(
    OTPS,
    listOf([{ ...samples.UssdOtp, verificationMessage: null, metadata: {} }]),
  );
  const of = (id: string, key = OTPS) => outcome(past, key, id);
  expect({
    fields: of("OTP-FIELDS"),
    present: of("OTP-PRESENT"),
    count: of("LIST-COUNT"),
    message: of("OTP-MESSAGE-LENGTH"),
    values: of("OTP-METADATA-VALUES"),
    properties: of("OTP-METADATA-COUNT"),
    unrelated: of("LIST-COUNT", HOOKS),
  }).toEqual({
    fields: "held",
    present: "held",
    count: "held",
    message: "not-exercised",
    values: "not-exercised",
    properties: "held",
    unrelated: "not-exercised",
  });
});

test("an empty list exercises nothing of its items", () => {
  const past = history().answers(OTPS, listOf([]));
  const ids = ["OTP-FIELDS", "OTP-PRESENT", "OTP-EXPECTED", "RESULT-LIST"];
  expect(ids.map((id) => outcome(past, OTPS, id))).toEqual([
    "not-exercised",
    "not-exercised",
    "not-exercised",
    "held",
  ]);
});

describe("a value that belongs to one record", () => {
  const bank = { ...samples.Bank, id: "b1", code: "C1" };

  test("may be shown again with that record", () => {
    const past = history()
      .answers("GET /banks", listOf([bank], 1))
      .answers("GET /banks/{idOrCode}", single(bank), { path: "b1" })
      .answers("GET /banks", listOf([bank, { ...bank, id: "b2", code: "C2" }], 2));
    expect(outcome(past, "GET /banks", "PROVIDER-CODES-UNIQUE")).toBe("held");
  });

  test("is found at a bank and a momo, at both operations", () => {
    const past = history()
      .answers("GET /banks", listOf([bank], 1))
      .answers("GET /momos", listOf([{ ...bank, id: "m1" }], 1));
    for (const key of ["GET /banks", "GET /momos"])
      expect(judge(past, key, "PROVIDER-CODES-UNIQUE")).toMatchObject({
        violations: [
          {
            certainty: "proven",
            actual: '"C1" of b1 (GET /banks) and of m1 (GET /momos)',
            shownBy: [{ entry: { index: 0 } }, { entry: { index: 1 }, offending: "/result/0/code" }],
          },
        ],
      });
  });
});

test("fields that are undocumented, never seen, or open are recorded", () => {
  const key = "GET /payouts/{id}";
  const payout = {
    ...samples.Payout,
    fee: 1,
    source: { ...samples.Payout.source, iban: "x" },
    charges: undefined,
  };
  const past = new History(spec, HEAD, history().answers(key, single(payout)).entries);
  const one = operation(key);
  expect(namesOfExtra(past, one)).toEqual(["/result/fee", "/result/source/iban"]);
  expect(namesOfUnseen(past, one)).toEqual(["charges"]);
  expect(valuesShown(past, one, "SILENCE-PAYOUT-STATUS")).toEqual(["pending"]);
  expect(valuesShown(past, one, "SILENCE-FAILURE-CODE")).toEqual(["unknown"]);
});

test("an answer of another address is not judged", () => {
  const past = history().answers(HOOKS, "", { status: 302 });
  const unrelated = past.entries.map((entry) => ({ ...entry, operation: null }));
  const result = judgeAnswers(new History(spec, HEAD, unrelated), operation(HOOKS), "STATUS-200");
  expect(result.outcome).toBe("not-exercised");
});

test("an answer after a rate limit counts, the limit does not", () => {
  const past = history().answers(HOOKS, "", { status: 429 }).answers(HOOKS, listOf([], 0), { repeats: true });
  expect(new History(spec, HEAD, past.entries).answers.statusesOf(operation(HOOKS))).toEqual([200]);
});

test("a content type is JSON if it is application/json or ends in +json", () => {
  for (const type of [
    "application/json",
    "APPLICATION/JSON; charset=utf-8",
    "application/hal+json",
    "text/x.y+json;a=b",
  ])
    expect(isJsonContentType(type), type).toBe(true);
  for (const type of [
    undefined,
    "",
    "text/json",
    "application/jsonp",
    "text/plain; application/json",
    "+json",
  ])
    expect(isJsonContentType(type), String(type)).toBe(false);
});
