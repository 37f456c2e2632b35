import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startReference } from "../../../reference/index.ts";
import type { Report } from "../../../reports/report.ts";
import { validateReport } from "../../../reports/validate.ts";
import type { Settings } from "../../../spec/model/settings.ts";
import { isTurn } from "../../commit-seed.ts";
import { runSuite, settingsFor } from "../../prove/run.ts";
import { type Alter, withProxy } from "../altering-proxy.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startReference();
});
afterAll(() => service.close());

const WEBHOOKS = ["GET /webhooks", "PATCH /webhooks/{id}", "POST /webhooks"];
const PAYOUTS = ["GET /payouts/{id}", "PATCH /payouts/{id}"];
const NOTHING = { headers: { "content-type": "application/json" }, body: '{"messages":["Not found."]}' };

/** Runs a part of the suite on the reference service, which answers these paths with this status. */
function runWithout(paths: RegExp, status: number, change: Partial<Settings> = {}): Promise<Report> {
  return runBehind((_, path) => (paths.test(path) ? { status, ...NOTHING } : undefined), change);
}

function runBehind(alter: Alter, change: Partial<Settings> = {}): Promise<Report> {
  return withProxy(service.baseUrl, alter, (baseUrl) =>
    runSuite(settingsFor(service, 1, { baseUrl, only: ["versions", "reads"], ...change })),
  );
}

function missing({ checks }: Report): string[] {
  const found = checks.filter(({ notImplemented }) => notImplemented === true);
  return found.map(({ operation }) => operation).sort();
}

test.runIf(isTurn(0, 3))(
  "all missing operations are one finding, the first one, and the other operations are judged",
  async () => {
    const report = await runWithout(/^\/(webhooks|payouts)/, 404);
    expect(report.problem).toBeUndefined();
    expect(missing(report)).toEqual([...PAYOUTS, ...WEBHOOKS].sort());
    const [first, ...others] = report.findings ?? [];
    expect(first).toMatchObject({
      cause: "VERSION-ACCEPTED: not implemented: 5 operations",
      outcome: "fail",
    });
    expect(first?.operations.toSorted()).toEqual([...PAYOUTS, ...WEBHOOKS].sort());
    expect(others.filter(({ outcome }) => outcome === "fail")).toEqual([]);
    const passed = report.checks.filter(
      ({ operation, outcome }) => !first?.operations.includes(operation) && outcome === "pass",
    );
    expect(passed.length).toBeGreaterThan(50);
    expect(validateReport(report)).toMatchObject({ valid: true });
  },
);

describe("behind a gateway that refuses wrong tokens before it looks at the path", () => {
  const routes = /^\/(v1\/|countries|banks|momos|payment-codes|financial-accounts)/;
  let refused = 0;
  const gateway =
    (known: RegExp): Alter =>
    (_, path, answer) => {
      const isThere = (routes.test(path) || known.test(path)) && answer.status !== 404;
      if (answer.status === 401) refused++;
      return isThere || answer.status === 401 ? undefined : { status: 404, ...NOTHING };
    };

  test.runIf(isTurn(1, 3))("missing operations are found, and the other operations are judged", async () => {
    const report = await runBehind(gateway(/^\/-/), { only: ["versions", "AUTH-*"] });
    expect(refused).toBeGreaterThan(0);
    expect(missing(report)).toEqual([...PAYOUTS, ...WEBHOOKS].sort());
    const [first, ...others] = report.findings ?? [];
    expect(first?.cause).toBe("VERSION-ACCEPTED: not implemented: 5 operations");
    expect(others.filter(({ outcome }) => outcome === "fail")).toEqual([]);
    expect(report.checks.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(50);
  });

  test("a resource that does not exist is still a mistake in the settings", async () => {
    const fixtures = { ...service.fixtures, payout: "pot_nothing" };
    const report = await runBehind(gateway(/^\/(webhooks|payouts)/), { fixtures });
    expect(report.problem).toContain("the fixture payout=pot_nothing does not exist");
    expect(report.findings ?? []).toEqual([]);
  });
});

test.runIf(isTurn(2, 3))("an operation with 405 is not implemented, without any fixture", async () => {
  const report = await runWithout(/^\/payouts/, 405, { fixtures: {} });
  expect(missing(report)).toEqual(PAYOUTS);
});

test.runIf(isTurn(0, 3))("an operation on unknown resources is not called missing", async () => {
  const report = await runWithout(/^\/payouts/, 404, { fixtures: {} });
  expect(missing(report)).toEqual([]);
  const check = report.checks.find(({ id }) => id === "versions/VERSION-ACCEPTED GET /payouts/{id} exists");
  expect(check).toMatchObject({ outcome: "skip", reason: "no-fixture" });
});

test.runIf(isTurn(1, 3))("an operation that rejects every call in another way exists", async () => {
  const report = await runWithout(/^\/webhooks/, 400);
  expect(missing(report)).toEqual([]);
});

test.runIf(isTurn(2, 3))("a complete service has every operation", async () => {
  const report = await runWithout(/^\/nothing/, 404);
  expect(missing(report)).toEqual([]);
  const own = report.checks.filter(({ id }) => id.endsWith(" exists"));
  expect(new Set(own.map(({ outcome }) => outcome))).toEqual(new Set(["pass"]));
});
