/** The key that certificates are signed with. Neither its text nor the value that names it is ever shown. */

import { createPrivateKey, createPublicKey } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { generateKeyPair } from "../reports/certificate.ts";
import { readPemText } from "../spec/loading/read-file.ts";
import { UsageError } from "../spec/usage-error.ts";
import { inCi } from "./ci.ts";
import { OTHER_VARIABLES } from "./options/read-environment.ts";

export interface SigningKey {
  privateKey: string;
  publicKey: string;
  /** Says where the key comes from. */
  origin: string;
}

/**
 * The key of `--key` or its variable: a file, or the text of the key itself. With `newKey` it is made if the file is
 * not there; without a file it is made and not kept.
 *
 * @throws UsageError if there is no key, if it is no Ed25519 private key, or if it is to be made where `CI` is set.
 */
export function signingKey(flag: unknown, newKey: boolean, environment: NodeJS.ProcessEnv): SigningKey {
  const value = String(flag ?? environment[OTHER_VARIABLES.key] ?? "");
  const source = flag === undefined ? OTHER_VARIABLES.key : "--key";
  if (newKey && inCi(environment)) {
    throw new UsageError(
      "--new-key makes no key where CI is set: nobody would know whose it is; make it once, elsewhere, and give it as a secret",
    );
  }
  if (value === "" && newKey) {
    return { ...generateKeyPair(), origin: "made for this certificate and not kept; --key FILE keeps one" };
  }
  if (value === "") {
    throw new UsageError(
      `there is no key to sign with: give --key FILE or ${OTHER_VARIABLES.key} (a file, or the text of the key); --new-key makes one`,
    );
  }
  if (value.includes("-----BEGIN")) return keyFrom(value, source, `from ${source}`);
  if (existsSync(value))
    return keyFrom(readPemText(value, source), source, `from the file that ${source} names`);
  if (!newKey) {
    throw new UsageError(
      `${source} is neither a file that is there nor a private key in PEM form; --new-key makes the file`,
    );
  }
  return keepNew(value, source);
}

function keyFrom(privateKey: string, source: string, origin: string): SigningKey {
  try {
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType !== "ed25519") throw new Error("not Ed25519");
    return {
      privateKey,
      publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
      origin,
    };
  } catch {
    throw new UsageError(`${source} gives no Ed25519 private key in PEM form`);
  }
}

function keepNew(file: string, source: string): SigningKey {
  const pair = generateKeyPair();
  try {
    writeFileSync(file, pair.privateKey, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`the file that ${source} names cannot be written: ${code}`);
  }
  return { ...pair, origin: `made now and kept in the file that ${source} names` };
}
