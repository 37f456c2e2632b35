/** Writes and reads envelopes of DSSE 1.0.2 (github.com/secure-systems-lab/dsse). */
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { isObject } from "../../spec/json.ts";
import { jsonOf } from "../../spec/loading/read-file.ts";
import { idOf, keyKindOf } from "./keys.ts";

interface Envelope {
  payload: string;
  payloadType: string;
  signatures: { keyid: string; sig: string }[];
}

/** Returns the bytes that are signed. The lengths keep type and payload apart. */
export function preAuthenticationEncoding(payloadType: string, payload: Buffer): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `), payload]);
}

/** Returns the value in a signed envelope (DSSE) as JSON. */
export function sealed(payloadType: string, value: unknown, key: KeyObject): string {
  const payload = Buffer.from(JSON.stringify(value));
  const bytes = preAuthenticationEncoding(payloadType, payload);
  let signature = sign(digestFor(key), bytes, key);
  while (!isLow(signature, key)) signature = sign(digestFor(key), bytes, key);
  return JSON.stringify({
    payload: payload.toString("base64"),
    payloadType,
    signatures: [{ keyid: idOf(createPublicKey(key)), sig: signature.toString("base64") }],
  } satisfies Envelope);
}

export interface ReadEnvelope {
  payload: Buffer;
  payloadType: string;
  keyId: string;
  signature: Buffer;
}

/** Returns the envelope in the text, or `undefined` unless it is as `sealed` writes it. */
export function readEnvelope(text: string): ReadEnvelope | undefined {
  const value = jsonOf(text);
  if (!isObject(value) || !Array.isArray(value.signatures)) return undefined;
  const [first] = value.signatures as unknown[];
  if (!isObject(first)) return undefined;
  const { payload, payloadType } = value;
  const texts = [payload, payloadType, first.keyid, first.sig];
  const [encoded, type, keyid, sig] = texts.filter((text) => typeof text === "string");
  if (encoded === undefined || type === undefined || keyid === undefined || sig === undefined)
    return undefined;
  const bytes = Buffer.from(encoded, "base64");
  const signature = Buffer.from(sig, "base64");
  const signatures = [{ keyid, sig: signature.toString("base64") }];
  const again = { payload: bytes.toString("base64"), payloadType: type, signatures };
  if (JSON.stringify(again satisfies Envelope) !== text) return undefined;
  return { payload: bytes, payloadType: type, keyId: keyid, signature };
}

export function isSignedBy(
  { payload, payloadType, keyId, signature }: ReadEnvelope,
  key: KeyObject,
): boolean {
  const bytes = preAuthenticationEncoding(payloadType, payload);
  return keyId === idOf(key) && isLow(signature, key) && verify(digestFor(key), bytes, key, signature);
}

function digestFor(key: KeyObject): string | null {
  return keyKindOf(key) === "p256" ? "sha256" : null;
}

const HALF_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n / 2n;

/** False for the second valid ECDSA signature, with a higher `s`, which anybody can compute. */
function isLow(signature: Buffer, key: KeyObject): boolean {
  if (keyKindOf(key) !== "p256") return true;
  const lengthOfR = signature[3] ?? 0;
  const s = signature.subarray(4 + lengthOfR + 2);
  return s.length > 0 && BigInt(`0x${s.toString("hex")}`) <= HALF_ORDER;
}
