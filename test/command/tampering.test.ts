/** `verify` refuses every change to a certificate, its files, its keys or its status list. */
import { createPrivateKey } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { judgeFile } from "../../command/certificates/verify.ts";
import { PAYLOAD_TYPE } from "../../reports/certificates/attestations.ts";
import { sealed } from "../../reports/certificates/dsse.ts";
import { sha256 } from "../../reports/certificates/keys.ts";
import { statusListText } from "../../reports/certificates/status-list.ts";
import { newKeys, type SignedWith, writeCertificate } from "./certificates.ts";

const FILES = ["report.json", "history.ndjson", "traffic.har", "certificate.intoto.jsonl"];
const [JSON_FILE, LINES_FILE] = ["certificate.json", "certificate.intoto.jsonl"];
const DAY = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), "payments-conformance-tampering-"));
const [good, other, strange] = ["good", "other", "strange"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const keys: SignedWith = newKeys();
const outsider = newKeys();
const publicKeys = [keys.ed25519.publicKey, keys.p256.publicKey];
// The signer of `good` also signed `other`, with another label. Another signer signed `strange`.
writeCertificate(good, { keys });
writeCertificate(other, { keys, change: { labels: { build: "5" } } });
writeCertificate(strange, { keys: outsider });
afterAll(() => rmSync(folder, { recursive: true }));

const text = (name: string, from = good) => readFileSync(join(from, name), "utf8");
const lines = (from = good) => text(LINES_FILE, from).trimEnd().split("\n");

/**
 * Verifies the file `name` in a copy of the good folder. In the copy, `changes` replaces files by other texts, or
 * removes them (null).
 */
function judged(
  name: string,
  changes: Record<string, string | null> = {},
  asked: Partial<Parameters<typeof judgeFile>[1]> = {},
) {
  const place = mkdtempSync(join(folder, "case-"));
  for (const file of [...FILES, JSON_FILE]) {
    if (changes[file] === undefined) copyFileSync(join(good, file), join(place, file));
  }
  for (const [file, content] of Object.entries(changes))
    if (content !== null) writeFileSync(join(place, file), content);
  try {
    return judgeFile(join(place, name), { publicKeys, ...asked });
  } finally {
    rmSync(place, { recursive: true });
  }
}

type Path = (string | number)[];

/** The path of each member of a JSON value, at any depth. Of a list, only the first two items. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [
    ...(path.length > 0 ? [path] : []),
    ...members
      .slice(0, Array.isArray(value) ? 2 : members.length)
      .flatMap(([key, member]) => pathsIn(member, [...path, Array.isArray(value) ? Number(key) : key])),
  ];
}

function otherValue(value: unknown): unknown {
  if (typeof value === "string")
    return value === "" ? "x" : `${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (value === null) return "x";
  return Array.isArray(value) ? [...value, ...value, "x"] : { ...value, more: 1 };
}

function changedAt(value: unknown, path: Path): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? "";
  holder[last] = otherValue(holder[last]);
  return copy;
}

interface Envelope {
  payload: string;
  payloadType: string;
  signatures: { keyid: string; sig: string }[];
}

const envelope = (index: number, from = good) => JSON.parse(lines(from)[index] ?? "") as Envelope;
const payload = (index: number) =>
  JSON.parse(Buffer.from(envelope(index).payload, "base64").toString("utf8")) as unknown;

/** A change for `judged`: replaces one line of the file of attestations. */
function withLine(index: number, line: string): Record<string, string> {
  return { [LINES_FILE]: `${lines().with(index, line).join("\n")}\n` };
}

function withEnvelope(index: number, change: (envelope: Envelope) => unknown): Record<string, string> {
  return withLine(index, JSON.stringify(change(envelope(index))));
}

const withPayload = (index: number, value: unknown) =>
  withEnvelope(index, (each) => ({
    ...each,
    payload: Buffer.from(JSON.stringify(value)).toString("base64"),
  }));

/**
 * Returns the second valid form of an ECDSA signature. A signature is a pair of numbers, r and s. With the curve's
 * order minus s in place of s it stays valid, and anybody can compute that.
 */
function otherSignature(sig: string): string {
  const bytes = Buffer.from(sig, "base64");
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const lengthOfR = bytes[3] ?? 0;
  const s = BigInt(`0x${bytes.subarray(4 + lengthOfR + 2).toString("hex")}`);
  const digits = Buffer.from((order - s).toString(16).padStart(64, "0"), "hex");
  const lead = (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits;
  const body = Buffer.concat([bytes.subarray(2, 4 + lengthOfR), Buffer.from([2, lead.length]), lead]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]).toString("base64");
}

type Tampering = [name: string, judge: () => ReturnType<typeof judgeFile>];

const certificate = JSON.parse(text(JSON_FILE)) as Record<string, unknown>;
const reencodings: [string, (text: string) => string][] = [
  [
    "indented in another way",
    (all) => `${JSON.stringify(JSON.parse(all.split("\n{")[0] ?? all), null, 4)}\n`,
  ],
  ["with a space at the end", (all) => `${all} `],
  ["with an empty line", (all) => `${all}\n`],
  ["without its line end", (all) => all.trimEnd()],
  ["with other line ends", (all) => all.replaceAll("\n", "\r\n")],
  ["with a byte order mark", (all) => `\ufeff${all}`],
  ["with an escaped letter", (all) => all.replace("p", "\\u0070")],
  ["with a member twice", (all) => all.replace("{", '{"statement":1,')],
  ["with another member", (all) => all.replace("{", '{"note":"",')],
  ["empty", () => ""],
  ["twice", (all) => all + all],
];

const tamperings: Tampering[] = [
  // Each member of certificate.json is changed.
  ...pathsIn(certificate).map(
    (path): Tampering => [
      `certificate.json: ${path.join("/")} changed`,
      () => judged(JSON_FILE, { [JSON_FILE]: `${JSON.stringify(changedAt(certificate, path), null, 2)}\n` }),
    ],
  ),
  // Each member of both in-toto statements is changed.
  ...[0, 1].flatMap((index) =>
    pathsIn(payload(index)).map(
      (path): Tampering => [
        `statement ${index + 1}: ${path.join("/")} changed`,
        () => judged(LINES_FILE, withPayload(index, changedAt(payload(index), path))),
      ],
    ),
  ),
  // The envelopes are changed, but not their statements.
  ...[0, 1].flatMap((index): Tampering[] => {
    const sign = (each: Envelope, sig: string) => ({
      ...each,
      signatures: [{ keyid: each.signatures[0]?.keyid ?? "", sig }],
    });
    const changes: [string, (each: Envelope) => unknown][] = [
      ["another type", (each) => ({ ...each, payloadType: "application/json" })],
      ["no type", ({ payloadType: _, ...each }) => each],
      ["no payload", ({ payload: _, ...each }) => each],
      ["no signature", (each) => ({ ...each, signatures: [] })],
      ["no list of signatures", ({ signatures: _, ...each }) => each],
      ["an empty signature", (each) => sign(each, "")],
      [
        "another key",
        (each) => ({ ...each, signatures: [{ ...each.signatures[0], keyid: "0".repeat(64) }] }),
      ],
      ["no key", (each) => ({ ...each, signatures: [{ sig: each.signatures[0]?.sig }] })],
      ["a signature twice", (each) => ({ ...each, signatures: [...each.signatures, ...each.signatures] })],
      ["the other half of s", (each) => sign(each, otherSignature(each.signatures[0]?.sig ?? ""))],
      [
        "the signature of the other envelope",
        (each) => sign(each, envelope(1 - index).signatures[0]?.sig ?? ""),
      ],
      ["the payload of the other envelope", (each) => ({ ...each, payload: envelope(1 - index).payload })],
      ["more padding", (each) => ({ ...each, payload: `${each.payload}=` })],
      [
        "a payload with a space",
        (each) => ({ ...each, payload: `${each.payload.slice(0, 8)} ${each.payload.slice(8)}` }),
      ],
      ["members in another order", ({ payload: one, ...each }) => ({ ...each, payload: one })],
    ];
    return changes.map(
      ([what, change]): Tampering => [
        `envelope ${index + 1}: ${what}`,
        () => judged(LINES_FILE, withEnvelope(index, change)),
      ],
    );
  }),
  // Envelopes are missing, in wrong positions, or from other certificates.
  ...(
    [
      ["lines swapped", () => `${lines().toReversed().join("\n")}\n`],
      ["the first line alone", () => `${lines()[0]}\n`],
      ["the second line alone", () => `${lines()[1]}\n`],
      ["the first line twice", () => `${lines()[0]}\n${lines()[0]}\n`],
      ["a third line", () => `${lines().join("\n")}\n${lines()[0]}\n`],
      ["the first line of another certificate", () => `${lines(other)[0]}\n${lines()[1]}\n`],
      ["the second line of another certificate", () => `${lines()[0]}\n${lines(other)[1]}\n`],
      ["both lines of another certificate", () => text(LINES_FILE, other)],
      ["both lines by another signer", () => text(LINES_FILE, strange)],
      ["one line by another signer", () => `${lines()[0]}\n${lines(strange)[1]}\n`],
      ["signed with the key of certificate.json", () => resealed(createPrivateKey(keys.ed25519.privateKey))],
      ["the format of certificate.json", () => text(JSON_FILE)],
    ] as [string, () => string][]
  ).map(
    ([what, content]): Tampering => [
      `attestations: ${what}`,
      () => judged(LINES_FILE, { [LINES_FILE]: content() }),
    ],
  ),
  // Files are truncated, or have the same content in another spelling.
  ...[JSON_FILE, LINES_FILE].flatMap((name) => [
    ...[1, 10, 100, 500, 1_000].map(
      (length): Tampering => [
        `${name}: ${length} bytes short`,
        () => judged(name, { [name]: text(name).slice(0, -length) }),
      ],
    ),
    ...reencodings.map(
      ([what, change]): Tampering => [`${name}: ${what}`, () => judged(name, { [name]: change(text(name)) })],
    ),
  ]),
  // The signed files are changed, replaced or removed.
  ...FILES.flatMap((name): Tampering[] =>
    [JSON_FILE, LINES_FILE]
      .filter((file) => file === JSON_FILE || ["report.json", "history.ndjson"].includes(name))
      .flatMap((file): Tampering[] => [
        [`${file}: ${name} longer`, () => judged(file, { [name]: `${text(name)} ` })],
        [`${file}: ${name} shorter`, () => judged(file, { [name]: text(name).slice(0, -1) })],
        [`${file}: ${name} empty`, () => judged(file, { [name]: "" })],
        [`${file}: ${name} gone`, () => judged(file, { [name]: null })],
      ]),
  ),
  ...[JSON_FILE, LINES_FILE].flatMap((name): Tampering[] => [
    [
      `${name}: the report of another certificate`,
      () => judged(name, { "report.json": text("report.json", other) }),
    ],
    [`${name}: swapped for that of another`, () => judged(name, { [name]: text(name, other) })],
    [`${name}: no key is trusted`, () => judged(name, beside(), { publicKeys: [] })],
    [
      `${name}: keys of somebody else alone are trusted`,
      () => judged(name, {}, { publicKeys: [outsider.ed25519.publicKey, outsider.p256.publicKey] }),
    ],
    [
      `${name}: signed by somebody else, with their keys beside it`,
      () => judgeFile(join(strange, name), { publicKeys }),
    ],
    [`${name}: after its end`, () => judged(name, {}, { now: new Date(Date.now() + 11 * DAY) })],
    [`${name}: revoked`, () => judged(name, {}, { statusList: listOf(text("report.json")) })],
    [`${name}: a status list of somebody else`, () => judged(name, {}, { statusList: listOf("", outsider) })],
    [`${name}: a status list that was cut`, () => judged(name, {}, { statusList: listOf("").slice(0, -9) })],
    [`${name}: an empty status list`, () => judged(name, {}, { statusList: "" })],
    [`${name}: attestations for a status list`, () => judged(name, {}, { statusList: `${lines()[0]}\n` })],
  ]),
];

/** The file of attestations, with both statements signed with this key. */
function resealed(key: ReturnType<typeof createPrivateKey>): string {
  return [0, 1].map((index) => `${sealed(PAYLOAD_TYPE, payload(index), key)}\n`).join("");
}

function beside(): Record<string, string> {
  return { "certificate.pub.pem": keys.ed25519.publicKey, "certificate.intoto.pub.pem": keys.p256.publicKey };
}

function listOf(report: string, signer: SignedWith = keys): string {
  const at = new Date().toISOString();
  const list = {
    schemaVersion: 1 as const,
    updatedAt: at,
    revoked: [{ report: sha256(Buffer.from(report)), reason: "A fault.", revokedAt: at }],
  };
  return statusListText(list, createPrivateKey(signer.p256.privateKey));
}

describe("verify", () => {
  test.each([JSON_FILE, LINES_FILE])("accepts %s unchanged, with an honest status list", (name) => {
    expect(judged(name)).toMatchObject({ status: "valid", genuine: true, trusted: true });
    const statusList = listOf("another report");
    expect(judged(name, {}, { statusList })).toMatchObject({ status: "valid", trusted: true });
  });

  test("detects more than 200 kinds of tampering", () => {
    expect(tamperings.length).toBeGreaterThanOrEqual(200);
    expect(new Set(tamperings.map(([name]) => name)).size).toBe(tamperings.length);
  });

  test.each(tamperings)("refuses %s", (_, judge) => {
    const { status, trusted } = judge();
    expect(status).not.toBe("valid");
    expect(trusted).toBe(false);
  });

  test.each([JSON_FILE, LINES_FILE])("refuses %s with any one byte changed, added or removed", (name) => {
    const bytes = readFileSync(join(good, name));
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom(0, 1, 2),
        (at, by, how) => {
          const other = Buffer.from([(bytes[at] ?? 0) ^ by]);
          const parts = [
            bytes.subarray(0, at + (how === 1 ? 1 : 0)),
            ...(how === 2 ? [] : [other]),
            bytes.subarray(at + 1),
          ];
          const changed = Buffer.concat(parts);
          const place = mkdtempSync(join(folder, "byte-"));
          for (const file of [...FILES, JSON_FILE]) copyFileSync(join(good, file), join(place, file));
          writeFileSync(join(place, name), changed);
          const { trusted } = judgeFile(join(place, name), { publicKeys });
          rmSync(place, { recursive: true });
          expect(trusted).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});
