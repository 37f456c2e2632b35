import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ConformanceOptions, runConformance } from "../../command/api.ts";
import type { RunningService } from "../../reference/index.ts";
import type { Report } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";
import { isTurn } from "../commit-seed.ts";
import { withProxy } from "../suites/altering-proxy.ts";
import { command, inFolder } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const OFFERED = ["core", "financial-accounts", "payment-codes", "ussd-otps"];
const NOT_OFFERED = [
  "GET /payouts/{id}",
  "GET /webhooks",
  "PATCH /payouts/{id}",
  "PATCH /webhooks/{id}",
  "POST /webhooks",
];
const NOTHING = { status: 404, headers: { "content-type": "application/json" }, body: '{"messages":[]}' };

/** Calls `use` with a reference service, and with a base URL under which it has no payouts and no webhooks. */
function withPart<T>(use: (service: RunningService, baseUrl: string) => Promise<T>): Promise<T> {
  return withReference({}, (service) =>
    withProxy(
      service.baseUrl,
      (_, path) => (/^\/(payouts|webhooks|conformance-unknown)/.test(path) ? NOTHING : undefined),
      (baseUrl) => use(service, baseUrl),
    ),
  );
}

function run(service: RunningService, baseUrl: string, change: ConformanceOptions): Promise<Report> {
  const { token, space } = service;
  return runConformance({ baseUrl, token, space, only: ["versions", "limits"], ...change });
}

function absences({ checks }: Report): [operation: string, outcome: string][] {
  const own = checks.filter(({ requirements }) => requirements.includes("OFFERS-ABSENT"));
  return own.map(({ operation, outcome }): [string, string] => [operation, outcome]).sort();
}

describe("a resource that the service does not offer", { timeout: 120_000 }, () => {
  test("is checked to be absent, and is not in scope", () =>
    withPart(async (service, baseUrl) => {
      const fixtures = { payout: "po_1", mutablePaymentCode: service.fixtures.mutablePaymentCode ?? "" };
      const report = await run(service, baseUrl, { offers: OFFERED, fixtures });
      expect(validateReport(report)).toMatchObject({ valid: true });
      expect(absences(report)).toEqual(NOT_OFFERED.map((operation) => [operation, "pass"]));
      const others = report.checks.filter(
        ({ operation, requirements }) =>
          NOT_OFFERED.includes(operation) && !requirements.includes("OFFERS-ABSENT"),
      );
      expect(others.length).toBeGreaterThan(400);
      expect(new Set(others.map(({ reason }) => reason))).toEqual(new Set(["not-offered", "not-selected"]));
      const left = report.operations?.filter(({ offered }) => offered === false);
      expect(left?.map(({ operation }) => operation).sort()).toEqual(NOT_OFFERED);
      expect(left?.every(({ inScope }) => !inScope)).toBe(true);
      expect(report).toMatchObject({ verdict: "conformant", summary: { fail: 0 } });
    }));

  test("fails if it exists after all, and gets no valid call", () =>
    withReference({}, async (service) => {
      const report = await run(service, service.baseUrl, { offers: OFFERED, only: ["OFFERS-ABSENT"] });
      expect(report.verdict).toBe("nonconformant");
      const outcomes = Object.fromEntries(absences(report));
      // If the user names no payout, a 404 may mean that only the payout is missing.
      expect(outcomes).toEqual({
        "GET /payouts/{id}": "skip",
        "GET /webhooks": "fail",
        "PATCH /payouts/{id}": "skip",
        "PATCH /webhooks/{id}": "skip",
        "POST /webhooks": "fail",
      });
      expect(report.created).toEqual([]);
      const { payout = "", mutablePayout = "" } = service.fixtures;
      const named = await run(service, service.baseUrl, {
        offers: OFFERED,
        only: ["OFFERS-ABSENT"],
        fixtures: { payout, mutablePayout },
      });
      expect(Object.fromEntries(absences(named))).toMatchObject({
        "GET /payouts/{id}": "fail",
        "PATCH /payouts/{id}": "fail",
      });
    }));

  test("may be left out of the offers of a profile", () =>
    withPart((service, baseUrl) =>
      inFolder(async (folder) => {
        const profile = join(folder, "profile.yaml");
        writeFileSync(profile, `name: part\noffers: [${OFFERED.join(", ")}]\n`);
        const report = await run(service, baseUrl, { profile });
        expect(absences(report)).toEqual(NOT_OFFERED.map((operation) => [operation, "pass"]));
      }),
    ));

  test("must be named by a known word", async () => {
    await inFolder(async (cwd) => {
      const { code, stderr } = await command(["run", "--offers", "core,webhook"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toMatch(/--offers knows core, ussd-otps, .*, and not webhook; did you mean webhooks\?/);
    });
  });
});

test.runIf(isTurn(1, 2))("a certificate names what the service does not offer", { timeout: 240_000 }, () =>
  withPart((service, baseUrl) =>
    inFolder(async (cwd) => {
      const { payout: _, mutablePayout: __, ...rest } = service.fixtures;
      const fixtures = Object.entries(rest).flatMap(([name, value]) => ["--fixture", `${name}=${value}`]);
      const target = [
        ...flagsFor({ ...service, baseUrl }),
        "--second-space",
        service.secondSpace,
        ...fixtures,
      ];
      const args = ["certify", "--new-key", "--runs", "1", "--offers", OFFERED.join(","), ...target];
      const { code, stderr } = await command(args, { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const certificate = join(cwd, "conformance-report", "certificate.json");
      const { statement } = JSON.parse(readFileSync(certificate, "utf8"));
      expect(statement.notOffered.toSorted()).toEqual(NOT_OFFERED);
      expect(readFileSync(join(cwd, "conformance-report", "certificate.html"), "utf8")).toContain(
        "<h2>Not offered</h2>",
      );
      const verified = await command(["verify", certificate], { cwd });
      expect(verified.stdout).toContain(", 5 operations not offered");
    }),
  ),
);
