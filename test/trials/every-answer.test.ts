import { describe, expect, test } from "vitest";
import { requestTo } from "../../generators/request.ts";
import { isJsonContentType } from "../../suites/every-answer-rules.ts";
import type { EveryAnswer } from "../../trials/every-answer.ts";
import { operation } from "../spec/package-spec.ts";
import { listOf, samples, single } from "../spec/samples.ts";
import { ask, seen } from "../suites/fakes.ts";
import type { Told } from "../suites/tiny-server.ts";

/** The faults that are noted of one answer, as `requirement: expected | actual`. */
async function faultsOf(key: string, told: Told, valid = true): Promise<Record<string, string>> {
  const one = operation(key);
  return seen(
    () => told,
    async (target) => {
      await target.send({ ...requestTo(one, null), path: "x" }, { valid });
      const entries = [...target.spec.requirements.keys()].flatMap((id): [string, string][] => {
        const fault = target.answers.fault(one, id);
        return fault ? [[id, `${fault.first.expected} | ${fault.first.actual}`]] : [];
      });
      return Object.fromEntries(entries);
    },
  );
}

const OTPS = "GET /v1/ussd-otps";
const HOOKS = "GET /webhooks";
const otp = (id: string, change: object = {}) => ({ ...samples.UssdOtp, id, ...change });

describe("an answer that is as documented breaks nothing", () => {
  test.each<[string, Told]>([
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
    [OTPS, { status: 200, body: `\uFEFF${JSON.stringify(listOf([]))}` }],
  ])("%s %j", async (key, told) => {
    expect(Object.keys(await faultsOf(key, told)).filter((id) => id !== "STATUS-200")).toEqual([]);
  });
});

test("null in every empty optional field is one fault of the resource, which names the fields", async () => {
  const payout = {
    ...samples.Payout,
    charges: null,
    delayedReason: null,
    failureDetail: null,
    metadata: null,
  };
  const faults = await faultsOf("GET /payouts/{id}", { status: 200, body: single(payout) });
  expect(faults).toEqual({
    "PAYOUT-FIELDS":
      "no null where the specification does not allow it | null in charges, delayedReason, failureDetail, metadata",
  });
});

describe("each fault is noted for its requirement, and for no other", () => {
  test.each<[requirement: string, key: string, told: Told, message: RegExp]>([
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
      /^0 for "JPY" \| 2$/,
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
  ])("%s", async (requirement, key, told, message) => {
    const faults = await faultsOf(key, told);
    expect(Object.keys(faults)).toEqual([requirement]);
    expect(faults[requirement]).toMatch(message);
  });
});

test("a redirect of a request that breaks a rule is the business of its check", async () => {
  expect(await faultsOf(OTPS, { status: 302, headers: { location: "/" } }, false)).toEqual({});
});

test("a limit that was asked for is held against the page", async () => {
  const fault = await seen(
    () => ({ status: 200, body: listOf([otp("a"), otp("b"), otp("c")]) }),
    async (target) => {
      await target.send({ ...requestTo(operation(OTPS), null), query: [["limit", "2"]] });
      return target.answers.fault(operation(OTPS), "LIST-LIMIT-RESPECTED");
    },
  );
  expect(fault?.first).toMatchObject({ expected: "at most 2 items", actual: "3 items" });
});

test("a result that is no list is one fault, whatever its parts are", async () => {
  expect(
    Object.keys(await faultsOf(OTPS, { status: 200, body: { ...listOf([]), result: { id: 5 } } })),
  ).toEqual(["RESULT-LIST"]);
});

test("faults are counted, and the first is shown with what it says is at fault", async () => {
  let asked = 0;
  // Each is asked for once more, and stays.
  const fault = await seen(
    () => ({ status: [500, 501, 505][Math.floor(asked++ / 2)] ?? 200 }),
    async (target) => {
      for (let count = 0; count < 3; count++) await ask(target, OTPS);
      return target.answers.fault(operation(OTPS), "NO-SERVER-ERROR");
    },
  );
  expect(fault).toMatchObject({
    count: 3,
    first: { actual: "status 500", check: "test/LIST-COUNT GET /webhooks" },
  });
  expect(fault?.first.evidence).toMatchObject([{ offending: "status", response: { status: 500 } }]);
});

test("of faults alike, the one with the shortest exchange is shown", async () => {
  const sizes = [300, 300, 20, 20, 100, 100];
  const fault = await seen(
    () => ({ status: 500, body: "x".repeat(sizes.shift() ?? 0) }),
    async (target) => {
      for (let count = 0; count < 3; count++) await ask(target, OTPS);
      return target.answers.fault(operation(OTPS), "NO-SERVER-ERROR");
    },
  );
  expect(fault?.count).toBe(3);
  expect(fault?.first.evidence[0]?.response?.body).toHaveLength(20);
});

test.each([
  [9, false],
  [10, true],
])("%i different resources tell what is left out on purpose: %s", async (count, enough) => {
  const shown = Array.from({ length: count }, (_, n) => otp(`otp-${n}`));
  const told = await seen(
    () => ({ status: 200, body: listOf([...shown, ...shown]) }),
    async (target) => {
      await ask(target, OTPS);
      return [target.answers.showedEnough(operation(OTPS)), target.answers.showedEnough(operation(HOOKS))];
    },
  );
  expect(told).toEqual([enough, false]);
});

test("what no answer could have broken was not exercised", async () => {
  const exercised = await seen(
    () => ({ status: 200, body: listOf([{ ...samples.UssdOtp, verificationMessage: null, metadata: {} }]) }),
    async (target) => {
      await ask(target, OTPS);
      const was = (id: string, key = OTPS) => target.answers.wasExercised(operation(key), id);
      return {
        fields: was("OTP-FIELDS"),
        present: was("OTP-PRESENT"),
        count: was("LIST-COUNT"),
        message: was("OTP-MESSAGE-LENGTH"),
        values: was("OTP-METADATA-VALUES"),
        properties: was("OTP-METADATA-COUNT"),
        elsewhere: was("LIST-COUNT", HOOKS),
      };
    },
  );
  expect(exercised).toEqual({
    fields: true,
    present: true,
    count: true,
    message: false,
    values: false,
    properties: true,
    elsewhere: false,
  });
});

test("an empty list exercises nothing of its items", async () => {
  const was = await seen(
    () => ({ status: 200, body: listOf([]) }),
    async (target) => {
      await ask(target, OTPS);
      return ["OTP-FIELDS", "OTP-PRESENT", "OTP-EXPECTED", "RESULT-LIST"].map((id) =>
        target.answers.wasExercised(operation(OTPS), id),
      );
    },
  );
  expect(was).toEqual([false, false, false, true]);
});

test("the same record seen again is no duplicate of its own code", async () => {
  const bank = { ...samples.Bank, id: "b1", code: "C1" };
  const fault = await seen(
    ({ path }) => ({ status: 200, body: path === "/banks" ? listOf([bank], 1) : single(bank) }),
    async (target) => {
      await ask(target, "GET /banks");
      await ask(target, "GET /banks/{idOrCode}", "b1");
      return target.answers.fault(operation("GET /banks/{idOrCode}"), "PROVIDER-CODES-UNIQUE");
    },
  );
  expect(fault).toBeUndefined();
});

test("a code is shared by a bank and a momo: found, with both answers for evidence", async () => {
  const fault = await seen(
    ({ path }) => ({ status: 200, body: listOf([{ ...samples.Bank, id: `of ${path}` }], 1) }),
    async (target) => {
      await ask(target, "GET /banks");
      await ask(target, "GET /momos");
      return target.answers.fault(operation("GET /momos"), "PROVIDER-CODES-UNIQUE");
    },
  );
  expect(fault?.first.evidence.map(({ request }) => new URL(request.url).pathname)).toEqual([
    "/banks",
    "/momos",
  ]);
});

test("fields that are not documented, never seen, or open are told", async () => {
  const told = await seen(
    () => ({
      status: 200,
      body: single({
        ...samples.Payout,
        fee: 1,
        source: { ...samples.Payout.source, iban: "x" },
        charges: undefined,
      }),
    }),
    async (target) => {
      const payout = operation("GET /payouts/{id}");
      await ask(target, payout.key, "po_1");
      return {
        extra: target.answers.extraFields(payout),
        unseen: target.answers.unseenFields(payout),
        statuses: target.answers.observed(payout, "SILENCE-PAYOUT-STATUS"),
        codes: target.answers.observed(payout, "SILENCE-FAILURE-CODE"),
        answers: (target.answers as EveryAnswer).statuses.get(payout.key),
        status: (target.answers as EveryAnswer).fields["Payout /status"],
      };
    },
  );
  expect(told).toEqual({
    extra: ["/result/fee", "/result/source/iban"],
    unseen: ["charges"],
    statuses: ["pending"],
    codes: ["unknown"],
    answers: new Map([[200, 1]]),
    status: { seen: 1, null: 0 },
  });
});

test("JSON content types", () => {
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

test("what is answered on a path that is not under test is not judged", async () => {
  const one = operation(HOOKS);
  const fault = await seen(
    () => ({ status: 302, headers: { location: "/" } }),
    async (target) => {
      await target.send({ ...requestTo(one, null), pathOverride: "/elsewhere" }, { valid: true });
      const before = target.answers.fault(one, "STATUS-200");
      await target.send(requestTo(one, null), { valid: true });
      return [before, target.answers.fault(one, "STATUS-200")?.first.actual];
    },
  );
  expect(fault).toEqual([undefined, "status 302"]);
});
