/** The signing key is read from a file or from a variable, is never shown, and is made only on request. */

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signingKey } from "../../command/certificates/signing-key.ts";
import { generateKeyPair } from "../../reports/certificates/keys.ts";
import { command, inFolder } from "./command.ts";
import { flagsFor } from "./targets.ts";

const KEY = "PAYMENTS_CONFORMANCE_KEY";
const NOWHERE = flagsFor({ baseUrl: "http://127.0.0.1:1", token: "tokentoken", space: "spc-1" });
const { privateKey, publicKey } = generateKeyPair();
const SECRET = "hunter2-canary-hunter2";

describe("a given key", () => {
  test("may be the text of a key", () => {
    expect(signingKey(undefined, false, { [KEY]: privateKey })).toEqual({
      privateKey,
      publicKey,
      origin: `from ${KEY}`,
    });
    expect(signingKey(privateKey, false, {}).publicKey).toBe(publicKey);
  });

  test("may be the text of two keys, in any order; an ECDSA key alone signs no certificate", () => {
    const ecdsa = generateKeyPair("p256");
    for (const text of [privateKey + ecdsa.privateKey, `${ecdsa.privateKey}\n${privateKey}`])
      expect(signingKey(text, false, {})).toMatchObject({
        privateKey,
        publicKey,
        envelopes: { privateKey: ecdsa.privateKey, publicKey: ecdsa.publicKey },
      });
    expect(() => signingKey(ecdsa.privateKey, false, {})).toThrow("gives no Ed25519 private key");
  });

  test("may be a file; the flag beats the variable", () =>
    inFolder(async (folder) => {
      const file = join(folder, "key.pem");
      writeFileSync(file, privateKey);
      const key = signingKey(file, false, { [KEY]: SECRET });
      expect(key).toMatchObject({ privateKey, publicKey, origin: "from the file that --key names" });
    }));

  test.each([
    ["--key", ["--key", SECRET], {}],
    ["--key with a public key", ["--key", publicKey], {}],
    [`${KEY}`, [], { [KEY]: SECRET }],
    [`${KEY} with half a key`, [], { [KEY]: privateKey.slice(0, 60) }],
    ["--client-key", ["--client-cert", "cert.pem", "--client-key", privateKey], { [KEY]: privateKey }],
    ["--waivers", ["--waivers", privateKey], { [KEY]: privateKey }],
    ["--config", ["--config", privateKey], { [KEY]: privateKey }],
    ["an argument", [privateKey], { [KEY]: privateKey }],
  ] as [string, string[], Record<string, string>][])(
    "is refused and never shown if it is no usable key, and none is made: %s",
    (_, args, env) =>
      inFolder(async (cwd) => {
        writeFileSync(join(cwd, "cert.pem"), "-----BEGIN CERTIFICATE-----");
        const { code, stdout, stderr } = await command(["certify", ...NOWHERE, ...args], { cwd, env });
        expect(code, stderr).toBe(2);
        for (const secret of [SECRET, "BEGIN", ...privateKey.split("\n").slice(1, 2)])
          expect(stdout + stderr).not.toContain(secret);
        expect(readdirSync(cwd)).toEqual(["cert.pem"]);
      }),
  );

  test("is refused and not shown in place of verify's public key", () =>
    inFolder(async (cwd) => {
      writeFileSync(join(cwd, "certificate.json"), "{}");
      const { code, stderr } = await command(["verify", "certificate.json", "--public-key", privateKey], {
        cwd,
      });
      expect(code).toBe(2);
      expect(stderr).not.toContain("BEGIN");
    }));
});

describe("a new key is made", () => {
  test("only with --new-key", async () => {
    expect(() => signingKey(undefined, false, {})).toThrow(/no key to sign with.*--new-key/);
    expect(signingKey(undefined, true, {}).origin).toMatch(/not kept/);
    await inFolder(async (folder) => {
      const file = join(folder, "key.pem");
      expect(() => signingKey(file, false, {})).toThrow(/--new-key makes the file/);
      const made = signingKey(file, true, {});
      expect(readFileSync(file, "utf8")).toBe(made.privateKey + made.envelopes?.privateKey);
      expect(statSync(file).mode & 0o077).toBe(0);
      expect(signingKey(file, true, {})).toMatchObject({
        privateKey: made.privateKey,
        envelopes: { privateKey: made.envelopes?.privateKey },
      });
    });
  });

  test.each(["true", "1", "yes"])("not even with it while CI is %s", (CI) =>
    inFolder(async (folder) => {
      const file = join(folder, "key.pem");
      expect(() => signingKey(undefined, true, { CI })).toThrow(/where CI is set/);
      expect(() => signingKey(file, true, { CI })).toThrow(/where CI is set/);
      expect(() => signingKey(file, false, { CI })).toThrow(/neither a file/);
      expect(readdirSync(folder)).toEqual([]);
    }),
  );
});
