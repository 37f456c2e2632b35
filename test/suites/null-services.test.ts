/**
 * Services that implement nothing of the API pass a few checks, because their answers happen to keep a rule. This file
 * lists these requirements, and says why each pass is right.
 */

import { describe, expect, test } from "vitest";
import { startNullService } from "../../reference/index.ts";
import { commitShare } from "../commit-seed.ts";
import { spec } from "../spec/package-spec.ts";
import { runChecks } from "./run-checks.ts";

/** For each requirement whose checks pass, why that is right. */
type Reasons = Record<string, string>;

const NO_5XX: Reasons = { "NO-SERVER-ERROR": "it never answers 5xx" };
const ANY_200: Reasons = { ...NO_5XX, "STATUS-200": "it always answers 200" };
const ANY_JSON: Reasons = {
  ...ANY_200,
  "JSON-CONTENT-TYPE": "it says application/json",
  "JSON-BODY": "its bodies are JSON",
  "NAMED-SUCCESS": "a success of an undocumented operation need only be 200 and JSON",
};
const NO_ENVELOPE: Reasons = {
  ...ANY_JSON,
  "PAGINATION-ABSENT": "it never shows pagination",
};
const EMPTY_LIST: Reasons = {
  ...ANY_JSON,
  "SUCCESS-TRUE": "success is true",
  "MESSAGES-ARRAY": "messages is an array",
  "RESULT-LIST": "the result of a list operation is a list",
  "PAGINATION-PRESENT": "a list has pagination",
  "PAGINATION-FIELDS": "count and next are of their types",
  "LIST-COUNT": "count is 0, and there are no items",
  "LIST-TOTAL": "total is an integer and not below count",
  "LIST-TOTAL-EXACT": "total is 0, and no page has items",
  "LIST-LIMIT-ACCEPTED": "every page size is answered with a list, and with no more items",
  "CURSOR-FORM": "next is null",
  "PARAMETER-ACCEPTED": "a country is answered with a list",
  "FILTER-NOTHING-FOUND": "a country without providers is answered with an empty list",
  "REFERENCE-WITHOUT-SPACE": "reference lists are answered with a list without a space",
  "AUTH-SCHEME-CASE": "lists are answered with a list, however the scheme is spelled",
  "VERSION-ACCEPTED": "lists are answered with a list under every version",
  "NAMED-ENVELOPE": "the envelope is whole",
  "NAMED-LIST": "a list with its pagination",
  "NAMED-STABLE": "asked twice, the same list both times",
};

/** For each null service, exactly the requirements whose checks pass. */
const PASSES: Record<string, Reasons> = {
  "empty-object": NO_ENVELOPE,
  echo: NO_ENVELOPE,
  "empty-list": EMPTY_LIST,
  "login-page": ANY_200,
  "bad-request": NO_5XX,
  unauthorized: NO_5XX,
  "not-found": NO_5XX,
  redirect: NO_5XX,
  "server-error": {},
};

/** Why checks may pass on a service that answers every call with its first success, here a payment code. */
const FIRST_ANSWER: Reasons = {
  ...ANY_JSON,
  "SUCCESS-TRUE": "success is true",
  "MESSAGES-ARRAY": "messages is an array",
  "RESULT-OBJECT": "the result of an operation on one resource is an object",
  "PAGINATION-ABSENT": "it never shows pagination",
  "CODE-FIELDS": "it is a payment code",
  "CODE-PRESENT": "it is a payment code",
  "CODE-EXPECTED": "it is a payment code",
  "MONEY-FIELDS": "its amount is money",
  "MONEY-PRESENT": "its amount is money",
  "ACCOUNT-FIELDS": "the fields that it shares with an account have the same types",
  "COUNTRY-FIELDS": "the fields that it shares with a country have the same types",
  "PAYOUT-FIELDS": "the fields that it shares with a payout have the same types",
  "WEBHOOK-FIELDS": "the fields that it shares with a webhook have the same types",
  "CREATE-ACCEPTED": "creates are answered with a resource that has an id",
  "CREATE-CHARSET": "creates are answered with a resource that has an id",
  "CREATE-EDGES": "creates are answered with a resource that has an id",
  "CREATE-NULL-ACCEPTED": "creates are answered with a resource that has an id",
  "CREATE-NULL": "the field is shown as it is without null",
  "CREATE-ECHO": "fields that were sent as null or empty are absent, and isActive is true",
  "CREATE-ECHO-DETAILS": "no list and no mail address is shown otherwise than it was sent",
  "UNIQUE-PER-SPACE": "a create in the second space is answered with a resource that has an id",
  "KEY-REPLAY": "a replay is answered with the same resource",
  "KEY-PARALLEL": "a replay is answered with the same resource",
  "KEY-ONE-SUCCEEDS": "one of the calls is answered with a resource that has an id",
  "READ-ACCEPTED": "a read of this resource shows it",
  "READ-STABLE": "two reads show the same",
  "UPDATE-ACCEPTED": "updates of this resource are answered with it",
  "UPDATE-CHARSET": "updates of this resource are answered with it",
  "UPDATE-EDGES": "updates of this resource are answered with it",
  "UPDATE-EMPTY": "updates of this resource are answered with it",
  "UPDATE-EMPTY-PAYOUT": "updates of this resource are answered with it",
  "UPDATE-NULL-ACCEPTED": "updates of this resource are answered with it",
  "UPDATE-NULL": "the field is shown as it is without null",
  "UPDATE-ECHO": "it had the value that was sent before the update",
  "UPDATE-ECHO-DETAILS": "no list and no mail address is shown otherwise than it was sent",
  "UPDATE-STORED": "it had the value that was sent before the update",
  "UPDATE-IDENTITY": "it never changes",
  "UPDATE-KEEPS": "it never changes",
  "UPDATE-KEEPS-REST": "it never changes",
  "AUTH-SCHEME-CASE": "a read shows this resource, however the scheme is spelled",
  "VERSION-ACCEPTED": "a read shows this resource under every version",
  "VERSION-FIELDS": "under every version the fields are the same",
  "VERSION-VALUES": "under every version the values are the same",
  "NAMED-ENVELOPE": "the envelope is whole",
  "NAMED-LIST": "a single result without pagination",
  "NAMED-STABLE": "asked twice, the same both times",
};

/** Long, because a run sends more than a thousand requests. */
const TIMEOUT_MS = 300_000;

/** Runs all checks on a null service. Returns the requirements of those that pass, and how many fail. */
async function triedOn(name: string): Promise<{ kept: string[]; failing: number }> {
  const service = await startNullService(name);
  try {
    const { token, space, fixtures, baseUrl, secondSpace, secondToken } = service;
    const second = { secondSpace, secondToken };
    const settings = { token, space, ...second, fixtures: { ...fixtures }, baseUrl, depth: "quick" as const };
    const { results } = await runChecks(spec, settings, () => true);
    const passed = results.filter(({ outcome }) => outcome === "pass");
    const kept = new Set(passed.flatMap(({ requirements }) => requirements));
    return { kept: [...kept].sort(), failing: results.filter(({ outcome }) => outcome === "fail").length };
  } finally {
    await service.close();
  }
}

/** Each commit tries a sixth of the services. */
describe.each(commitShare(Object.entries(PASSES), 9))("%s", (name, reasons) => {
  test(
    "passes only the checks that it satisfies",
    async () => {
      const { kept, failing } = await triedOn(name);
      expect(kept).toEqual(Object.keys(reasons).sort());
      expect(failing).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

describe("first-answer", () => {
  test(
    "passes only the checks that it satisfies",
    async () => {
      const { kept, failing } = await triedOn("first-answer");
      expect(kept.filter((requirement) => !(requirement in FIRST_ANSWER))).toEqual([]);
      expect(failing).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
