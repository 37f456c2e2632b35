/** Short runs: limited by `--within` or by a preset. */

import { expect, test } from "vitest";
import { validateReport } from "../../reports/validate.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, passOn, withReference, withServer } from "./targets.ts";

test("--preset smoke sends about 70 requests, reads only, and passes a sound service", () =>
  withReference({}, (service) => {
    const methods: string[] = [];
    return withServer(
      (request, response) => {
        methods.push(request.method ?? "");
        passOn(service.baseUrl, request, response);
      },
      (baseUrl) =>
        inFolder(async (cwd) => {
          const fixtures = Object.entries(service.fixtures).flatMap(([name, value]) => [
            "--fixture",
            `${name}=${value}`,
          ]);
          const args = ["run", ...flagsFor({ ...service, baseUrl }), ...fixtures, "--preset", "smoke"];
          const { code, stdout } = await command(args, { cwd });
          expect(code).toBe(0);
          expect(new Set(methods)).toEqual(new Set(["GET"]));
          expect(methods.length).toBeGreaterThan(40);
          expect(methods.length).toBeLessThan(100);
          const report = reportIn(cwd);
          expect(validateReport(report)).toMatchObject({ valid: true });
          expect(report.summary.pass).toBeGreaterThan(100);
          expect(report.checks.some(({ reason }) => reason === "left-out")).toBe(true);
          expect(stdout).toMatch(/[\d,]+ of [\d,]+ checks were left out \(--within, --preset\)/);
        }),
    );
  }));

test("--within and --rate limit the requests, and the report names what was left out", () =>
  inFolder(async (cwd) => {
    await command(["run", "--within", "3s", "--rate", "20"], { cwd });
    const report = reportIn(cwd);
    expect(report.run.options).toMatchObject({ within: 3_000, rate: 20 });
    expect(report.run.requests).toBeGreaterThan(10);
    // The limit does not count the requests that deactivate resources at the end, so a few more are allowed.
    expect(report.run.requests).toBeLessThan(90);
    const left = report.checks.find(({ message }) => message?.includes("--within 3s leaves room for"));
    expect(left).toMatchObject({ outcome: "skip", reason: "left-out" });
    expect(left?.message).toContain("about 48 requests");
  }));
