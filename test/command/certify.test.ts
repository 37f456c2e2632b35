import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defects } from "../../reference/index.ts";
import { generateKeyPair } from "../../reports/certificates/keys.ts";
import { writeCertificate } from "./certificates.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { writeSmallEdition } from "./small-edition.ts";
import { flagsFor, withReference } from "./targets.ts";

const CERTIFICATE = join("conformance-report", "certificate.json");
const PAGE = join("conformance-report", "certificate.html");
const PUBLIC_KEY = join("conformance-report", "certificate.pub.pem");

/** A defect that breaks a SHOULD and no MUST. */
const RESERVED = defects.map(({ name }) => name).filter((name) => name.startsWith("scheme-case@"));

test("a service that keeps every MUST is certified, with reservations; any later change to the folder shows", {
  timeout: 240_000,
}, async () => {
  await inFolder(async (cwd) => {
    const certify = await withReference({ defects: RESERVED }, (service) => {
      writeSmallEdition(join(cwd, "edition"), ["/webhooks"]);
      const edition = ["--spec", "edition"];
      const target = [...flagsFor(service), ...edition, "--second-space", service.secondSpace];
      const facts = ["--subject", "Acme Pay", "--label", "build=4.2.1"];
      return command(
        ["certify", "--key", "key.pem", "--new-key", "--runs", "2", "--traffic", ...facts, ...target],
        {
          cwd,
        },
      );
    });
    expect(certify.stderr).toBe("");
    expect(certify.code).toBe(0);
    expect(reportIn(cwd)).toMatchObject({
      verdict: "conformant",
      depth: "full",
      run: { options: { strict: false, requireComplete: true } },
    });
    expect(statSync(join(cwd, "key.pem")).mode & 0o077).toBe(0);
    expect(readFileSync(join(cwd, PUBLIC_KEY), "utf8")).not.toContain("PRIVATE");
    expect(certify.stdout).toContain("made now and kept in the file that --key names");
    const { keyId } = JSON.parse(readFileSync(join(cwd, CERTIFICATE), "utf8")).statement;
    const page = readFileSync(join(cwd, PAGE), "utf8");
    for (const fact of [keyId, "Acme Pay", "4.2.1", "Valid until", "Out of scope (", "AUTH-SCHEME-CASE"])
      expect(page).toContain(fact);

    const verify = (...args: string[]) => command(["verify", CERTIFICATE, ...args], { cwd });
    const unnamed = await verify();
    expect(unnamed).toMatchObject({ code: 4, stderr: "" });
    expect(unnamed.stdout).toMatch(/Unchanged, but signed by nobody you named; .*\n$/);
    writeFileSync(join(cwd, "trusted.pem"), readFileSync(join(cwd, PUBLIC_KEY)));
    expect((await verify("--public-key", "trusted.pem")).stdout).toMatch(/Genuine\.\n$/);
    writeFileSync(join(cwd, "stranger.pem"), generateKeyPair().publicKey);
    const unknown = await verify("--public-key", "stranger.pem");
    expect(unknown.code).toBe(4);
    const json = JSON.parse((await verify("--public-key", "trusted.pem", "--json")).stdout);
    expect(json).toMatchObject({
      genuine: true,
      trusted: true,
      exitCode: 0,
      statement: { subject: "Acme Pay" },
    });
    expect(json.statement).toMatchObject({ labels: { build: "4.2.1" }, depth: "full" });
    expect(json.statement.reservations).toMatchObject([{ requirement: "AUTH-SCHEME-CASE" }]);
    expect(unnamed.stdout).toContain(", with 1 reservation.");
    // The certificate also lists requirements that no check can test, but does not count them.
    const testable = json.statement.scope?.filter((each: { checks: number }) => each.checks > 0);
    expect(testable).toHaveLength(json.statement.musts.total);
    expect((await verify("--public-key", "stranger.pem", "--public-key", "trusted.pem")).code).toBe(0);
    expect((await verify("--public-key", "key.txt")).code).toBe(2);

    const touch = async (file: string, complaint: string, change: (text: string) => string) => {
      const text = readFileSync(join(cwd, file), "utf8");
      expect(change(text)).not.toBe(text);
      writeFileSync(join(cwd, file), change(text));
      const { code, stdout } = await verify();
      expect(stdout).toMatch(new RegExp(`^BAD +${complaint}`, "m"));
      expect(stdout).toMatch(/^Not genuine\.$/m);
      expect(code).toBe(1);
      writeFileSync(join(cwd, file), text);
    };
    const reports = ["report.json", "report.html", "report.xml", "report.md"];
    const signed = [...reports, "created.json", "history.ndjson", "traffic.har"];
    for (const name of [...signed, "certificate.html"]) {
      await touch(join("conformance-report", name), `${name} is not the one`, (text) => `${text} `);
    }
    await touch(CERTIFICATE, "the signature does not fit", (text) =>
      text.replace(/"tested": \d+/, '"tested": 1'),
    );
    await touch(CERTIFICATE, "the signature does not fit", (text) =>
      text.replace(/("value": ")(.)/, (_, name, digit) => `${name}${digit === "A" ? "B" : "A"}`),
    );
    await touch(CERTIFICATE, "the certificate is not, byte for byte", (text) => `${text} `);
    await touch(CERTIFICATE, "not a certificate", (text) => text.slice(0, 100));
    await touch(PUBLIC_KEY, "certificate.pub.pem: the key is not a key", (text) => text.slice(30));
    expect((await verify()).code).toBe(4);

    // A run without `certify` leaves the signed files as they are, and so does a failed renewal.
    const before = contentsOf(join(cwd, "conformance-report"));
    const nowhere = flagsFor({ baseUrl: "http://127.0.0.1:1", token: "tokentoken", space: "spc-1" });
    const plain = await command(["run", ...nowhere], { cwd });
    expect(plain.code).toBe(2);
    expect(plain.stderr).toContain("conformance-report holds a valid certificate");
    const env = { PAYMENTS_CONFORMANCE_KEY: "key.pem" };
    const failed = await command(["certify", ...nowhere], { cwd, env });
    expect(failed.code).toBe(3);
    expect(failed.stderr).toContain("the certificate in conformance-report stays as it is");
    expect(reportIn(cwd, join("conformance-report", "renewal")).verdict).toBe("inconclusive");
    rmSync(join(cwd, "conformance-report", "renewal"), { recursive: true });
    expect(contentsOf(join(cwd, "conformance-report"))).toEqual(before);
    const merged = await command(["merge", join("conformance-report", "report.json")], { cwd });
    expect(merged).toMatchObject({ code: 2, stderr: plain.stderr });

    // Verify the certificate without the files that it signs.
    mkdirSync(join(cwd, "alone"));
    writeFileSync(join(cwd, "alone", "certificate.json"), readFileSync(join(cwd, CERTIFICATE)));
    const handed = ["verify", join("alone", "certificate.json"), "--public-key", "trusted.pem"];
    const whole = await command(handed, { cwd });
    expect(whole.code).toBe(3);
    expect(whole.stdout).toMatch(/^missing +report\.json is not there$/m);
    expect(whole.stdout).toMatch(/^Not verified: /m);
    const alone = await command([...handed, "--certificate-only"], { cwd });
    expect(alone.code).toBe(0);
    expect(alone.stdout).toMatch(/^Genuine as far as the certificate goes; its files were not looked at\.$/m);
    const wrongHalf = await command([...handed, "--public-key", "key.pem"], { cwd });
    expect(wrongHalf.code).toBe(2);
    expect(wrongHalf.stderr).toMatch(/--public-key key\.pem: this is a private key/);
    expect(wrongHalf.stderr).not.toContain("BEGIN");

    rmSync(join(cwd, PUBLIC_KEY));
    expect((await verify()).code).toBe(2);
  });
});

/** The bytes of the files in a folder, by name. */
function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]),
  );
}

test("a renewal replaces the certificate and the files that it signs", { timeout: 240_000 }, () =>
  withReference({ defects: RESERVED }, (service) =>
    inFolder(async (cwd) => {
      writeCertificate(join(cwd, "conformance-report"));
      const before = readFileSync(join(cwd, CERTIFICATE), "utf8");
      writeSmallEdition(join(cwd, "edition"));
      const target = [...flagsFor(service), "--spec", "edition"];
      const { code, stdout, stderr } = await command(["certify", "--new-key", ...target], { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("report.md in conformance-report/\n");
      expect(readFileSync(join(cwd, CERTIFICATE), "utf8")).not.toBe(before);
      // The old certificate signs this file. The new run writes none, so it must be gone.
      expect(existsSync(join(cwd, "conformance-report", "traffic.har"))).toBe(false);
      expect(existsSync(join(cwd, "conformance-report", "renewal"))).toBe(false);
      const commands = reportIn(cwd).checks.flatMap(({ reproduce }) => reproduce?.command ?? []);
      expect(commands).not.toEqual([]);
      for (const line of commands) expect(line).toContain(" replay conformance-report/report.json ");
      expect((await command(["verify", CERTIFICATE], { cwd })).code).toBe(4);
    }),
  ),
);

test("--strict certifies nothing that has a reservation", { timeout: 240_000 }, () =>
  withReference({ defects: RESERVED }, (service) =>
    inFolder(async (cwd) => {
      writeSmallEdition(join(cwd, "edition"));
      const target = [...flagsFor(service), "--spec", "edition"];
      const { code, stdout } = await command(["certify", "--new-key", "--strict", ...target], { cwd });
      expect(code).toBe(1);
      expect(stdout).toContain("AUTH-SCHEME-CASE");
      expect(existsSync(join(cwd, CERTIFICATE))).toBe(false);
    }),
  ),
);

test("the embedded reference service is never certified, not even because the address is missing", () =>
  inFolder(async (cwd) => {
    const forgotten = await command(["certify", "--subject", "Acme Pay"], { cwd });
    expect(forgotten.code).toBe(2);
    expect(forgotten.stderr).toContain("certify needs --base-url (PAYMENTS_CONFORMANCE_BASE_URL)");
    const claimed = await command(["certify", "--embedded", "--subject", "Acme Pay"], { cwd });
    expect(claimed.code).toBe(2);
    expect(claimed.stderr).toContain("--subject");
    expect(readdirSync(cwd)).toEqual([]);
  }));

describe("a certificate speaks of a whole run, so certify takes no", () => {
  test.each([
    ["--only", "LIST-COUNT"],
    ["--skip", "responses/LIST-COUNT GET /webhooks"],
    ["--within", "2m"],
    ["--preset", "smoke"],
    ["--shard", "1/2"],
    ["--last-failed"],
  ])("%s", (...selection) =>
    inFolder(async (cwd) => {
      const target = flagsFor({ baseUrl: "http://127.0.0.1:1", token: "tokentoken", space: "spc-1" });
      const args = ["certify", "--key", "key.pem", "--new-key", ...target, ...selection];
      const { code, stderr } = await command(args, { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain(`a certificate needs a whole run, so ${selection[0]} (PAYMENTS_CONFORMANCE_`);
      expect(readdirSync(cwd)).toEqual([]);
    }),
  );
});

test("no certificate is made without a judged target or a valid key", async () => {
  await inFolder(async (cwd) => {
    const target = flagsFor({ baseUrl: "http://127.0.0.1:1", token: "tokentoken", space: "spc-1" });
    const { code, stderr } = await command(["certify", "--new-key", ...target], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain("no certificate");
    expect(existsSync(join(cwd, CERTIFICATE))).toBe(false);
    writeFileSync(join(cwd, "key.pem"), "no key");
    const wrong = await command(["certify", ...target, "--key", "key.pem"], { cwd });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("--key gives no Ed25519 private key");
  });
});
