/** No message shows --key, which may be the key itself. */

import { createPublicKey } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import {
  CertificateRefused,
  generateKeyPair,
  keyKindOf,
  privateKeyOf,
} from "../../reports/certificates/keys.ts";
import { readPemText } from "../../spec/loading/read-file.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { OTHER_VARIABLES } from "../options/read-environment.ts";
import { inCi } from "../setup/ci.ts";

interface KeyPair {
  privateKey: string;
  publicKey: string;
}

export interface SigningKey extends KeyPair {
  envelopes?: KeyPair;
  origin: string;
}

/**
 * Returns the key that signs the certificate.
 * @throws UsageError without an Ed25519 key, or if `newKey` is used in CI
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
    return { ...newKeys(), origin: "made for this certificate and not kept; --key FILE keeps one" };
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

/**
 * Returns the keys in the text.
 * @throws UsageError if it holds none.
 */
function keyFrom(text: string, source: string, origin: string): SigningKey {
  try {
    const keys = (text.match(PRIVATE_KEYS) ?? [text]).map((pem) => privateKeyOf(pem));
    const pair = (kind: "ed25519" | "p256"): KeyPair | undefined => {
      const key = keys.find((key) => keyKindOf(key) === kind);
      if (key === undefined) return undefined;
      return {
        privateKey: key.export({ type: "pkcs8", format: "pem" }).toString(),
        publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
      };
    };
    const [main, envelopes] = [pair("ed25519"), pair("p256")];
    if (main === undefined) throw new CertificateRefused("no Ed25519 key");
    return { ...main, ...(envelopes === undefined ? {} : { envelopes }), origin };
  } catch (error) {
    if (!(error instanceof CertificateRefused)) throw error;
    throw new UsageError(
      `${source} gives no Ed25519 private key in PEM form (an ECDSA P-256 key may stand after it)`,
    );
  }
}

const PRIVATE_KEYS = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/g;

function newKeys(): KeyPair & { envelopes: KeyPair } {
  return { ...generateKeyPair("ed25519"), envelopes: generateKeyPair("p256") };
}

/** Makes new keys and writes them to the file, which must not exist. */
function keepNew(file: string, source: string): SigningKey {
  const keys = newKeys();
  try {
    const text = keys.privateKey + keys.envelopes.privateKey;
    writeFileSync(file, text, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`the file that ${source} names cannot be written: ${code}`);
  }
  return { ...keys, origin: `made now and kept in the file that ${source} names` };
}
