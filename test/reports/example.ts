/** Example reports to test renderers with: a typical one, one with hostile text, and a large one. */
import {
  requirementOutcome,
  requirementScope,
  requirementWaived,
  summarise,
  verdict,
} from "../../reports/outcome.ts";
import type {
  CheckResult,
  Exchange,
  Level,
  Observation,
  Report,
  RequirementResult,
  Trait,
} from "../../reports/report.ts";

/** Texts with which a service could try to harm or confuse a display. */
export const HOSTILE = [
  '<script>window.pwned=1</script>"\'><img src=x onerror="window.pwned=1">',
  "</script><script>window.pwned=1</script>",
  "</pre></code></details></table><svg onload=window.pwned=1>",
  "<!-- --> <![CDATA[ ]]> &lt; &amp; &#60;script&#62;",
  "\u001b[31mred\u001b[2J\u001b]0;title\u0007\u009b1m \u0000 \u0008 \u007f",
  "\u202edesrever\u202c \u2028 \u2029 \ufeff \ud800 \udfff \ufffe \u{e0041}",
  "``` ```` ~~~ `code` | pipe | **bold** [link](javascript:window.pwned=1) @everyone #1",
  "\n::error::injected\n::set-output name=a::b\n\r\n# heading\n- list\n<b>bold</b>\n",
  "%0A%25 \\ $(rm -rf /) `id` ' ; echo",
  "{{constructor}} $HOME javascript:alert(1) 😀 ‏עברית e\u0301",
].join("\n");

const BASE = "https://sandbox.example.test/api";

const STATEMENTS: [id: string, level: Level, section: string, statement: string][] = [
  ["ENVELOPE-SUCCESS", "MUST", "2.1", "A successful response carries `success` with the value true."],
  ["FIELD-TYPES", "MUST", "2", "Every documented field that is present has its documented type and limits."],
  ["LIST-COUNT", "MUST", "2.2", "`pagination.count` is the number of items in the page."],
  ["LIST-LIMIT", "MUST", "4.1", "With a limit of n the page holds at most n items."],
  ["LIST-ORDER", "SHOULD", "8", "The order of a list is the same whatever the page size."],
  [
    "FILTER-STATUS",
    "MUST",
    "4.3",
    "A list filtered by status holds only items of that status, and all of them.",
  ],
  [
    "ACCOUNT-REFERENCE-UNIQUE",
    "MUST",
    "4.2",
    "A reference is unique across the financial accounts of a space.",
  ],
  ["IDEMPOTENCY-REPEAT", "MUST", "5", "The same key and body, sent again, never make a second resource."],
  ["IDEMPOTENCY-OTHER-BODY", "SHOULD", "5", "The same key with another body is rejected."],
  ["SPACE-ISOLATION", "MUST", "5", "A request that names another space never shows or changes a resource."],
  ["AUTH-MISSING", "MUST", "5", "A request without credentials is rejected on every operation."],
  ["PAYOUT-METADATA", "MUST", "4.7", "A payout update changes the metadata and nothing else."],
  ["DELIVERY-HEADERS", "MUST", "6", "The custom headers of a webhook are on each of its deliveries."],
  ["VERSION-UNKNOWN", "SHOULD", "9", "A version that is not listed is rejected."],
  ["REJECTION-STATUS", "NOTE", "7", "Which status code a rejection carries is not shown."],
];

const OPERATIONS: [operation: string, section: string][] = [
  ["GET /v1/ussd-otps", "4.1"],
  ["POST /v1/financial-accounts", "4.2"],
  ["GET /v1/payment-codes", "4.3"],
  ["GET /payment-codes/{id}", "4.4"],
  ["PATCH /payment-codes/{id}", "4.5"],
  ["GET /payouts/{id}", "4.6"],
  ["PATCH /payouts/{id}", "4.7"],
  ["GET /banks", "4.8"],
  ["GET /banks/{idOrCode}", "4.9"],
  ["GET /countries", "4.12"],
  ["POST /webhooks", "4.14"],
  ["GET /webhooks", "4.16"],
];

export function exchange(change: Partial<Exchange> = {}): Exchange {
  return {
    request: {
      method: "GET",
      url: `${BASE}/v1/ussd-otps?limit=2`,
      headers: { authorization: "[redacted]", "service-space-id": "spc-main" },
      body: null,
    },
    response: {
      status: 200,
      headers: { "content-type": "application/json", "x-request-id": "7f3a" },
      body: '{"success":true,"messages":[],"result":[{"id":"otp-1","status":"pending"},{"id":"otp-2","status":"verified"}],"pagination":{"count":3,"next":null}}',
    },
    startedAt: "2026-03-02T10:00:01.250Z",
    durationMs: 12.4,
    ...change,
  };
}

export function check(change: Partial<CheckResult> = {}): CheckResult {
  const operation = change.operation ?? "GET /v1/ussd-otps";
  const requirement = change.requirements?.[0] ?? "LIST-COUNT";
  const suite = change.suite ?? "lists";
  return {
    id: `${suite}/${operation.replace(/[^A-Za-z0-9]+/g, "-")}/${requirement}`,
    title: "the count of a page is the number of its items",
    requirements: [requirement],
    level: STATEMENTS.find(([id]) => id === requirement)?.[1] ?? "MUST",
    suite,
    operation,
    section: OPERATIONS.find(([name]) => name === operation)?.[1] ?? "4",
    serviceVersion: null,
    outcome: "pass",
    durationMs: 18,
    evidence: [],
    ...change,
  };
}

export function failing(change: Partial<CheckResult> = {}): CheckResult {
  const base = check(change);
  return {
    ...base,
    outcome: "fail",
    message: "expected pagination.count to be 2, the number of items in the page, got 3",
    expected: "2, the number of items in the page",
    actual: "3",
    evidence: [exchange({ offending: "/pagination/count" })],
    reproduce: {
      seed: 20260302,
      path: "3:1:0",
      counterexample: { limit: 2 },
      curl: `curl -sS '${BASE}/v1/ussd-otps?limit=2' -H "Authorization: Bearer $PAYMENTS_CONFORMANCE_TOKEN" -H 'Service-Space-Id: spc-main'`,
      command: `payments-conformance replay report.json ${base.id}`,
    },
    ...change,
  };
}

/** A complete report with these checks. Requirements, summary and verdict are computed from them. */
export function reportOf(checks: CheckResult[], change: Partial<Report> = {}): Report {
  const requirements: RequirementResult[] = STATEMENTS.map(([id, level, section, statement]) => {
    const own = checks.filter((one) => one.requirements.includes(id));
    return {
      id,
      level,
      section,
      statement,
      outcome: requirementOutcome(own),
      checks: own.map((one) => one.id),
      ...requirementScope(level, own),
      ...(requirementWaived(own) ? { waived: true } : {}),
    };
  });
  const base: Report = {
    schemaVersion: 1,
    suite: { name: "payments-conformance", version: "0.1.0" },
    spec: {
      title: "Payments Service API",
      versions: ["caph.2025-06-20", "caph.2025-08-23"],
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    target: { baseUrl: BASE, paths: "as-shown", embedded: false },
    run: {
      startedAt: "2026-03-02T10:00:00.000Z",
      durationMs: 92_400,
      seed: 20260302,
      requests: 3127,
      partial: false,
      options: { paths: "as-shown", serviceVersion: "all", concurrency: 8, strict: false, only: [] },
    },
    verdict: "conformant",
    summary: summarise(checks),
    requirements,
    checks,
    observations: [],
    coverage: { operations: {}, fields: {}, constraints: {} },
    ...change,
  };
  return { ...base, verdict: change.verdict ?? verdict(base) };
}

const SUITES: Record<string, string[]> = {
  responses: ["ENVELOPE-SUCCESS", "FIELD-TYPES"],
  access: ["AUTH-MISSING", "SPACE-ISOLATION"],
  lists: ["LIST-COUNT", "LIST-LIMIT", "LIST-ORDER"],
  filters: ["FILTER-STATUS"],
  creates: ["ACCOUNT-REFERENCE-UNIQUE"],
  idempotency: ["IDEMPOTENCY-REPEAT", "IDEMPOTENCY-OTHER-BODY"],
  updates: ["PAYOUT-METADATA"],
  versions: ["VERSION-UNKNOWN"],
  deliveries: ["DELIVERY-HEADERS"],
};

function applies(suite: string, operation: string): boolean {
  if (suite === "lists") return operation.startsWith("GET") && !operation.includes("{");
  if (suite === "filters") return operation === "GET /v1/payment-codes" || operation === "GET /banks";
  if (suite === "creates" || suite === "idempotency") return operation.startsWith("POST");
  if (suite === "updates") return operation.startsWith("PATCH");
  if (suite === "deliveries") return operation === "POST /webhooks";
  return true;
}

/** A typical report with three violations, some warnings and some skipped checks. */
export function typicalReport(): Report {
  const checks: CheckResult[] = [];
  for (const [suite, requirements] of Object.entries(SUITES)) {
    for (const [operation] of OPERATIONS.filter(([name]) => applies(suite, name))) {
      for (const requirement of requirements) checks.push(oneOf(suite, operation, requirement));
    }
  }
  return reportOf(checks, {
    observations: observations(),
    coverage: coverage(checks),
    assumed: [quota()],
  });
}

function oneOf(suite: string, operation: string, requirement: string): CheckResult {
  const base = { suite, operation, requirements: [requirement] };
  if (requirement === "LIST-COUNT" && operation.includes("/v1/")) return failing(base);
  if (requirement === "IDEMPOTENCY-REPEAT" && operation.includes("accounts")) return secondResource(base);
  if (requirement === "VERSION-UNKNOWN" && !operation.includes("{")) return acceptedVersion(base);
  if (requirement === "DELIVERY-HEADERS") return check({ ...base, outcome: "skip", reason: "no-callback" });
  if (requirement === "PAYOUT-METADATA") return check({ ...base, outcome: "skip", reason: "no-fixture" });
  if (requirement === "FILTER-STATUS") {
    const met = { outcome: "skip", reason: "no-data", message: "the list is empty" } as const;
    return check({ ...base, ...met, evidence: [exchange()] });
  }
  if (requirement === "FIELD-TYPES" && operation === "GET /countries") {
    return failing({
      ...base,
      waived: { reason: "Known; repaired in the May release.", expires: "2026-06-01" },
    });
  }
  return check({ ...base, title: `${requirement.toLowerCase().replaceAll("-", " ")} holds on ${operation}` });
}

function secondResource(base: Partial<CheckResult>): CheckResult {
  const request = {
    method: "POST",
    url: `${BASE}/v1/financial-accounts`,
    headers: {
      authorization: "[redacted]",
      "content-type": "application/json",
      "idempotency-key": "pc-20260302-0007",
      "service-space-id": "spc-main",
    },
    body: '{"name":"pc-20260302 savings","currency":"GHS"}',
  };
  const answer = (id: string) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: `{"success":true,"messages":[],"result":{"id":"${id}","uvan":"00071","name":"pc-20260302 savings","currency":"GHS","reference":null,"balance":{"available":{"currency":"GHS","value":0}},"createTime":"2026-03-02T10:00:05Z","updateTime":"2026-03-02T10:00:05Z"}}`,
  });
  return failing({
    ...base,
    title: "the same key and body, one after the other, make one financial account",
    message: "expected the second answer to be the same resource or a rejection, got another resource",
    expected: 'id "fa-7", or a status from 400 to 499',
    actual: 'status 200 with id "fa-8"',
    evidence: [
      exchange({ request, response: answer("fa-7"), role: "first call" }),
      exchange({ request, response: answer("fa-8"), role: "second call", offending: "/result/id" }),
    ],
  });
}

function acceptedVersion(base: Partial<CheckResult>): CheckResult {
  return failing({
    ...base,
    outcome: "warn",
    title: "a version that is not listed is rejected",
    message: "expected a status from 400 to 499, got 200",
    expected: "a status from 400 to 499",
    actual: "200",
    evidence: [exchange({ offending: "status" })],
  });
}

function quota(): Trait {
  const create = { method: "POST", path: "/webhooks" };
  return {
    trait: "quota",
    subject: "POST /webhooks",
    statement:
      "POST /webhooks accepted 12 new resources in a space and rejected the 2 valid requests after them.",
    evidence: [
      { entry: 794, ...create, status: 200 },
      { entry: 1228, ...create, status: 409 },
      { entry: 1235, ...create, status: null },
    ],
  };
}

function observations(): Observation[] {
  return [
    ["REJECTION-STATUS", "POST /v1/financial-accounts", "status of a duplicate reference", "409"],
    ["REJECTION-STATUS", "POST /v1/financial-accounts", "status of a missing name", "422"],
    ["REJECTION-STATUS", "GET /banks", "status of a missing country", "400"],
    ["REJECTION-STATUS", "GET /v1/ussd-otps", "status without credentials", "401"],
    ["VERSION-UNKNOWN", "GET /countries", "answers under /v1 as well", "no, 404"],
  ].map(([requirement = "", operation = "", subject = "", value = ""]) => ({
    requirement,
    operation,
    subject,
    value,
  }));
}

function coverage(checks: CheckResult[]): Report["coverage"] {
  const operations: Report["coverage"]["operations"] = {};
  for (const [operation] of OPERATIONS) {
    const { waived: _, ...outcomes } = summarise(checks.filter((one) => one.operation === operation));
    operations[operation] = { requests: 240, statuses: { "200": 201, "400": 35, "401": 4 }, outcomes };
  }
  return {
    operations,
    fields: {
      "UssdOtp /id": { seen: 412, null: 0 },
      "UssdOtp /verificationMessage": { seen: 380, null: 122 },
      "Payout /delayedReason": { seen: 0, null: 0 },
    },
    constraints: {
      "POST /webhooks body/name maxLength": { valid: 12, violating: 8 },
      "POST /webhooks body/alertEmails maxItems": { valid: 4, violating: 0 },
    },
  };
}

/** A report that has `extra` in every place whose text may come from a service or a user's file. */
export function hostile(extra: string = HOSTILE): Report {
  const evil = failing({
    id: `lists/${extra}`,
    title: extra,
    suite: extra,
    operation: `GET ${extra}`,
    section: extra,
    serviceVersion: extra,
    message: extra,
    expected: extra,
    actual: extra,
    evidence: [
      exchange({
        request: { method: extra, url: `${BASE}/${extra}`, headers: { [extra]: extra }, body: extra },
        response: { status: 200, headers: { [extra]: extra }, body: JSON.stringify({ [extra]: extra }) },
        role: extra,
        offending: `/${extra}`,
      }),
      exchange({
        response: { status: 500, headers: { "content-type": "text/html" }, body: extra, truncated: true },
        offending: `header:${extra}`,
      }),
    ].concat({ ...exchange(), fault: extra }),
    reproduce: { seed: 1, path: extra, counterexample: { [extra]: extra }, curl: extra, command: extra },
  });
  const checks = [
    evil,
    { ...evil, id: `${evil.id} warn`, outcome: "warn" as const },
    { ...evil, id: `${evil.id} waived`, waived: { reason: extra, expires: extra } },
    check({ id: `${evil.id} skip`, outcome: "skip", reason: "no-data", message: extra, title: extra }),
  ];
  return reportOf(checks, {
    suite: { name: extra, version: extra },
    spec: { title: extra, versions: [extra], sha256: extra },
    target: { baseUrl: extra, paths: extra, embedded: false },
    problem: extra,
    complaints: [extra],
    run: {
      startedAt: "2026-03-02T10:00:00Z",
      durationMs: 1,
      seed: 1,
      requests: 1,
      partial: true,
      options: { [extra]: { nested: [extra] } },
    },
    requirements: [
      ...reportOf(checks).requirements,
      {
        id: extra,
        level: "MUST",
        section: extra,
        statement: extra,
        outcome: "skip",
        checks: [extra],
        inScope: false,
        scopeReason: extra,
      },
    ],
    observations: [{ requirement: extra, operation: extra, subject: extra, value: extra }],
    coverage: {
      operations: { [extra]: { requests: 1, statuses: { [extra]: 1 }, outcomes: { pass: 1 } } },
      fields: { [extra]: { seen: 1, null: 0 } },
      constraints: { [extra]: { valid: 1, violating: 0 } },
    },
  });
}

/** A report of `total` checks. One in ten fails. */
export function large(total = 5000): Report {
  const suites = Object.entries(SUITES);
  const checks = Array.from({ length: total }, (_, index) => {
    const [suite, requirements] = suites[index % suites.length] ?? ["lists", ["LIST-COUNT"]];
    const [operation] = OPERATIONS[index % OPERATIONS.length] ?? ["GET /banks"];
    const requirement = requirements[index % requirements.length] ?? "LIST-COUNT";
    const base = { suite, operation, requirements: [requirement] };
    const id = `${suite}/${operation.replace(/[^A-Za-z0-9]+/g, "-")}/${requirement}/case-${index}`;
    return index % 10 === 0 ? failing({ ...base, id }) : check({ ...base, id });
  });
  return reportOf(checks);
}
