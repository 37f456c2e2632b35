/**
 * Each MUST and SHOULD is tested at exactly the operations where it applies. `HOLDS_FOR` names these operations. It
 * is written by hand from the specification.
 */

import { describe, expect, test } from "vitest";
import { allChecks, checksOf } from "../../suites/index.ts";
import { spec } from "./package-spec.ts";

const OTPS = "GET /v1/ussd-otps";
const NEW_ACCOUNT = "POST /v1/financial-accounts";
const CODES = "GET /v1/payment-codes";
const CODE = "GET /payment-codes/{id}";
const CHANGED_CODE = "PATCH /payment-codes/{id}";
const PAYOUT = "GET /payouts/{id}";
const CHANGED_PAYOUT = "PATCH /payouts/{id}";
const BANKS = "GET /banks";
const BANK = "GET /banks/{idOrCode}";
const MOMOS = "GET /momos";
const MOMO = "GET /momos/{idOrCode}";
const COUNTRIES = "GET /countries";
const COUNTRY = "GET /countries/{idOrCode}";
const NEW_HOOK = "POST /webhooks";
const CHANGED_HOOK = "PATCH /webhooks/{id}";
const HOOKS = "GET /webhooks";

const UNDOCUMENTED_READS = [
  "GET /v1/financial-accounts",
  "GET /v1/financial-transactions",
  "GET /v1/provider-kyc/{providerId}",
  "GET /v1/receipts/{orderNumber}",
];
/** The undocumented reads that the older version has, too. */
const OLDER_UNDOCUMENTED_READS = UNDOCUMENTED_READS.filter((key) => !key.includes("/receipts/"));
const UNDOCUMENTED_WRITES = [
  "POST /v1/ussd-otps",
  "POST /v1/payments",
  "POST /v1/checkout-sessions",
  "POST /v1/internal-transfers",
  "POST /v1/receipts/{orderNumber}/redeem",
];

const PROVIDERS = [BANKS, BANK, MOMOS, MOMO];
const REFERENCE = [...PROVIDERS, COUNTRIES, COUNTRY];
const LISTS = [OTPS, CODES, BANKS, MOMOS, COUNTRIES, HOOKS];
const PAGED = [OTPS, CODES, HOOKS];
const COUNTED = [BANKS, MOMOS, COUNTRIES, HOOKS];
const READS = [CODE, PAYOUT, BANK, MOMO, COUNTRY];
const CREATES = [NEW_ACCOUNT, NEW_HOOK];
const UPDATES = [CHANGED_CODE, CHANGED_PAYOUT, CHANGED_HOOK];
const SINGLES = [...READS, ...CREATES, ...UPDATES];
const DOCUMENTED = [...LISTS, ...SINGLES];
const ALL = [...DOCUMENTED, ...UNDOCUMENTED_READS, ...UNDOCUMENTED_WRITES];
const SPACED = DOCUMENTED.filter((key) => !REFERENCE.includes(key));
const MONEY = [NEW_ACCOUNT, CODES, CODE, CHANGED_CODE, PAYOUT, CHANGED_PAYOUT];

/** For each requirement, the operations where it applies. */
const HOLDS_FOR: Record<string, string[]> = {
  "STATUS-200": DOCUMENTED,
  "JSON-CONTENT-TYPE": DOCUMENTED,
  "JSON-BODY": DOCUMENTED,
  "NO-SERVER-ERROR": ALL,
  "SUCCESS-TRUE": DOCUMENTED,
  "MESSAGES-ARRAY": DOCUMENTED,
  "RESULT-OBJECT": SINGLES,
  "RESULT-LIST": LISTS,
  "PAGINATION-PRESENT": LISTS,
  "PAGINATION-ABSENT": SINGLES,
  "PAGINATION-FIELDS": LISTS,

  "MONEY-FIELDS": MONEY,
  "MONEY-PRESENT": MONEY,
  "OTP-FIELDS": [OTPS],
  "OTP-PRESENT": [OTPS],
  "OTP-EXPECTED": [OTPS],
  "OTP-MESSAGE-LENGTH": [OTPS],
  "OTP-METADATA-COUNT": [OTPS],
  "OTP-METADATA-VALUES": [OTPS],
  "OTP-TIMES-ORDERED": [OTPS],
  "OTP-STATUS-TIME": [OTPS],
  "PROVIDERS-EXIST": [CODES, CODE],
  "COUNTRY-CURRENCIES": [COUNTRIES, COUNTRY],
  "ACCOUNT-FIELDS": [NEW_ACCOUNT],
  "ACCOUNT-PRESENT": [NEW_ACCOUNT],
  "ACCOUNT-EXPECTED": [NEW_ACCOUNT],
  "ACCOUNT-ONE-CURRENCY": [NEW_ACCOUNT],
  "ACCOUNT-NUMBER-UNIQUE": [NEW_ACCOUNT],
  "CODE-LIST-FIELDS": [CODES],
  "CODE-LIST-PRESENT": [CODES],
  "CODE-LIST-EXPECTED": [CODES],
  "OWNERSHIP-CHAIN": [CODES],
  "CODE-FIELDS": [CODE, CHANGED_CODE],
  "CODE-PRESENT": [CODE, CHANGED_CODE],
  "CODE-EXPECTED": [CODE, CHANGED_CODE],
  "PAYOUT-FIELDS": [PAYOUT, CHANGED_PAYOUT],
  "PAYOUT-PRESENT": [PAYOUT, CHANGED_PAYOUT],
  "PAYOUT-EXPECTED": [PAYOUT, CHANGED_PAYOUT],
  "WEBHOOK-FIELDS": [NEW_HOOK, CHANGED_HOOK, HOOKS],
  "WEBHOOK-PRESENT": [NEW_HOOK, CHANGED_HOOK, HOOKS],
  "PROVIDER-FIELDS": PROVIDERS,
  "PROVIDER-PRESENT": PROVIDERS,
  "PROVIDER-EXPECTED": PROVIDERS,
  "PROVIDER-CODES-UNIQUE": [BANKS, MOMOS],
  "COUNTRY-FIELDS": [COUNTRIES, COUNTRY],
  "COUNTRY-PRESENT": [COUNTRIES, COUNTRY],
  "COUNTRY-UNIT-LENGTH": [COUNTRIES, COUNTRY],
  "LIST-IDS-UNIQUE": LISTS,
  "TIMES-ORDERED": [NEW_ACCOUNT, CODES, ...PROVIDERS],

  "AUTH-MISSING": ALL,
  "AUTH-UNKNOWN-TOKEN": ALL,
  "AUTH-ALTERED-TOKEN": ALL,
  "AUTH-EMPTY-TOKEN": ALL,
  "AUTH-OTHER-SCHEME": ALL,
  "AUTH-BARE-TOKEN": ALL,
  "AUTH-NO-EFFECT": [...CREATES, ...UPDATES, "POST /v1/receipts/{orderNumber}/redeem"],
  "AUTH-SCHEME-CASE": DOCUMENTED,
  "SPACE-MISSING": SPACED,
  "SPACE-PATTERN": SPACED,
  "SPACE-LENGTH": SPACED,
  "SPACE-UNKNOWN": SPACED,
  "REFERENCE-WITHOUT-SPACE": REFERENCE,
  "ISOLATION-UNKNOWN-SPACE": SPACED,
  "ISOLATION-LISTS": [...PAGED, "GET /v1/financial-accounts"],
  "ISOLATION-READS": [CODE, PAYOUT],
  "ISOLATION-WRITES": [...UPDATES, ...CREATES],
  "ISOLATION-KEYS": CREATES,

  "LIST-COUNT": LISTS,
  "LIST-LIMIT-ACCEPTED": PAGED,
  "LIST-LIMIT-RESPECTED": PAGED,
  "LIST-LIMIT-REJECTED": PAGED,
  "LIST-LIMIT-DEFAULT": PAGED,
  "LIST-PAGE-MAXIMUM": PAGED,
  "CURSOR-FORM": PAGED,
  "CURSOR-ACCEPTED": PAGED,
  "CURSOR-END": PAGED,
  "CURSOR-ONCE": PAGED,
  "CURSOR-COMPLETE": PAGED,
  "CURSOR-FILTERED": [CODES],
  "CURSOR-REPEATABLE": PAGED,
  "CURSOR-TOO-LONG": PAGED,
  "CURSOR-UNKNOWN": PAGED,
  "LIST-ORDER": PAGED,
  "LIST-FULL-PAGES": PAGED,
  "ITEM-CURSOR-AFTER": [HOOKS],
  "ITEM-CURSOR-BEFORE": [HOOKS],
  "ITEM-CURSOR-PRECEDENCE": [HOOKS],
  "LIST-TOTAL": COUNTED,
  "LIST-TOTAL-EXACT": COUNTED,

  "FILTER-SOUND": [CODES, BANKS, MOMOS],
  "FILTER-COMPLETE": [CODES],
  "LIST-SHOWS-ALL": [CODES],
  "FILTER-ENUM": [CODES],
  "FILTER-NOTHING-FOUND": [BANKS, MOMOS],
  "PARAMETER-REQUIRED": [BANKS, MOMOS],
  "PARAMETER-INVALID": [BANKS, MOMOS],
  "PARAMETER-ACCEPTED": [CODES, BANKS, MOMOS],

  "READ-ACCEPTED": READS,
  "READ-MATCHES-LIST": [BANK, MOMO, COUNTRY],
  "READ-UNKNOWN": READS,
  "READ-UNKNOWN-BLANKS": READS,
  "READ-STABLE": [...LISTS, ...READS],
  "SHAPES-AGREE": [CODE],
  "SHAPES-CUSTOMER": [CODE],

  "CREATE-ACCEPTED": CREATES,
  "CREATE-EDGES": CREATES,
  "CREATE-NULL-ACCEPTED": CREATES,
  "CREATE-CHARSET": CREATES,
  "CREATE-REQUIRED": CREATES,
  "CREATE-TYPE": CREATES,
  "CREATE-NULL": CREATES,
  "CREATE-NULL-OPTIONAL": CREATES,
  "CREATE-TOO-LONG": CREATES,
  "CREATE-TOO-SHORT": [NEW_HOOK],
  "CREATE-TOO-MANY": [NEW_HOOK],
  "CREATE-TOO-FEW": [NEW_HOOK],
  "CREATE-CURRENCY": [NEW_ACCOUNT],
  "CREATE-MALFORMED": CREATES,
  "CREATE-NOT-OBJECT": CREATES,
  "CREATE-NULL-BODY": CREATES,
  "CREATE-TEXT-PLAIN": CREATES,
  "CREATE-FORM-DATA": CREATES,
  "CREATE-URL": [NEW_HOOK],
  "CREATE-ECHO": CREATES,
  "CREATE-ECHO-DETAILS": CREATES,
  "CREATE-DEFAULT": [NEW_HOOK],
  "CREATE-LISTED": [NEW_HOOK],
  "CREATE-NO-EFFECT": CREATES,
  "UNIQUE-REJECTED": [NEW_ACCOUNT],
  "UNIQUE-PARALLEL": [NEW_ACCOUNT],
  "UNIQUE-OPTIONAL": [NEW_ACCOUNT],
  "UNIQUE-PER-SPACE": [NEW_ACCOUNT],
  "UNIQUE-NO-OTHERS": [NEW_ACCOUNT, NEW_HOOK],
  "KEY-MISSING": CREATES,
  "KEY-EMPTY": CREATES,
  "KEY-TOO-LONG": CREATES,
  "KEY-REPLAY": CREATES,
  "KEY-PARALLEL": CREATES,
  "KEY-ONE-SUCCEEDS": CREATES,
  "KEY-OTHER-BODY": CREATES,
  "KEY-DISTINCT": CREATES,

  "UPDATE-ACCEPTED": UPDATES,
  "UPDATE-EDGES": UPDATES,
  "UPDATE-ECHO": UPDATES,
  "UPDATE-ECHO-DETAILS": UPDATES,
  "UPDATE-STORED": UPDATES,
  "UPDATE-KEEPS": UPDATES,
  "UPDATE-KEEPS-REST": [CHANGED_PAYOUT],
  "UPDATE-IDENTITY": UPDATES,
  "UPDATE-REQUIRED": [CHANGED_HOOK],
  "UPDATE-TYPE": UPDATES,
  "UPDATE-NULL": [CHANGED_CODE, CHANGED_HOOK],
  "UPDATE-NULL-OPTIONAL": [CHANGED_CODE, CHANGED_HOOK],
  "UPDATE-NULL-ACCEPTED": UPDATES,
  "UPDATE-TOO-LONG": [CHANGED_CODE, CHANGED_HOOK],
  "UPDATE-TOO-SHORT": [CHANGED_HOOK],
  "UPDATE-TOO-MANY": [CHANGED_CODE, CHANGED_HOOK],
  "UPDATE-TOO-FEW": [CHANGED_CODE, CHANGED_HOOK],
  "UPDATE-INVALID": [CHANGED_CODE],
  "UPDATE-MALFORMED": UPDATES,
  "UPDATE-NOT-OBJECT": UPDATES,
  "UPDATE-NULL-BODY": UPDATES,
  "UPDATE-TEXT-PLAIN": UPDATES,
  "UPDATE-FORM-DATA": UPDATES,
  "UPDATE-CHARSET": UPDATES,
  "UPDATE-NO-EFFECT": UPDATES,
  "UPDATE-UNKNOWN": UPDATES,
  "UPDATE-EMPTY": [CHANGED_CODE],
  "UPDATE-EMPTY-PAYOUT": [CHANGED_PAYOUT],
  "CANCEL-STATUS": [CHANGED_CODE],
  "CANCEL-TOGETHER": [CHANGED_CODE],

  "VERSION-ACCEPTED": DOCUMENTED,
  "VERSION-UNKNOWN": DOCUMENTED,
  "VERSION-FIELDS": [...DOCUMENTED, ...OLDER_UNDOCUMENTED_READS],
  "VERSION-VALUES": [...DOCUMENTED, ...OLDER_UNDOCUMENTED_READS],
  "VERSION-MEMBERS": LISTS,

  "NAMED-SUCCESS": [...UNDOCUMENTED_READS, ...UNDOCUMENTED_WRITES],
  "NAMED-ENVELOPE": [...UNDOCUMENTED_READS, ...UNDOCUMENTED_WRITES],
  "NAMED-LIST": [...UNDOCUMENTED_READS, ...UNDOCUMENTED_WRITES],
  "NAMED-STABLE": UNDOCUMENTED_READS,
  "DELIVERY-INACTIVE": [NEW_HOOK, CHANGED_HOOK],
  "DELIVERY-SUBSCRIBED": [NEW_HOOK, CHANGED_HOOK],
  "DELIVERY-HEADERS": [NEW_HOOK, CHANGED_HOOK],
};

const checks = allChecks(spec);

/** The operations at which some check tests the requirement. */
function testedOn(requirement: string): string[] {
  return [
    ...new Set(
      checks
        .filter(({ requirements }) => requirements.includes(requirement))
        .map(({ operation }) => operation),
    ),
  ].sort();
}

test("a requirement has a check, or a reason for having none, and not both", () => {
  for (const { id, untested } of spec.requirements.values())
    expect(
      testedOn(id).length > 0,
      `${id} needs either a rule, which suiteOf(...) of its chapter names, or "untested" in the catalogue`,
    ).toBe(untested === undefined);
});

test("each rule is about a requirement of the catalogue", () => {
  const advice = "spec/requirements.yaml lacks these, so their rules are off";
  expect([...checksOf(spec, undefined).rulesOff.keys()], advice).toEqual([]);
});

test("the table is complete and names only what exists", () => {
  const binding = [...spec.requirements.values()].filter(
    ({ level, untested }) => level !== "NOTE" && untested === undefined,
  );
  expect(Object.keys(HOLDS_FOR).sort(), "HOLDS_FOR must name each requirement, with its operations").toEqual(
    binding.map(({ id }) => id).sort(),
  );
  const keys = spec.operations.map(({ key }) => key);
  for (const key of Object.values(HOLDS_FOR).flat()) expect(keys).toContain(key);
});

describe("each MUST and SHOULD is tested on all its operations, and on no other", () => {
  test.each(Object.entries(HOLDS_FOR))("%s", (requirement, operations) => {
    expect(testedOn(requirement), "the operations of HOLDS_FOR, and those that have a check").toEqual(
      [...new Set(operations)].sort(),
    );
  });
});
