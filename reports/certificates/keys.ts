import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type ECKeyPairOptions,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

export class CertificateRefused extends Error {}

export type KeyKind = "ed25519" | "p256";

const KIND_NAMES: Readonly<Record<KeyKind, string>> = {
  ed25519: "an Ed25519 key",
  p256: "an ECDSA P-256 key",
};

export function generateKeyPair(kind: KeyKind = "ed25519"): {
  privateKey: string;
  publicKey: string;
  keyId: string;
} {
  const p256: ECKeyPairOptions<"pem", "pem"> | { namedCurve: string } = { namedCurve: "P-256" };
  const pair = kind === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", p256);
  return {
    privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
    keyId: idOf(pair.publicKey),
  };
}

export function keyKindOf(key: KeyObject): KeyKind | undefined {
  if (key.asymmetricKeyType === "ed25519") return "ed25519";
  const curve = key.asymmetricKeyDetails?.namedCurve;
  return key.asymmetricKeyType === "ec" && curve === "prime256v1" ? "p256" : undefined;
}

/**
 * Returns the private key in the text.
 * @throws CertificateRefused unless the text is a private key in PEM of this kind
 */
export function privateKeyOf(pem: string, kind?: KeyKind): KeyObject {
  return keyOf(() => createPrivateKey(pem), kind);
}

/**
 * Returns the public key in the text.
 * @throws CertificateRefused unless the text is a public key: Node accepts private ones, too
 */
export function publicKeyOf(pem: string): KeyObject {
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(pem)) {
    throw new CertificateRefused("this is a private key: keep it secret, and name the public key instead");
  }
  return keyOf(() => createPublicKey(pem));
}

/**
 * Returns the key.
 * @throws CertificateRefused if it is unreadable or of another kind.
 */
function keyOf(read: () => KeyObject, kind?: KeyKind): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw new CertificateRefused("the key is not a key in PEM form");
  }
  const found = keyKindOf(key);
  if (found === undefined || (kind !== undefined && found !== kind)) {
    const wanted = kind === undefined ? Object.values(KIND_NAMES).join(" or ") : KIND_NAMES[kind];
    throw new CertificateRefused(`the key is not ${wanted}`);
  }
  return key;
}

export function idOf(publicKey: KeyObject): string {
  return sha256(publicKey.export({ type: "spki", format: "der" }));
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
