/** New operations need only a change of the YAML files in spec/: their checks are made from these. */

import { beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../../client/check.ts";
import type { CheckResult } from "../../reports/report.ts";
import { checksAtDepth } from "../../runner/planning/plan.ts";
import { assembleReport } from "../../runner/reporting/assemble.ts";
import { type JsonObject, valueAt } from "../../spec/json.ts";
import type { Schema } from "../../spec/model/spec.ts";
import { allChecks } from "../../suites/index.ts";
import { exampleSettings } from "../runner/settings.ts";
import { spec, specOf } from "../spec/package-spec.ts";
import { parcelsDocument, parcelsEdition } from "./parcels-edition.ts";
import { type Bug, OTHER_SPACE, SPACE, startParcels, TOKEN } from "./parcels-service.ts";
import { type Ran, runChecks } from "./run-checks.ts";

const edition = parcelsEdition();
const isNew = ({ operation }: Check) => operation.includes("/v1/parcels");
const checks = allChecks(edition).filter(isNew);

function requirementsOf(operation: string, all: Check[] = checks): Set<string> {
  const own = all.filter((check) => check.operation === operation);
  return new Set(own.flatMap(({ requirements }) => requirements));
}

test("the checks of the old operations stay the same", () => {
  const before = allChecks(spec).map(({ id }) => id);
  const after = allChecks(edition)
    .filter((check) => !isNew(check))
    .map(({ id }) => id);
  // Some checks now also compare an old operation with a new one. They keep their ids.
  expect(new Set(after)).toEqual(new Set(before));
});

test("a new version is tested at every operation, and compared with the version before it", () => {
  const document = parcelsDocument();
  const newest = "caph.2026-02-01";
  document["x-versions"] = [...spec.versions, newest];
  const version = valueAt(document, "/components/parameters/ServiceVersion/schema") as Schema;
  version.enum?.push(newest);
  const all = allChecks(specOf(document));
  // Each documented operation has one check of VERSION-ACCEPTED, which is about all versions.
  const tried = new Set(
    all.filter(({ id }) => id.startsWith("versions/VERSION-ACCEPTED")).map(({ operation }) => operation),
  );
  for (const { key, kind } of edition.operations) expect(tried.has(key), key).toBe(kind !== "named");
  const compared = all.filter(({ id }) => id.startsWith("versions/VERSION-FIELDS") && id.includes(newest));
  expect(compared.map(({ id }) => id)).toContainEqual(expect.stringContaining("caph.2025-08-23"));
});

test("many filters are tested one by one, in pairs, and all together", () => {
  const document = parcelsDocument();
  const parameters = valueAt(document, "/paths/~1v1~1payment-codes/get/parameters") as JsonObject[];
  for (const field of ["name", "id", "reference"])
    parameters.push({ name: field, in: "query", schema: { type: "string" }, "x-filter": `/${field}` });
  const ids = allChecks(specOf(document)).map(({ id }) => id);
  const sound = ids.filter((id) => id.startsWith("filters/FILTER-SOUND GET /v1/payment-codes "));
  const together = sound.map((id) => id.split(" @")[0]).filter((id) => id?.includes(" and "));
  expect(new Set(together).size).toBe(15 + 1);
});

test("an operation that only deletes need not succeed", () => {
  const document = parcelsDocument();
  const webhook = valueAt(document, "/paths/~1webhooks~1{id}") as Record<string, JsonObject>;
  webhook.delete = {
    operationId: "deleteWebhook",
    parameters: webhook.patch?.parameters,
    responses: { "204": { description: "Gone." } },
  };
  const edition = specOf(document);
  const report = assembleReport({
    spec: edition,
    settings: exampleSettings(),
    planned: [],
    execution: { results: [], faults: [] },
    options: {},
    waivers: [],
    startedAt: new Date(),
    durationMs: 1,
    interrupted: false,
  });
  const shown = new Map(report.operations?.map((each) => [each.operation, each.shown]));
  expect(shown.get("DELETE /webhooks/{id}")).toBe(false);
  expect(shown.get("PATCH /webhooks/{id}")).toBe(true);
});

describe("each new operation has the checks of similar ones", () => {
  /** A new operation, old operations that are like it, and the requirements of these that it does not have. */
  const alike: [operation: string, like: string[], own: RegExp][] = [
    [
      "GET /v1/parcels",
      ["GET /v1/ussd-otps", "GET /v1/payment-codes"],
      /^(OTP|CODE|MONEY|OWNERSHIP|PROVIDERS|SILENCE-CODE|TOTAL-ELSEWHERE)/,
    ],
    [
      "POST /v1/parcels",
      ["POST /v1/financial-accounts"],
      /^(ACCOUNT|MONEY|CREATE-CURRENCY|CREATE-CODE-CASE|CREATE-INITIAL)/,
    ],
    [
      "POST /v1/parcels",
      ["POST /webhooks"],
      /^(WEBHOOK|DELIVERY|SILENCE-EVENT|CREATE-URL|CREATE-OPEN|CREATE-TOO-(FEW|MANY))/,
    ],
    [
      "GET /v1/parcels/{parcelKey}",
      ["GET /payouts/{id}", "GET /banks/{idOrCode}"],
      /^(PAYOUT|MONEY|PROVIDER|SILENCE-(PAYOUT|FAILURE)|REFERENCE-WITHOUT-SPACE)/,
    ],
    [
      "PATCH /v1/parcels/{parcelKey}",
      ["PATCH /webhooks/{id}"],
      /^(WEBHOOK|DELIVERY|SILENCE-EVENT|UPDATE-(REQUIRED|URL|TOO-FEW|TOO-MANY)|CREATE-OPEN)/,
    ],
    [
      "PATCH /v1/parcels/{parcelKey}",
      ["PATCH /payouts/{id}"],
      /^(PAYOUT|MONEY|SILENCE|UPDATE-EMPTY-PAYOUT|UPDATE-KEEPS-REST)/,
    ],
  ];
  const today = allChecks(spec);

  test.each(alike)("%s like %j", (operation, like, own) => {
    const expected = like.flatMap((key) => [...requirementsOf(key, today)]).filter((id) => !own.test(id));
    expect(expected.length).toBeGreaterThan(20);
    const found = requirementsOf(operation);
    for (const id of expected) expect(found, id).toContain(id);
  });

  test("each new operation has checks of its own features", () => {
    expect([...requirementsOf("GET /v1/parcels")]).toEqual(
      expect.arrayContaining([
        "FILTER-SOUND",
        "FILTER-COMPLETE",
        "CURSOR-FILTERED",
        "LIST-TOTAL",
        "LIST-TOTAL-EXACT",
      ]),
    );
    expect([...requirementsOf("POST /v1/parcels")]).toEqual(
      expect.arrayContaining([
        "CREATE-INVALID",
        "CREATE-DEFAULT",
        "CREATE-LISTED",
        "UNIQUE-REJECTED",
        "CREATE-TOO-SHORT",
      ]),
    );
    expect([...requirementsOf("PATCH /v1/parcels/{parcelKey}")]).toEqual(
      expect.arrayContaining(["UPDATE-INVALID", "UPDATE-KEEPS", "UPDATE-EMPTY", "UPDATE-TOO-SHORT"]),
    );
    for (const key of new Set(checks.map(({ operation }) => operation)))
      expect([...requirementsOf(key)]).toEqual(
        expect.arrayContaining(["RESOURCE-FIELDS", "RESOURCE-PRESENT", "RESOURCE-EXPECTED"]),
      );
  });
});

function run(baseUrl: string, pick: (check: Check) => boolean): Promise<Ran> {
  const settings = { baseUrl, token: TOKEN, space: SPACE, secondSpace: OTHER_SPACE };
  return runChecks(edition, settings, (check) => isNew(check) && pick(check));
}

const described = ({ id, outcome, reason, message }: CheckResult) =>
  `${outcome} ${reason ?? ""} ${id}: ${message ?? ""}`;

describe("against a service that has the new operations", () => {
  let ran: Ran;
  beforeAll(async () => {
    const server = await startParcels();
    ran = await run(server.baseUrl, () => true).finally(() => server.close());
  });

  test("every check was tried", () => {
    const due = checksAtDepth(allChecks(edition), exampleSettings()).filter(isNew);
    expect(ran.results.map(({ id }) => id).sort()).toEqual(due.map(({ id }) => id).sort());
  });

  test("nothing fails, and only what the service leaves open is untested", () => {
    const open = ran.results.filter(({ outcome }) => outcome !== "pass" && outcome !== "note");
    expect(open.map(described)).toEqual([]);
  });
});

describe("each bug of such a service is found", () => {
  /** The bug, the requirement that it breaks, the operation where it shows, and the suites that find it. */
  const bugs: [bug: Bug, requirement: string, operation: string, suites: string[]][] = [
    ["filter is lost on page two", "CURSOR-FILTERED", "GET /v1/parcels", ["filters"]],
    ["pallets are not found", "FILTER-COMPLETE", "GET /v1/parcels", ["filters"]],
    ["duplicate is accepted", "UNIQUE-REJECTED", "POST /v1/parcels", ["uniqueness"]],
    ["update is not stored", "UPDATE-STORED", "PATCH /v1/parcels/{parcelKey}", ["updates"]],
    ["key makes two", "KEY-REPLAY", "POST /v1/parcels", ["idempotency"]],
    ["title of 61 is accepted", "CREATE-TOO-LONG", "POST /v1/parcels", ["bodies"]],
    ["title of 61 is accepted", "UPDATE-TOO-LONG", "PATCH /v1/parcels/{parcelKey}", ["bodies"]],
    ["grams of zero are accepted", "CREATE-INVALID", "POST /v1/parcels", ["bodies"]],
    ["urgent is true by default", "CREATE-DEFAULT", "POST /v1/parcels", ["creates"]],
    ["read shows another title", "READ-MATCHES-LIST", "GET /v1/parcels/{parcelKey}", ["reads"]],
    ["token is not looked at", "AUTH-UNKNOWN-TOKEN", "PATCH /v1/parcels/{parcelKey}", ["access"]],
    ["page size is 10 by default", "LIST-LIMIT-DEFAULT", "GET /v1/parcels", ["pagination"]],
    ["total counts the page", "LIST-TOTAL-EXACT", "GET /v1/parcels", ["pagination"]],
    ["spaces share what they hold", "ISOLATION-LISTS", "GET /v1/parcels", ["isolation"]],
  ];

  test.each(bugs)("%s: it breaks %s at %s", async (bug, requirement, operation, suites) => {
    const server = await startParcels(bug);
    const { results } = await run(server.baseUrl, ({ suite }) => suites.includes(suite)).finally(() =>
      server.close(),
    );
    const found = results.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
    const named = found.filter(
      (result) => result.requirements.includes(requirement) && result.operation === operation,
    );
    expect(named.length, found.map(described).join("\n")).toBeGreaterThan(0);
    for (const { evidence, expected, actual } of named) {
      expect(evidence.length).toBeGreaterThan(0);
      expect(expected).not.toBe(actual);
    }
  });
});
