import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { worseThan } from "../../command/certificates/renew.ts";
import { defects } from "../../reference/index.ts";
import type { Outcome, Report, RequirementResult } from "../../reports/report.ts";
import { writeCertificate } from "./certificates.ts";
import { command, inFolder } from "./command.ts";
import { writeSmallEdition } from "./small-edition.ts";
import { withReference } from "./targets.ts";

const FOLDER = "conformance-report";
const CERTIFICATE = join(FOLDER, "certificate.json");

function requirement(id: string, outcome: Outcome, level: RequirementResult["level"]): RequirementResult {
  return { id, level, section: "2", statement: id, outcome, checks: [id], inScope: level === "MUST" };
}

describe("renew", () => {
  test("calls a run worse if a requirement no longer holds, or is no longer tested", () => {
    const report = (...outcomes: Outcome[]): Pick<Report, "requirements"> => ({
      requirements: outcomes.map((outcome, index) => requirement(`R-${index}`, outcome, "SHOULD")),
    });
    const order: Outcome[] = ["skip", "fail", "warn", "pass"];
    for (const [index, old] of order.entries())
      for (const [place, now] of order.entries())
        expect(worseThan(report(old), report(now)) !== undefined, `${old} to ${now}`).toBe(place < index);
    expect(worseThan(report("pass"), { requirements: [] })).toContain("R-0");
    expect(worseThan(report("unsteady"), report("skip"))).toBeUndefined();
    expect(
      worseThan(
        report(
          ..."x"
            .repeat(7)
            .split("")
            .map(() => "pass" as const),
        ),
        report(),
      ),
    ).toMatch(/R-0, R-1, R-2, R-3, R-4 and 2 others$/);
    const silence = { requirements: [requirement("S", "note", "NOTE")] };
    expect(worseThan(silence, { requirements: [] })).toBeUndefined();
  });

  test("calls a run worse if an operation that was offered is not offered now", () => {
    const offering = (...offered: boolean[]): Pick<Report, "requirements" | "operations"> => ({
      requirements: [requirement("R-0", "pass", "MUST")],
      operations: offered.map((each, index) => ({
        operation: `GET /${index}`,
        section: "4",
        shown: true,
        successes: 1,
        musts: { total: 1, tested: 1, notSelected: 0 },
        ...(each ? {} : { offered: false }),
        inScope: each,
      })),
    });
    expect(worseThan(offering(true, true), offering(true, false))).toMatch(/in GET \/1$/);
    expect(worseThan(offering(true, false), offering(true, true))).toBeUndefined();
    expect(worseThan(offering(false), offering(false))).toBeUndefined();
  });

  test("keeps a certificate that is better than the new run", { timeout: 240_000 }, () => {
    const reserved = defects.map(({ name }) => name).filter((name) => name.startsWith("scheme-case@"));
    return withReference({ defects: reserved }, (service) =>
      inFolder(async (cwd) => {
        const target = { baseUrl: service.baseUrl, paths: "as-shown", embedded: false };
        const requirements = [
          requirement("LIST-COUNT", "pass", "MUST"),
          requirement("AUTH-SCHEME-CASE", "pass", "SHOULD"),
        ];
        const { ed25519, p256 } = writeCertificate(join(cwd, FOLDER), { change: { target, requirements } });
        const before = contentsOf(join(cwd, FOLDER));
        writeFileSync(join(cwd, "key.pem"), ed25519.privateKey + p256.privateKey);
        // The report holds the address. The environment adds the token, the space and the edition.
        const env = {
          PAYMENTS_CONFORMANCE_TOKEN: service.token,
          PAYMENTS_CONFORMANCE_SPACE: service.space,
          PAYMENTS_CONFORMANCE_SPEC: "edition",
        };
        writeSmallEdition(join(cwd, "edition"));
        const { code, stderr } = await command(["renew", CERTIFICATE, "--key", "key.pem"], { cwd, env });
        expect(stderr).toMatch(
          /no certificate: the run is worse than .* in AUTH-SCHEME-CASE; the certificate in conformance-report stays/,
        );
        expect(code).toBe(1);
        expect(readdirSync(join(cwd, FOLDER, "renewal"))).toContain("report.json");
        const after = contentsOf(join(cwd, FOLDER));
        expect(after).toEqual(before);
      }),
    );
  });

  test("refuses a certificate that was changed, and sends nothing", () =>
    inFolder(async (cwd) => {
      writeCertificate(join(cwd, FOLDER));
      const renew = (...args: string[]) =>
        command(["renew", CERTIFICATE, "--new-key", "--token", "t", "--space", "spc-1", ...args], { cwd });
      expect((await renew("--out", "elsewhere")).stderr).toContain("renew takes no --out");
      writeFileSync(join(cwd, FOLDER, "report.json"), "{}");
      const { code, stderr } = await renew();
      expect(code).toBe(2);
      expect(stderr).toContain("report.json is not the one that was signed; certify makes another one");
    }));
});

/** The bytes of the files in a folder by name, subfolders excluded. */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ name }) => [name, readFileSync(join(folder, name), "latin1")] as const),
  );
}

test("revoke adds to a list of its own key, and verify consults it", () =>
  inFolder(async (cwd) => {
    const { ed25519, p256 } = writeCertificate(join(cwd, FOLDER));
    writeFileSync(join(cwd, "key.pem"), ed25519.privateKey + p256.privateKey);
    writeFileSync(join(cwd, "a.pem"), ed25519.publicKey);
    writeFileSync(join(cwd, "b.pem"), p256.publicKey);
    const other = writeCertificate(join(cwd, "other"), { change: { labels: { build: "2" } } });
    writeFileSync(join(cwd, "other.pem"), other.ed25519.privateKey);
    const revoke = (file: string, ...args: string[]) =>
      command(["revoke", file, "--status-list", "list.json", ...args], { cwd });
    const withKey = ["--key", "key.pem", "--reason", "Withdrawn."];
    expect((await revoke(CERTIFICATE, "--key", "key.pem")).stderr).toContain("--reason");
    expect(await revoke(CERTIFICATE, ...withKey)).toMatchObject({ code: 0, stderr: "" });
    expect((await revoke(CERTIFICATE, ...withKey)).stderr).toContain("revokes this certificate already");
    const outsider = ["--key", "other.pem", "--reason", "Envy."];
    expect((await revoke(CERTIFICATE, ...outsider)).stderr).toContain("no status list that this key signed");
    expect(await revoke(join("other", "certificate.intoto.jsonl"), ...withKey)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("this key did not sign the certificate"),
    });
    const verify = (file: string, ...keys: string[]) =>
      command(
        ["verify", file, "--status-list", "list.json", ...keys.flatMap((key) => ["--public-key", key])],
        {
          cwd,
        },
      );
    for (const file of [CERTIFICATE, join(FOLDER, "certificate.intoto.jsonl")]) {
      const { code, stdout } = await verify(file, "a.pem", "b.pem");
      expect(code).toBe(5);
      expect(stdout).toMatch(/^revoked +it was revoked on \S+Z: Withdrawn\.$/m);
      expect(stdout).toMatch(/^Revoked: genuine, /m);
    }
    expect((await verify(CERTIFICATE, "a.pem")).stdout).toContain("with one more --public-key");
    expect((await verify(CERTIFICATE)).stderr).toContain("--status-list is given without --public-key");
  }));
