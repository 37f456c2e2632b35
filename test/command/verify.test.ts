import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeFile, statedIn } from "../../command/certificates/verify.ts";
import { isOwnConfiguration } from "../../command/own-edition.ts";
import { sha256 } from "../../reports/certificates/keys.ts";
import { renderCertificatePage } from "../../reports/html/certificate.ts";
import type { Report } from "../../reports/report.ts";
import { ownSpec } from "../prove/run.ts";
import { check, failing, reportOf, typicalReport } from "../reports/example.ts";
import { writeCertificate } from "./certificates.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const DAY = 86_400_000;
const FOLDER = "conformance-report";
const CERTIFICATE = join(FOLDER, "certificate.json");
const PUBLIC_KEY = join(FOLDER, "certificate.pub.pem");

test("an expired certificate is reported as expired, and a changed one as changed, whoever signed it", () =>
  inFolder(async (cwd) => {
    writeCertificate(join(cwd, FOLDER), { issuedAt: new Date(Date.now() - 20 * DAY) });
    writeFileSync(join(cwd, "trusted.pem"), readFileSync(join(cwd, PUBLIC_KEY)));
    const verify = (...args: string[]) => command(["verify", CERTIFICATE, ...args], { cwd });
    const expired = await verify("--public-key", "trusted.pem");
    expect(expired.code).toBe(5);
    expect(expired.stdout).toMatch(/^expired +it expired on /m);
    expect(expired.stdout).toMatch(/^Expired: genuine, but it held only until \S+Z\.$/m);
    const json = JSON.parse((await verify("--public-key", "trusted.pem", "--json")).stdout);
    expect(json).toMatchObject({ status: "expired", genuine: true, trusted: false, exitCode: 5 });
    const unnamed = await verify();
    expect(unnamed.code).toBe(4);
    expect(unnamed.stdout).toMatch(/Unchanged, .* It expired on \S+Z\.$/m);
    writeFileSync(join(cwd, FOLDER, "traffic.har"), "[]");
    expect((await verify("--public-key", "trusted.pem")).code).toBe(1);
  }));

test("a violated MUST is reported as waived, and the certificate expires with the first waiver", () =>
  inFolder(async (cwd) => {
    const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
    const waivedUntil = { "LIST-COUNT": day(3), "LIST-LIMIT": day(1) };
    const checks = typicalReport().requirements.map(({ id }) => {
      const expires = waivedUntil[id as keyof typeof waivedUntil];
      const waived = { reason: "Repaired soon.", expires };
      return expires === undefined
        ? check({ id, requirements: [id] })
        : failing({ id, requirements: [id], waived });
    });
    const { requirements, verdict, summary } = reportOf(checks);
    writeCertificate(join(cwd, FOLDER), { change: { checks, requirements, verdict, summary } });
    writeFileSync(join(cwd, "trusted.pem"), readFileSync(join(cwd, PUBLIC_KEY)));
    const { code, stdout } = await command(["verify", CERTIFICATE, "--public-key", "trusted.pem"], { cwd });
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/ MUST requirements tested, 2 violated and waived, /);
    expect(stdout).toContain(`valid until ${day(2)}T00:00:00.000Z`);
  }));

test("a certificate of another edition, or of an unchecked address, says so", () =>
  inFolder((cwd) => {
    const stated = (change: Partial<Report> = {}, file = "certificate.json") => {
      writeCertificate(cwd, { change });
      const judged = judgeFile(join(cwd, file), { publicKeys: [] });
      const { statement } = judged.certificate ?? {};
      return statedIn(judged) + (statement === undefined ? "" : renderCertificatePage(statement));
    };
    const { spec, run } = reportOf(
      typicalReport().requirements.map(({ id }) => check({ id, requirements: [id] })),
    );
    const other = stated({ spec: { ...spec, rulesOff: ["LIST-COUNT"] } });
    expect(other).toContain("another edition of the specification than this suite has (9f86d081884c)");
    expect(other).toContain("1 rule of the suite off");
    expect(other).toContain("1 rule of the suite is off");
    expect(stated({}, "certificate.intoto.jsonl")).toContain("another edition");
    expect(stated({ spec: { ...spec, sha256: ownSpec().sha256 } })).not.toContain("another edition");
    const options = { requireComplete: true, insecure: true };
    expect(stated({ run: { ...run, options } }).match(/not checked \(--insecure\)/g)).toHaveLength(2);
    const own = ["openapi.yaml", "requirements.yaml"].map((name) => ({
      name,
      digest: { sha256: sha256(readFileSync(join("spec", name))) },
    }));
    expect([isOwnConfiguration(own), isOwnConfiguration(own.slice(1))]).toEqual([true, false]);
    return Promise.resolve();
  }));

test("the reports of a run replace an expired certificate", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      writeCertificate(join(cwd, FOLDER), { issuedAt: new Date(Date.now() - 20 * DAY) });
      const run = await command(["run", "--only", "LIST-COUNT", ...flagsFor(service)], { cwd });
      expect(run.code).toBe(0);
      expect(existsSync(join(cwd, CERTIFICATE))).toBe(false);
      expect(existsSync(join(cwd, FOLDER, "certificate.previous.json"))).toBe(true);
    }),
  ));

test("a valid certificate protects its folder, even if its public key is missing", () =>
  inFolder(async (cwd) => {
    writeCertificate(join(cwd, FOLDER));
    writeFileSync(join(cwd, PUBLIC_KEY), "no key");
    const { code, stderr } = await command(["run"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("holds a valid certificate");
    expect(reportIn(cwd).verdict).toBe("conformant");
  }));
