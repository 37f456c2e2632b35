/** Known failures: baselines, and waivers that are written from a report. */

import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Report } from "../../reports/report.ts";
import { readWaivers } from "../../runner/reporting/waivers.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const OLD = "messages-missing@banks";
const NEW = "messages-missing@countries";
const ONLY = ["--only", "MESSAGES-ARRAY"];

/** Calls `use` with a folder that has `base.json`: the report of a run on a service with the defect OLD. */
async function withBase(use: (cwd: string) => Promise<void>): Promise<void> {
  await inFolder(async (cwd) => {
    await withReference({ defects: [OLD] }, (service) =>
      command(["run", ...flagsFor(service), ...ONLY, "--seed", "5"], { cwd }),
    );
    copyFileSync(join(cwd, "conformance-report/report.json"), join(cwd, "base.json"));
    await use(cwd);
  });
}

describe("run --baseline", () => {
  test("a failure of the baseline is shown as known, and only new ones fail the run", async () => {
    await withBase(async (cwd) => {
      const args = [...ONLY, "--baseline", "base.json"];
      const same = await withReference({ defects: [OLD] }, (service) =>
        command(["run", ...flagsFor(service), ...args], { cwd }),
      );
      expect(same.stdout).toContain("NOT CONFORMANT, BUT NOTHING NEW FAILS");
      expect(same.code).toBe(0);
      const report = reportIn(cwd);
      expect(report.run.seed).toBe(5);
      expect(report.checks.filter(({ outcome }) => outcome === "fail").every(({ known }) => known)).toBe(
        true,
      );
      const more = await withReference({ defects: [OLD, NEW] }, (service) =>
        command(["run", ...flagsFor(service), ...args], { cwd }),
      );
      expect(more.code).toBe(1);
      const fresh = reportIn(cwd).checks.filter(({ outcome, known }) => outcome === "fail" && !known);
      expect([...new Set(fresh.map(({ operation }) => operation))]).toEqual(["GET /countries"]);
    });
  });

  test("a baseline that the run would replace is refused", async () => {
    await withBase(async (cwd) => {
      const { code, stderr } = await command(
        ["run", ...ONLY, "--baseline", "conformance-report/report.json"],
        { cwd },
      );
      expect(stderr).toContain("is replaced by this run");
      expect(code).toBe(2);
    });
  });
});

describe("waivers", () => {
  const args = [
    "waivers",
    "--from",
    "base.json",
    "--expires",
    "2999-12-31",
    "--reason",
    'being mended: "soon"',
  ];

  test("writes a file that covers the failures, and overwrites none", async () => {
    await withBase(async (cwd) => {
      const { code, stdout } = await command(args, { cwd });
      expect(stdout).toContain("until 2999-12-31 in waivers.yaml.");
      expect(stdout).toContain("The report is of depth quick.");
      expect(code).toBe(0);
      const written = readWaivers(join(cwd, "waivers.yaml"));
      expect(written.length).toBeGreaterThan(0);
      expect(written[0]).toMatchObject({ requirement: "MESSAGES-ARRAY", reason: 'being mended: "soon"' });
      const run = (defects: string[]) =>
        withReference({ defects }, (service) =>
          command(["run", ...flagsFor(service), ...ONLY, "--waivers", "waivers.yaml"], { cwd }),
        );
      expect((await run([OLD])).code).toBe(0);
      expect((await run([OLD, NEW])).code).toBe(1);
      const before = readFileSync(join(cwd, "waivers.yaml"), "utf8");
      const again = await command(args, { cwd });
      expect(again.stderr).toContain("waivers.yaml is already there");
      expect(again.code).toBe(2);
      expect(readFileSync(join(cwd, "waivers.yaml"), "utf8")).toBe(before);
    });
  });

  test("covers no check that the report did not test", async () => {
    await withBase(async (cwd) => {
      const { checks, ...base } = JSON.parse(readFileSync(join(cwd, "base.json"), "utf8")) as Report;
      const failing = checks.filter(({ outcome }) => outcome === "fail").slice(0, 1);
      const others = failing.map((check) => ({
        ...check,
        id: `${check.id} more`,
        outcome: "skip",
        reason: "not-selected",
      }));
      const written = async (name: string, some: unknown[]) => {
        writeFileSync(join(cwd, `${name}.json`), JSON.stringify({ ...base, checks: some }));
        await command([...args, "--from", `${name}.json`, "--out", `${name}.yaml`], { cwd });
        return readWaivers(join(cwd, `${name}.yaml`)).map(({ check }) => check);
      };
      expect(await written("alone", failing)).toEqual([undefined]);
      expect(await written("part", [...failing, ...others])).toEqual([failing[0]?.id]);
    });
  });

  test.each<[string, string[], RegExp]>([
    ["without a reason", ["--reason", " "], /waivers needs --reason/],
    ["with a day that there is not", ["--expires", "2999-02-30"], /--expires must be a day as YYYY-MM-DD/],
    ["with a day that is over", ["--expires", "2001-01-01"], /is in the past/],
    ["of a report without failures", ["--from", "clean.json"], /nothing fails in clean\.json/],
  ])("%s it writes nothing", async (_, change, complaint) => {
    await withBase(async (cwd) => {
      const base = JSON.parse(readFileSync(join(cwd, "base.json"), "utf8")) as { checks: unknown[] };
      writeFileSync(join(cwd, "clean.json"), JSON.stringify({ ...base, checks: [] }));
      const { code, stderr } = await command([...args, ...change], { cwd });
      expect(stderr).toMatch(complaint);
      expect(code).toBe(2);
      expect(existsSync(join(cwd, "waivers.yaml"))).toBe(false);
    });
  });
});
