/** Runs of the last run's failures only, runs that end at the first failure, and durations in the report. */

import { expect, test } from "vitest";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const ONLY = ["--only", "responses/*", "--read-only", "--seed", "1"];
const DEFECT = "count-of-all@codes";

test("--last-failed runs what failed, and says when nothing did", () =>
  withReference({ defects: [DEFECT] }, (service) =>
    inFolder(async (cwd) => {
      const run = (...flags: string[]) => command(["run", ...flagsFor(service), ...flags], { cwd });
      expect((await run(...ONLY)).code).toBe(1);
      const failing = reportIn(cwd)
        .checks.filter(({ outcome }) => outcome === "fail")
        .map(({ id }) => id);
      expect((await run("--last-failed", "--read-only")).code).toBe(1);
      const again = reportIn(cwd).checks.filter(({ reason }) => reason !== "not-selected");
      expect(again.map(({ id }) => id)).toEqual(failing);
      await withReference({}, async (sound) => {
        const mended = ["run", ...flagsFor(sound), "--last-failed", "--read-only"];
        expect((await command(mended, { cwd })).code).toBe(0);
        const { code, stderr } = await command(mended, { cwd });
        expect([code, stderr]).toEqual([2, expect.stringContaining("nothing fails in")]);
      });
    }),
  ));

test("--last-failed sends again what other checks asked, if their requests showed the failure", () =>
  withReference({ defects: ["count-is-limit@otps"] }, (service) =>
    inFolder(async (cwd) => {
      const run = (...flags: string[]) =>
        command(["run", ...flagsFor(service), "--read-only", "--seed", "7", ...flags], { cwd });
      expect((await run("--only", "GET /v1/ussd-otps")).code).toBe(1);
      const [failing] = reportIn(cwd).checks.filter(({ outcome }) => outcome === "fail");
      expect(failing?.reproduce?.with).not.toEqual([]);
      expect((await run("--last-failed")).code).toBe(1);
      expect(reportIn(cwd).checks.find(({ id }) => id === failing?.id)).toMatchObject({ outcome: "fail" });
    }),
  ));

test("--fail-fast ends at the first certain failure, with a partial report", () =>
  withReference({ defects: [DEFECT] }, (service) =>
    inFolder(async (cwd) => {
      const { code } = await command(["run", ...flagsFor(service), ...ONLY, "--fail-fast"], { cwd });
      const { verdict, run, checks } = reportIn(cwd);
      expect([code, verdict, run.partial]).toEqual([1, "nonconformant", true]);
      expect(checks.some(({ reason }) => reason === "interrupted")).toBe(true);
    }),
  ));

test("the report gives the durations of answers beside their number", () =>
  withReference({ latencyMs: 20 }, (service) =>
    inFolder(async (cwd) => {
      await command(["run", ...flagsFor(service), "--only", "GET /countries", "--seed", "1"], { cwd });
      const { latencyMs } = reportIn(cwd).coverage.operations["GET /countries"] ?? {};
      expect(latencyMs?.p50).toBeGreaterThanOrEqual(20);
      expect(latencyMs?.p95).toBeGreaterThanOrEqual(latencyMs?.p50 ?? 0);
    }),
  ));
