import { generateKeyPairSync } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Certificate, createCertificate } from "../../reports/certificates/certificate.ts";
import { verifyCertificate } from "../../reports/certificates/certificate-verification.ts";
import { CertificateRefused, generateKeyPair } from "../../reports/certificates/keys.ts";
import { renderJson } from "../../reports/formats/render-json.ts";
import { renderCertificatePage } from "../../reports/html/certificate.ts";
import type { Report } from "../../reports/report.ts";
import { launchBrowser, skipBrowserTests } from "../browser.ts";
import { check, failing, HOSTILE, reportOf, typicalReport } from "./example.ts";
import { accessibilityFaults, overflow, withPage } from "./page.ts";

const keys = generateKeyPair();
const bytes = (text: string) => Buffer.from(text);

/** A report that gets a certificate: its only violation is waived. */
function clean(change: Partial<Report> = {}): Report {
  const waived = { reason: "Repaired in May.", expires: "2026-06-01" };
  const checks = typicalReport().requirements.map(({ id }) => check({ id, requirements: [id] }));
  const base = reportOf([...checks, failing({ id: "known", requirements: ["LIST-COUNT"], waived })]);
  const options = { ...base.run.options, strict: true, requireComplete: true };
  const profile = { name: "vendor", sha256: "ab".repeat(32) };
  return { ...base, profile, run: { ...base.run, options }, ...change };
}

function issue(report: Report = clean()): { certificate: Certificate; files: Record<string, Buffer> } {
  const files = { "report.json": bytes(renderJson(report)), "report.html": bytes("<p>") };
  const issuedAt = new Date("2026-03-02T11:00:00Z");
  return {
    certificate: createCertificate({ report, files, privateKey: keys.privateKey, issuedAt }),
    files,
  };
}

/** Verifies a certificate. Returns the parts that are not genuine, such as `signature` or `report.json`. */
function refusedParts(
  value: unknown,
  files: Record<string, Buffer | undefined>,
  publicKeys = [keys.publicKey],
): string[] {
  const now = new Date("2026-03-03T11:00:00Z");
  const { genuine, findings } = verifyCertificate(value, { publicKeys, files, now });
  const parts = findings.filter((finding) => !finding.genuine).map((finding) => finding.part);
  expect(genuine).toBe(parts.length === 0);
  return parts;
}

describe("a certificate", () => {
  it("names each MUST sentence with how far it was tested, and each violated SHOULD as a reservation", () => {
    const warned = failing({ id: "w", requirements: ["LIST-ORDER"], level: "SHOULD", outcome: "warn" });
    const partly = check({ id: "p", requirements: ["LIST-LIMIT"], outcome: "skip", reason: "no-data" });
    const report = clean();
    const checks = [...report.checks.filter(({ id }) => id !== "LIST-ORDER"), warned, partly];
    const { requirements } = reportOf(checks);
    const { statement } = issue({ ...report, checks, requirements }).certificate;
    expect(statement.reservations).toMatchObject([
      { requirement: "LIST-ORDER", operations: ["GET /v1/ussd-otps"] },
    ]);
    const standing = Object.fromEntries(
      statement.scope?.map((each) => [each.requirement, each.standing]) ?? [],
    );
    expect(standing).toMatchObject({ "LIST-COUNT": "waived", "LIST-LIMIT": "weaker" });
    const page = renderCertificatePage(statement);
    expect(page).toContain("Reservations");
    expect(page).toContain("Tested in part (1)");
    expect(page).toContain("Violated and waived (1)");
    expect(page).toContain("1 violated and waived");
  });

  it("holds for a time, and signs its page", () => {
    const report = clean();
    const files = { "report.json": bytes(renderJson(report)) };
    const issuedAt = new Date("2026-03-02T11:00:00Z");
    const certificate = createCertificate({
      report,
      files,
      issuedAt,
      privateKey: keys.privateKey,
      validDays: 10,
      page: renderCertificatePage,
    });
    const page = bytes(renderCertificatePage(certificate.statement));
    const judge = (now: string, shown = page) =>
      verifyCertificate(certificate, {
        publicKeys: [keys.publicKey],
        files: { ...files, "certificate.html": shown },
        now: new Date(now),
      });
    expect(judge("2026-03-11T11:00:00Z")).toMatchObject({ genuine: true, trusted: true });
    const expired = { status: "expired", genuine: true, trusted: false, expired: true };
    expect(judge("2026-03-13T11:00:00Z")).toMatchObject(expired);
    expect(judge("2026-03-11T11:00:00Z", bytes("<p>"))).toMatchObject({ status: "changed", genuine: false });
    expect(judge("2026-03-13T11:00:00Z", bytes("<p>"))).toMatchObject({ status: "changed", trusted: false });
  });

  it("with its key beside it is shown as unchanged, but signed by nobody that the user named", () => {
    const { certificate, files } = issue();
    const now = new Date("2026-03-03T11:00:00Z");
    const beside = { publicKeys: [generateKeyPair().publicKey], files, beside: keys.publicKey, now };
    expect(verifyCertificate(certificate, beside)).toMatchObject({ genuine: true, trusted: false });
  });

  it("without its files is incomplete, unless only the certificate is verified", () => {
    const { certificate } = issue();
    const asked = { publicKeys: [keys.publicKey], files: {}, now: new Date("2026-03-03T11:00:00Z") };
    expect(verifyCertificate(certificate, asked)).toMatchObject({
      status: "incomplete",
      genuine: false,
      trusted: false,
    });
    const alone = verifyCertificate(certificate, { ...asked, certificateOnly: true });
    expect(alone).toMatchObject({ status: "valid", genuine: true, trusted: true, certificateOnly: true });
    const forged = structuredClone(certificate);
    forged.statement.musts.tested = 1;
    expect(verifyCertificate(forged, { ...asked, certificateOnly: true })).toMatchObject({
      status: "changed",
      trusted: false,
    });
  });

  it("is not verified with a private key", () => {
    const { certificate, files } = issue();
    for (const privateKey of [keys.privateKey, `${keys.publicKey}${keys.privateKey}`])
      expect(() => verifyCertificate(certificate, { publicKeys: [privateKey], files })).toThrow(
        "this is a private key",
      );
  });

  it("states the run, and verifies before and after it is written to a file", () => {
    const { certificate, files } = issue();
    expect(certificate.statement).toMatchObject({
      service: { baseUrl: clean().target.baseUrl },
      musts: { total: 11, inScope: 11, tested: 10, waived: 1 },
      // Valid through the last day of the waiver.
      validUntil: "2026-06-02T00:00:00.000Z",
      profile: { name: "vendor", sha256: "ab".repeat(32) },
      keyId: keys.keyId,
      waivers: [{ check: "known", requirements: ["LIST-COUNT"] }],
    });
    expect(refusedParts(certificate, files)).toEqual([]);
    expect(refusedParts(JSON.parse(JSON.stringify(certificate, null, 4)), files)).toEqual([]);
  });

  it("verifies whatever the order of its names", () => {
    const { certificate, files } = issue();
    const reordered = Object.fromEntries(Object.entries(certificate.statement).reverse());
    expect(refusedParts({ ...certificate, statement: reordered }, files)).toEqual([]);
  });

  it("names the file that differs from the signed one", () => {
    const { certificate, files } = issue();
    expect(refusedParts(certificate, { ...files, "report.json": bytes(`${files["report.json"]} `) })).toEqual(
      ["report.json"],
    );
    expect(refusedParts(certificate, { ...files, "report.html": undefined })).toEqual(["report.html"]);
    expect(refusedParts(certificate, {})).toEqual(["report.json", "report.html"]);
  });

  it.each<[string, (statement: Certificate["statement"]) => void]>([
    ["service", (statement) => Object.assign(statement.service, { baseUrl: "https://other.test" })],
    ["count", (statement) => Object.assign(statement.musts, { tested: 12 })],
    ["waiver", (statement) => statement.waivers.splice(0)],
    ["digest", (statement) => Object.assign(statement.files, { "report.html": "0".repeat(64) })],
    ["time", (statement) => Object.assign(statement, { issuedAt: "2030-01-01T00:00:00Z" })],
    ["setting", (statement) => Object.assign(statement.run.options, { concurrency: 99 })],
    ["addition", (statement) => Object.assign(statement, { remark: "excellent" })],
  ])("does not verify with another %s", (_, change) => {
    const { certificate, files } = issue();
    const forged = structuredClone(certificate);
    change(forged.statement);
    expect(refusedParts(forged, files)).toContain("signature");
  });

  it("does not verify with the signature of another certificate", () => {
    const { certificate, files } = issue();
    const { signature } = issue(clean({ summary: { ...clean().summary, note: 9 } })).certificate;
    expect(refusedParts({ ...certificate, signature }, files)).toEqual(["signature"]);
  });

  it("does not verify with another spelling of the same signature", () => {
    const { certificate, files } = issue();
    const forged = structuredClone(certificate);
    // In base64, the last digit before the padding has four bits that mean nothing.
    const [digit = ""] = /.(?===$)/.exec(forged.signature.value) ?? [];
    const other = { A: "B", Q: "R", g: "h", w: "x" }[digit] ?? "";
    forged.signature.value = forged.signature.value.replace(/.==$/, `${other}==`);
    const decoded = (value: string) => Buffer.from(value, "base64").toString("hex");
    expect(decoded(forged.signature.value)).toBe(decoded(certificate.signature.value));
    expect(forged).not.toEqual(certificate);
    expect(refusedParts(forged, files)).toEqual(["signature"]);
  });

  it("states that no profile was in force", () => {
    const { profile: _, ...report } = clean();
    expect(issue(report).certificate.statement.profile).toBeNull();
  });

  it("trusts only the keys it is given", () => {
    const { certificate, files } = issue();
    const outsider = generateKeyPair().publicKey;
    expect(refusedParts(certificate, files, [outsider])).toEqual(["key"]);
    expect(refusedParts(certificate, files, [])).toEqual(["key"]);
    expect(refusedParts(certificate, files, [outsider, keys.publicKey])).toEqual([]);
    const claimed = structuredClone(certificate);
    claimed.statement.keyId = "0".repeat(64);
    expect(refusedParts(claimed, files)).toEqual(["key"]);
  });

  it.each([null, 1, "x", [], {}, { statement: {}, signature: {} }])("is not %j", (value) => {
    expect(refusedParts(value, {})).toEqual(["certificate"]);
  });

  it.each<[string, Report]>([
    ["a nonconformant run", clean({ verdict: "nonconformant" })],
    ["an inconclusive run", clean({ verdict: "inconclusive" })],
    ["a partial run", clean({ run: { ...clean().run, partial: true } })],
    ["a quick run", clean({ depth: "quick" })],
    ["a run that need not be complete", clean({ run: { ...clean().run, options: { strict: true } } })],
  ])("is not made for %s", (_, report) => {
    expect(() => issue(report)).toThrow(CertificateRefused);
  });

  it("is not made for files that hold another report, nor with another kind of key", () => {
    const input = { report: clean(), privateKey: keys.privateKey, issuedAt: new Date() };
    const files = { "report.json": bytes(renderJson(clean())) };
    expect(() => createCertificate({ ...input, files: {} })).toThrow("report.json");
    expect(() => createCertificate({ ...input, files: { "report.json": bytes("{}") } })).toThrow(
      "report.json",
    );
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    expect(() => createCertificate({ ...input, files, privateKey: pem })).toThrow("Ed25519");
    expect(() => createCertificate({ ...input, files, privateKey: "no key" })).toThrow("PEM");
  });
});

describe.skipIf(skipBrowserTests)("the page of a certificate", { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ["a certificate", issue().certificate],
    [
      "hostile bytes",
      issue(clean({ target: { baseUrl: HOSTILE, paths: HOSTILE, embedded: true } })).certificate,
    ],
  ])("is accessible, fits, and runs nothing: %s", async (_, certificate) => {
    await withPage(
      browser,
      renderCertificatePage(certificate.statement),
      async ({ page, requests, complaints }) => {
        expect(await overflow(page)).toBe(0);
        expect(await page.locator("script").count()).toBe(0);
        expect(await page.evaluate("window.pwned")).toBeUndefined();
        expect(requests).toEqual([]);
        expect(await accessibilityFaults(page)).toEqual([]);
        expect(complaints).toEqual([]);
        expect(await page.locator("body").textContent()).toContain(keys.keyId);
      },
      { viewport: { width: 320, height: 800 } },
    );
  });
});
