/** `verify --rejudge` finds out if a report differs from what its history shows. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { rejudgeBeside } from "../../command/certificates/rejudge.ts";
import type { Report } from "../../reports/report.ts";
import { writeCertificate } from "./certificates.ts";
import { command, inFolder } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const CERTIFICATE = "certificate.json";
const ONLY = ["--only", "LIST-COUNT"];
let report: Report;
let history = "";

beforeAll(() =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      await command(["run", ...ONLY, ...flagsFor(service)], { cwd });
      report = JSON.parse(readFileSync(join(cwd, "conformance-report", "report.json"), "utf8"));
      history = readFileSync(join(cwd, "conformance-report", "history.ndjson"), "utf8");
    }),
  ),
);

/** Judges a report and its history in a new folder, as `verify --rejudge` does. */
function judged(changed: Report, text: string, asked: Parameters<typeof rejudgeBeside>[1] = {}) {
  return inFolder(async (folder) => {
    writeFileSync(join(folder, "report.json"), JSON.stringify(changed));
    if (text !== "") writeFileSync(join(folder, "history.ndjson"), text);
    return await rejudgeBeside(join(folder, CERTIFICATE), asked);
  });
}

/** The report, changed so that every check that passed fails. */
function failed(): Report {
  const checks = report.checks.map((check) =>
    check.outcome === "pass" ? { ...check, outcome: "fail" as const } : check,
  );
  return { ...report, checks };
}

describe("judging a history again", () => {
  test("confirms what the run reported, and says of how many checks", async () => {
    const { state, message } = await judged(report, history);
    expect(message).toMatch(
      /^[1-9][\d,]* of [\d,]+ checks could be judged again from the history, each with/,
    );
    expect(state).toBe("ok");
  });

  test("contradicts a report that hides a violation or invents a pass", async () => {
    const changed = failed();
    const { state, message } = await judged(changed, history);
    expect(state).toBe("contradicted");
    expect(message).toMatch(/with another outcome than reported: .*: reported fail, judged pass/);
    const other = { ...changed, suite: { ...report.suite, version: "0.0.1" } };
    expect((await judged(other, history)).message).toMatch(/judged again by \d\S+, after a run of 0\.0\.1, /);
  });

  test("contradicts a history whose answers are not those that were reported", async () => {
    // In this history, the count of each list is one too high.
    const forged = history.replaceAll(/(\\"count\\":)(\d+)/g, (_, name, n) => `${name}${Number(n) + 1}`);
    expect(forged).not.toBe(history);
    const { state, message } = await judged(report, forged);
    expect(state).toBe("contradicted");
    expect(message).toContain("reported pass, judged fail");
  });

  test("confirms nothing without a history, or with one that does not say when its checks were judged", async () => {
    expect(await judged(report, "")).toMatchObject({ state: "missing" });
    const lines = history.split("\n").filter((line) => !line.includes('"judgements"'));
    const { state, message } = await judged(report, lines.join("\n"));
    expect(state).toBe("missing");
    expect(message).toContain("does not say when its checks were judged");
    const cut = `${history.split("\n").slice(0, 5).join("\n")}\n{`;
    expect(await judged(report, cut)).toMatchObject({ state: "missing" });
  });

  test("is refused with another edition or profile than the run had", async () => {
    const edition = { ...report, spec: { ...report.spec, sha256: "0f".repeat(32) } };
    await expect(judged(edition, history)).rejects.toThrow("--spec names its folder");
    const profile = { ...report, profile: { name: "acme", sha256: "0e".repeat(32) } };
    await expect(judged(profile, history)).rejects.toThrow("the profile acme");
  });
});

test("verify --rejudge ends with 1 if the history contradicts the report, and with 3 if it can't be judged", () =>
  inFolder(async (cwd) => {
    writeCertificate(cwd);
    writeFileSync(join(cwd, "trusted.pem"), readFileSync(join(cwd, "certificate.pub.pem")));
    const verify = (...args: string[]) =>
      command(["verify", CERTIFICATE, "--public-key", "trusted.pem", "--rejudge", ...args], { cwd });
    // This certificate has an unreadable history, and a report of another edition.
    const { code, stderr } = await verify();
    expect(code).toBe(2);
    expect(stderr).toContain("--spec names its folder");
    expect((await verify("--certificate-only")).stderr).toContain("--rejudge needs the files");
    const { spec } = report;
    writeCertificate(cwd, { change: { spec }, history });
    writeFileSync(join(cwd, "trusted.pem"), readFileSync(join(cwd, "certificate.pub.pem")));
    const empty = await verify();
    expect(empty.stdout).toMatch(/^missing +the history/m);
    expect(empty.stdout).toMatch(/^Not judged again: unchanged, /m);
    expect(empty.code).toBe(3);
    const { checks, run: plain } = failed();
    const run = { ...plain, options: { ...plain.options, requireComplete: true } };
    writeCertificate(cwd, { change: { spec, checks, run }, history });
    writeFileSync(join(cwd, "trusted.pem"), readFileSync(join(cwd, "certificate.pub.pem")));
    const contradicted = await verify();
    expect(contradicted.stdout).toMatch(/^DIFFERS +[\d,]+ of /m);
    expect(contradicted.stdout).toMatch(/^Contradicted: /m);
    expect(contradicted.code).toBe(1);
  }));
