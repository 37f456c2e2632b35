/** The suite also runs if an edition lacks a requirement for which it has a rule. */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { validateReport } from "../../reports/validate.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { command, inFolder, reportIn } from "./command.ts";

const OFF = "LIST-SHOWS-ALL";

/** Writes the package's own edition, but without the requirement OFF, into `folder`/old. */
function writeOldEdition(folder: string): void {
  const spec = join(packageRoot(), "spec");
  const rows = readFileSync(join(spec, "requirements.yaml"), "utf8").split(/^(?= {2}- id: )/m);
  const kept = rows.filter((row) => !row.includes(`- id: ${OFF}\n`));
  expect(kept).toHaveLength(rows.length - 1);
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old/requirements.yaml"), kept.join(""));
  copyFileSync(join(spec, "openapi.yaml"), join(folder, "old/openapi.yaml"));
}

test("rules without a requirement in the edition are off, and the run names and counts them", async () => {
  await inFolder(async (cwd) => {
    writeOldEdition(cwd);
    const edition = ["--spec", "old"];
    const listed = await command(["list", ...edition], { cwd });
    expect(listed.stdout).toMatch(
      /Off, because this edition has no such requirement: LIST-SHOWS-ALL \(\d+ checks\)/,
    );
    const rows = JSON.parse((await command(["list", ...edition, "--format", "json"], { cwd })).stdout);
    expect(rows.at(-1)).toMatchObject({ id: OFF, off: "this edition has no such requirement" });
    const explained = await command(["explain", OFF, ...edition], { cwd });
    expect(explained.code).toBe(2);
    expect(explained.stderr).toContain(`${OFF} is off`);
    const { code, stdout } = await command(["run", ...edition, "--only", "filters", "--seed", "1"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("1 rule of the suite is off");
    const report = reportIn(cwd);
    expect(report.spec.rulesOff).toEqual([OFF]);
    expect(validateReport(report)).toMatchObject({ valid: true });
    expect(report.checks.filter(({ requirements }) => requirements.includes(OFF))).toEqual([]);
    expect(report.checks.length).toBeGreaterThan(20);
  });
});

test("the package's own edition switches no rule off", async () => {
  await inFolder(async (cwd) => {
    expect((await command(["list"], { cwd })).stdout).not.toContain("Off, because");
  });
});

test("a mistyped requirement is still refused, and all of them at once", async () => {
  await inFolder(async (cwd) => {
    writeOldEdition(cwd);
    const file = join(cwd, "old/requirements.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace("id: LIST-COUNT\n", "id: LIST-CUONT\n").replace("id: READ-STABLE\n", "id: READ-STABEL\n"),
    );
    const { code, stderr } = await command(["run", "--spec", "old"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("2 mistakes:");
    expect(stderr).toMatch(/nothing tests LIST-CUONT; did you mean LIST-COUNT\?/);
    expect(stderr).toMatch(/nothing tests READ-STABEL; did you mean READ-STABLE\?/);
  });
});
