import { createPublicKey, type KeyObject } from "node:crypto";
import { jsonOf } from "../../spec/loading/read-file.ts";
import { matcher } from "../../spec/matcher.ts";
import { isSignedBy, readEnvelope, sealed } from "./dsse.ts";

const PAYLOAD_TYPE = "application/vnd.payments-conformance.status-list+json";

export interface StatusList {
  schemaVersion: 1;
  updatedAt: string;
  revoked: {
    /** The SHA-256 of a report.json. All its certificates are revoked. */
    report: string;
    reason: string;
    revokedAt: string;
  }[];
}

const match = matcher<StatusList>({
  type: "object",
  required: ["schemaVersion", "updatedAt", "revoked"],
  properties: {
    schemaVersion: { const: 1 },
    updatedAt: { type: "string", format: "date-time" },
    revoked: {
      type: "array",
      items: {
        type: "object",
        required: ["report", "reason", "revokedAt"],
        properties: {
          report: { type: "string", pattern: "^[0-9a-f]{64}$" },
          reason: { type: "string" },
          revokedAt: { type: "string", format: "date-time" },
        },
      },
    },
  },
});

export function statusListText(list: StatusList, key: KeyObject): string {
  return `${sealed(PAYLOAD_TYPE, list, key)}\n`;
}

/** Returns the list, or `undefined` if it was changed, or none of the keys signed it. */
export function readStatusList(text: string, publicKeys: readonly KeyObject[]): StatusList | undefined {
  const envelope = text.endsWith("\n") ? readEnvelope(text.slice(0, -1)) : undefined;
  if (envelope?.payloadType !== PAYLOAD_TYPE) return undefined;
  if (!publicKeys.some((key) => isSignedBy(envelope, key))) return undefined;
  const matched = match(jsonOf(envelope.payload.toString("utf8")));
  return matched.matches ? matched.value : undefined;
}

/** Returns the list with one more revoked report. */
export function withRevoked(
  list: StatusList | undefined,
  entry: { report: string; reason: string },
  now: Date,
): StatusList {
  const at = now.toISOString();
  return {
    schemaVersion: 1,
    updatedAt: at,
    revoked: [...(list?.revoked ?? []), { ...entry, revokedAt: at }],
  };
}

export function readOwnStatusList(text: string, privateKey: KeyObject): StatusList | undefined {
  return readStatusList(text, [createPublicKey(privateKey)]);
}
