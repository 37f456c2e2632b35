/**
 * Files and flags that are too large, too deeply nested or of a wrong kind are refused before anything is
 * sent.
 */

import { spawn } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signingKey } from "../../command/certificates/signing-key.ts";
import { judgeFile } from "../../command/certificates/verify.ts";
import { readConfigFile } from "../../command/options/read-config.ts";
import { readCreated } from "../../command/options/read-created.ts";
import { readSpecFiles, toSettings } from "../../command/options/settings.ts";
import { readReport } from "../../command/reports/read-report.ts";
import { readProfile } from "../../profiles/read-profile.ts";
import { readWaivers } from "../../runner/reporting/waivers.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { typicalReport } from "../reports/example.ts";
import { spec } from "../spec/package-spec.ts";
import { command, inFolder, MAIN } from "./command.ts";

/** The message of the error that `read` throws. */
function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return "";
}

const READERS: [what: string, read: (file: string) => unknown][] = [
  ["a configuration", (file) => readConfigFile(file, {})],
  ["a profile", (file) => readProfile(file, spec, [])],
  ["waivers", readWaivers],
  ["created resources", readCreated],
  ["a report", readReport],
  ["a certificate", (file) => judgeFile(file, { publicKeys: [] })],
  ["a certificate of an authority", (ca) => toSettings({ ca }, 1)],
  ["a signing key", (file) => signingKey(file, false, {})],
];

describe("a file that is too large is read no further than its limit", () => {
  test.each(READERS)("%s that never ends", (_, read) => {
    expect(refusal(() => read("/dev/zero"))).toMatch(/larger than \d+ MB/);
  });

  test.each(READERS)("%s of 200 MB", (_, read) =>
    inFolder(async (folder) => {
      const file = join(folder, "large");
      writeFileSync(file, "");
      truncateSync(file, 200 * 1024 ** 2);
      expect(refusal(() => read(file))).toMatch(/larger than \d+ MB/);
    }),
  );

  test("an edition that never ends", () =>
    inFolder(async (folder) => {
      for (const name of ["openapi.yaml", "requirements.yaml"]) symlinkSync("/dev/zero", join(folder, name));
      expect(refusal(() => readSpecFiles(folder))).toMatch(/openapi\.yaml: it is larger than 2 MB/);
    }));
});

test("a report that is nested too deep is refused by every command that reads it", () =>
  inFolder(async (cwd) => {
    const report = typicalReport();
    report.run.options.deep = "HERE";
    const deep = JSON.stringify(report).replace('"HERE"', "[".repeat(100_000) + "]".repeat(100_000));
    writeFileSync(join(cwd, "report.json"), deep);
    for (const args of [["compare", "report.json"], ["merge"], ["replay"]]) {
      const { code, stderr } = await command([...args, "report.json"], { cwd });
      expect([code, stderr]).toEqual([
        2,
        "payments-conformance: report.json is no report: it is nested more than 500 deep\n",
      ]);
    }
  }));

test("a certificate that is nested too deep is not genuine", () =>
  inFolder(async (cwd) => {
    writeFileSync(join(cwd, "certificate.json"), `${'{"statement":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    writeFileSync(join(cwd, "certificate.pub.pem"), "");
    const { code, stdout, stderr } = await command(["verify", "certificate.json"], { cwd });
    expect(stderr + stdout).not.toContain("the suite itself");
    expect([1, 2]).toContain(code);
  }));

describe("a configuration is refused if", () => {
  test.each([
    ["a number is in a list", "concurrency: [8]", /concurrency must be a whole number/],
    ["a switch is in a list", "strict: [true]", /strict must be true or false/],
    [
      "a tag says that it is a function",
      "seed: !!js/function 'function () {}'",
      /:1: the tag \S+function is not taken/,
    ],
    ["a tag makes a set of it", "only: !!set {lists}", /:1: the tag \S+set is not taken/],
    ["it is nested too deep", `only: ${"[".repeat(50_000)}`, /:1: it is nested too deep/],
    [
      "it holds more patterns than a run can tell apart",
      `only: [${"a,".repeat(1_001)}]`,
      /holds 1001 patterns/,
    ],
  ])("%s", (_, text, message) =>
    inFolder(async (folder) => {
      const file = join(folder, "payments-conformance.yaml");
      writeFileSync(file, text);
      expect(refusal(() => readConfigFile(file, {}))).toMatch(message);
    }),
  );
});

describe("on the command line", () => {
  const refused = (args: string[], message: RegExp) =>
    inFolder(async (cwd) => {
      const { code, stderr } = await command(args, { cwd });
      expect([code, stderr.slice(0, 300)]).toEqual([2, expect.stringMatching(message)]);
    });

  test("a pattern of 100,000 characters is refused", () =>
    refused(["run", "--only", "a".repeat(100_000)], /the pattern a+… has 100000 characters/));

  test.each([
    [["--timeout", "--seed", "1"], "--seed"],
    [["--space", "--strict"], "--strict"],
    [["--timeout", "--seed=1"], "--seed=1"],
  ])("a flag without its value is named: %j", (args, next) =>
    refused(["run", ...args], new RegExp(`${args[0]} is given without a value: ${next} follows`)),
  );

  test("a folder for merged reports that can't be made is wrong use", () =>
    inFolder(async (cwd) => {
      writeFileSync(join(cwd, "taken"), "");
      writeFileSync(join(cwd, "report.json"), JSON.stringify(typicalReport()));
      const { code, stderr } = await command(["merge", "--out", "taken", "report.json"], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining("cannot make the folder")]);
    }));

  test("too few file handles are reported before the run", () =>
    inFolder(async (cwd) => {
      const line = `ulimit -n 40; exec '${process.execPath}' '${MAIN}' run`;
      const child = spawn("bash", ["--norc", "-c", line], { cwd });
      let stderr = "";
      child.stderr.on("data", (chunk) => {
        stderr += String(chunk);
      });
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect([code, stderr]).toEqual([2, expect.stringContaining("raise ulimit -n")]);
    }));
});
