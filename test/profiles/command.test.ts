/** Commands that write or read a profile. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { command, inFolder, reportIn } from "../command/command.ts";
import { isTurn } from "../commit-seed.ts";

test.runIf(isTurn(1, 2))(
  "a run suggests a profile that can be read back",
  async () => {
    await inFolder(async (cwd) => {
      const args = ["run", "--suggest-profile", "--only", "GET /banks/{idOrCode}", "--reporter", "plain"];
      const ended = await command(args, { cwd });
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect(ended.stdout).toMatch(/profile\s+profile\.yaml, to correct and sign off/);
      const text = readFileSync(join(cwd, "profile.yaml"), "utf8");
      expect(text.split("\n")[0]).toMatch(/^# yaml-language-server: \$schema=\S+profile\.schema\.json$/);
      // Only checks of this operation were run, so the suggested profile promises nothing for others.
      expect(text).toMatch(/^ {2}unknown-id:\n {4}GET \/banks\/\{idOrCode\}: 404\n {2}#/m);
      expect(text).toMatch(/^# The run left checks out/m);
      expect(await command(["list", "--profile", "profile.yaml"], { cwd })).toMatchObject({ code: 0 });
    });
  },
  120_000,
);

test.runIf(isTurn(0, 2))(
  "a run names its profile in every report, and a broken promise is exit code 1",
  async () => {
    await inFolder(async (cwd) => {
      const write = (status: number) =>
        writeFileSync(join(cwd, "profile.yaml"), `name: Signed off\nrejections: { unknown-id: ${status} }\n`);
      const args = ["run", "--profile", "profile.yaml", "--only", "PROFILE-*", "--reporter", "plain"];
      write(404);
      const kept = await command(args, { cwd });
      expect(kept).toMatchObject({ code: 0, stderr: "" });
      const report = reportIn(cwd);
      expect(report.verdict).toBe("conformant");
      expect(report.profile).toMatchObject({ name: "Signed off" });
      expect(report.run.options.profile).toBe("profile.yaml");
      expect(kept.stdout).toContain(`Signed off (${report.profile?.sha256.slice(0, 12)})`);
      for (const name of ["report.md", "report.html", "report.xml"])
        expect(readFileSync(join(cwd, "conformance-report", name), "utf8"), name).toContain("Signed off");

      write(410);
      const broken = await command(args, { cwd });
      expect(broken.code).toBe(1);
      const failing = reportIn(cwd).requirements.filter(({ outcome }) => outcome === "fail");
      expect(failing.map(({ id }) => id)).toEqual(["PROFILE-REJECTION-UNKNOWN-ID"]);
      const replayed = await command(["replay", "conformance-report/report.json"], { cwd });
      expect(replayed.code).toBe(1);
      expect(replayed.stdout).toContain("still there");
    });
  },
  120_000,
);

test("a malformed profile is wrong use, and nothing is run", async () => {
  await inFolder(async (cwd) => {
    writeFileSync(join(cwd, "profile.yaml"), "name: A\nunknownBodyField: accepted\n");
    const ended = await command(["run", "--profile", "profile.yaml"], { cwd });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/profile\.yaml:2: .*unknownBodyField; did you mean unknownBodyFields\?/);
    expect(existsSync(join(cwd, "conformance-report"))).toBe(false);
  });
});

test("a suggestion overwrites no file, and needs a whole run", async () => {
  await inFolder(async (cwd) => {
    writeFileSync(join(cwd, "profile.yaml"), "name: A\n");
    const ended = await command(["run", "--suggest-profile"], { cwd });
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toMatch(/profile\.yaml is already there/);
    const spent = ["run", "--suggest-profile", "other.yaml", "--only", "GET /banks", "--max-requests", "30"];
    expect((await command(spent, { cwd })).stderr).toContain("no profile is suggested");
    expect(existsSync(join(cwd, "other.yaml"))).toBe(false);
    const part = await command(["run", "--suggest-profile", "other.yaml", "--shard", "1/2"], { cwd });
    expect(part).toMatchObject({ code: 2 });
    expect(part.stderr).toMatch(/--shard/);
    const quick = await command(["run", "--suggest-profile", "other.yaml", "--depth", "quick"], { cwd });
    expect(quick).toMatchObject({ code: 2 });
    expect(quick.stderr).toMatch(/--depth quick leaves most of them out/);
  });
});

test("list and explain accept a profile", async () => {
  await inFolder(async (cwd) => {
    writeFileSync(join(cwd, "profile.yaml"), "name: A\nunknownBodyFields: accepted\n");
    const listed = await command(["list", "--format", "json", "--profile", "profile.yaml"], { cwd });
    const rows = JSON.parse(listed.stdout) as { id: string; level: string; checks: string[] }[];
    const row = rows.find(({ id }) => id === "PROFILE-UNKNOWN-BODY-FIELDS");
    expect(row).toMatchObject({ level: "MUST" });
    expect(row?.checks.length).toBeGreaterThan(0);
    const explained = await command(["explain", "PROFILE-UNKNOWN-BODY-FIELDS", "--profile", "profile.yaml"], {
      cwd,
    });
    expect(explained).toMatchObject({ code: 0 });
    expect(explained.stdout).toContain("--profile profile.yaml");
  });
});
