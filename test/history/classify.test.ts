import { describe, expect, test } from "vitest";
import { bodyOf } from "../../history/body.ts";
import type { Classification } from "../../history/classification.ts";
import type { Credential } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import { classify } from "../../history/request-faults/classify.ts";
import { ALL_GOOD, type Known } from "../../history/request-faults/known.ts";
import type { JsonObject } from "../../spec/json.ts";
import { documentCopy, objectAt, operation, spec, specOf } from "../spec/package-spec.ts";
import { parcelsDocument } from "../suites/parcels-edition.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

interface Change {
  body?: unknown;
  /** A body as text, for one that is not valid JSON. Takes the place of `body`. */
  text?: string;
  query?: [string, string][];
  space?: string | null;
  version?: string;
  key?: string | null;
  type?: string | null;
  scheme?: string;
  credential?: Credential["kind"];
}

const ACCOUNT = { name: "Till", currency: "GHS" };
const WEBHOOK = { name: "Hook", url: "https://example.com/in", events: null };

/** The classification of a valid request to an operation after these changes. */
function classified(key: string, change: Change = {}, known?: Known): Classification {
  const one = operation(key);
  const { body, text = body === undefined ? null : JSON.stringify(body), query = [] } = change;
  const { space = one.space ? "spc-1" : null, version = null, type = "application/json" } = change;
  const { key: idempotencyKey = one.idempotencyKey ? "key-1" : null } = change;
  const headers: [string, string][] = [["authorization", `${change.scheme ?? "Bearer"} t`]];
  if (type !== null) headers.push(["content-type", type]);
  if (idempotencyKey !== null) headers.push(["idempotency-key", idempotencyKey]);
  const kind = change.credential ?? "token";
  return classify(
    spec,
    {
      operation: one,
      path: one.pathParameter ? { [one.pathParameter.name]: "id-1" } : {},
      version,
      space,
      credential: { kind, token: kind === "token" ? "token 1" : null },
      request: { method: one.method, url: "", query, headers, body: text === null ? null : bodyOf(text) },
    },
    known,
  );
}

/** The faults as `REQUIREMENT place constraint`, and the doubts as `? place behaviour`. */
function found({ faults, doubts }: Classification): string[] {
  return [
    ...faults.map(({ requirement, place, constraint }) => `${requirement} ${place} ${constraint}`),
    ...doubts.map(({ place, behaviour }) => `? ${place} ${behaviour}`),
  ];
}

describe("parameters and headers", () => {
  test.each<[key: string, change: Change, found: string[]]>([
    ["GET /webhooks", {}, []],
    ["GET /webhooks", { credential: "none" }, ["AUTH-MISSING header/authorization credential"]],
    ["GET /webhooks", { credential: "bare" }, ["AUTH-BARE-TOKEN header/authorization credential"]],
    ["GET /webhooks", { space: null }, ["SPACE-MISSING header/service-space-id required"]],
    ["GET /webhooks", { space: "" }, ["SPACE-MISSING header/service-space-id required"]],
    ["GET /webhooks", { space: "own-1" }, ["SPACE-PATTERN header/service-space-id pattern"]],
    ["GET /webhooks", { space: `spc-${"1".repeat(97)}` }, ["SPACE-LENGTH header/service-space-id maxLength"]],
    [
      "GET /v1/ussd-otps",
      { space: `spc-${"1".repeat(61)}` },
      ["SPACE-LENGTH header/service-space-id maxLength"],
    ],
    ["GET /webhooks", { version: "caph.2025-08-23" }, []],
    ["GET /webhooks", { version: "2024-08-01" }, ["VERSION-UNKNOWN header/service-version enum"]],
    ["GET /webhooks", { version: "" }, ["? header/service-version emptyVersion"]],
    ["GET /webhooks", { query: [["limit", "51"]] }, ["LIST-LIMIT-REJECTED query/limit maximum"]],
    ["GET /webhooks", { query: [["limit", "ten"]] }, ["LIST-LIMIT-REJECTED query/limit type"]],
    ["GET /webhooks", { query: [["limit", "05"]] }, ["? query/limit unusualNumbers"]],
    ["GET /webhooks", { query: [["limit", ""]] }, ["? query/limit emptyParameters"]],
    [
      "GET /webhooks",
      {
        query: [
          ["limit", "5"],
          ["limit", "6"],
        ],
      },
      ["? query/limit repeatedParameters"],
    ],
    ["GET /webhooks", { query: [["colour", "red"]] }, ["? query/colour null"]],
    ["GET /webhooks", { query: [["after", "w".repeat(101)]] }, ["CURSOR-TOO-LONG query/after maxLength"]],
    ["GET /v1/payment-codes", { query: [["mode", "sometimes"]] }, ["FILTER-ENUM query/mode enum"]],
    ["GET /banks", {}, ["PARAMETER-REQUIRED query/country required"]],
    ["GET /banks", { query: [["country", "GHA"]] }, ["PARAMETER-INVALID query/country maxLength"]],
    ["GET /banks", { query: [["country", "gh"]] }, ["? query/country brokenParameter"]],
    ["POST /webhooks", { body: WEBHOOK, key: null }, ["KEY-MISSING header/idempotency-key required"]],
    ["POST /webhooks", { body: WEBHOOK, key: "" }, ["KEY-EMPTY header/idempotency-key required"]],
    [
      "POST /webhooks",
      { body: WEBHOOK, key: "k".repeat(65) },
      ["KEY-TOO-LONG header/idempotency-key maxLength"],
    ],
  ])("%s %j: %j", (key, change, expected) => {
    expect(found(classified(key, change))).toEqual(expected);
  });
});

describe("bodies", () => {
  const accounts = "POST /v1/financial-accounts";
  const codes = "PATCH /payment-codes/{id}";
  test.each<[key: string, change: Change, found: string[]]>([
    [accounts, { body: ACCOUNT }, []],
    [accounts, { text: "{" }, ["CREATE-MALFORMED body json"]],
    [accounts, {}, ["CREATE-MALFORMED body json"]],
    [codes, {}, ["? body null"]],
    [accounts, { body: null, text: "null" }, ["CREATE-NULL-BODY body null"]],
    [accounts, { body: [ACCOUNT] }, ["CREATE-NOT-OBJECT body type"]],
    [accounts, { body: ACCOUNT, type: "text/plain" }, ["CREATE-TEXT-PLAIN header/content-type content-type"]],
    [
      accounts,
      { text: "name=Till", type: "application/x-www-form-urlencoded" },
      ["CREATE-FORM-DATA header/content-type content-type"],
    ],
    [accounts, { body: ACCOUNT, type: null }, ["? header/content-type missingContentType"]],
    [accounts, { body: { currency: "GHS" } }, ["CREATE-REQUIRED body/name required"]],
    [accounts, { body: { ...ACCOUNT, name: 7 } }, ["CREATE-TYPE body/name type"]],
    [accounts, { body: { ...ACCOUNT, name: null } }, ["CREATE-NULL body/name null"]],
    [accounts, { body: { ...ACCOUNT, reference: null } }, []],
    [accounts, { body: { ...ACCOUNT, metadata: null } }, ["CREATE-NULL-OPTIONAL body/metadata null"]],
    [accounts, { body: { ...ACCOUNT, name: "n".repeat(101) } }, ["CREATE-TOO-LONG body/name maxLength"]],
    [accounts, { body: { ...ACCOUNT, currency: "ZZZ" } }, ["CREATE-CURRENCY body/currency format"]],
    [accounts, { body: { ...ACCOUNT, currency: "ghs" } }, ["? body/currency lowerCaseCodes"]],
    [accounts, { body: { ...ACCOUNT, name: "" } }, ["? body/name emptyTexts"]],
    [accounts, { body: { ...ACCOUNT, name: "a\tb" } }, ["? body/name awkwardValues"]],
    [accounts, { body: { ...ACCOUNT, name: "é".repeat(60) } }, ["? body/name countsCharactersAs"]],
    [accounts, { body: { ...ACCOUNT, colour: "red" } }, ["? body/colour unknownBodyFields"]],
    [accounts, { body: { ...ACCOUNT, metadata: { deep: { er: 1 } } } }, ["? body/metadata awkwardValues"]],
    [
      accounts,
      { body: { name: 7, currency: "ghs" } },
      ["CREATE-TYPE body/name type", "? body/currency lowerCaseCodes"],
    ],
    ["POST /webhooks", { body: WEBHOOK }, []],
    ["POST /webhooks", { body: { ...WEBHOOK, name: "" } }, ["CREATE-TOO-SHORT body/name minLength"]],
    ["POST /webhooks", { body: { ...WEBHOOK, events: [] } }, ["CREATE-TOO-FEW body/events minItems"]],
    [
      "POST /webhooks",
      { body: { ...WEBHOOK, alertEmails: [null] } },
      ["CREATE-TYPE body/alertEmails/0 null"],
    ],
    ["POST /webhooks", { body: { ...WEBHOOK, url: "nowhere" } }, ["CREATE-URL body/url format"]],
    [
      "POST /webhooks",
      { body: { ...WEBHOOK, verificationMethod: {} } },
      ["? body/verificationMethod/hmac256 brokenField"],
    ],
    ["PATCH /webhooks/{id}", { body: { name: "b" } }, ["UPDATE-REQUIRED body/url required"]],
    ["PATCH /webhooks/{id}", { body: { url: "nowhere" } }, ["? body/url brokenField"]],
    [codes, { body: {} }, []],
    [codes, { body: { status: "pending" } }, ["UPDATE-INVALID body/status enum"]],
    [codes, { body: { status: "cancelled" } }, []],
    [
      codes,
      { body: { allowedProviders: Array(11).fill("p") } },
      ["UPDATE-TOO-MANY body/allowedProviders maxItems"],
    ],
  ])("%s %j: %j", (key, change, expected) => {
    expect(found(classified(key, change))).toEqual(expected);
  });
});

test.each<[key: string, change: Change, what: string, requirement: string]>([
  ["PATCH /payment-codes/{id}", { body: {} }, "no-field", "UPDATE-EMPTY"],
  ["POST /webhooks", { body: WEBHOOK, type: "application/json; charset=utf-8" }, "charset", "CREATE-CHARSET"],
  ["GET /webhooks", { scheme: "bearer" }, "scheme-case", "AUTH-SCHEME-CASE"],
])("%s %j is valid, with the feature %s", (key, change, what, requirement) => {
  expect(classified(key, change)).toEqual({
    kind: "valid",
    faults: [],
    doubts: [],
    features: [{ what, requirement }],
  });
});

describe("classes of other requests", () => {
  const wrong = (change: Partial<Known>): Known => ({ ...ALL_GOOD, ...change });
  test.each<[key: string, change: Change, known: Known, found: string[]]>([
    ["GET /webhooks", {}, wrong({ space: () => "wrong" }), ["SPACE-UNKNOWN header/service-space-id unknown"]],
    [
      "GET /webhooks",
      {},
      wrong({ space: () => ({ open: "longUnknownSpace" }) }),
      ["? header/service-space-id longUnknownSpace"],
    ],
    [
      "GET /webhooks",
      { query: [["after", "w9"]] },
      wrong({ cursor: () => "wrong" }),
      ["CURSOR-UNKNOWN query/after unknown"],
    ],
    ["GET /payouts/{id}", {}, wrong({ id: () => "wrong" }), ["READ-UNKNOWN path/id unknown"]],
    ["PATCH /payouts/{id}", { body: {} }, wrong({ id: () => "wrong" }), ["UPDATE-UNKNOWN path/id unknown"]],
    [
      "POST /webhooks",
      { body: WEBHOOK },
      wrong({ key: () => "wrong" }),
      ["KEY-OTHER-BODY header/idempotency-key used-with-another-body"],
    ],
    [
      "POST /v1/financial-accounts",
      { body: { ...ACCOUNT, reference: "r1" } },
      wrong({ uniqueValue: () => "wrong" }),
      ["UNIQUE-REJECTED body/reference taken"],
    ],
  ])("%s %j", (key, change, known, expected) => {
    const classification = classified(key, change, known);
    expect(found(classification)).toEqual(expected);
    if (classification.kind === "faulty") expect(classification.faults[0]?.basis).toBe("history");
  });
});

test("an operation without a documented request has faults of its credentials only", () => {
  expect(classified("POST /v1/payments", { body: 7, credential: "none" })).toMatchObject({
    kind: "undocumented",
    faults: [{ requirement: "AUTH-MISSING" }],
  });
  expect(classified("POST /v1/payments", { body: 7 })).toEqual({
    kind: "undocumented",
    faults: [],
    doubts: [],
    features: [],
  });
});

test("the answer to a create makes its id known, whatever the name of the id, and without a list", () => {
  const document = parcelsDocument();
  const paths = document.paths as Record<string, Record<string, JsonObject>>;
  delete paths["/v1/parcels"]?.get;
  const read = paths["/v1/parcels/{parcelKey}"]?.get ?? {};
  delete read["x-same-record"];
  const edition = specOf(document);
  const made = (key: string) =>
    new HistoryBuilder(edition)
      .answers("POST /v1/parcels", { result: { key } }, { sent: { title: "ab", kind: "box" }, key: "k1" })
      .answers("PATCH /v1/parcels/{parcelKey}", { result: { key } }, { path: "p1", sent: { title: "cd" } });
  const last = ({ entries }: HistoryBuilder) => {
    const { answers } = new History(edition, HEAD, entries);
    return entries.slice(-1).map((entry) => answers.classification(entry).kind);
  };
  expect(last(made("p1"))).toEqual(["valid"]);
  expect(last(made("p2"))).toEqual(["faulty"]);
});

test("a text that is long enough in bytes alone is no fault", () => {
  const document = documentCopy();
  const body = objectAt(document, "paths", "/webhooks", "post", "requestBody", "content", "application/json");
  objectAt(body, "schema", "properties", "name").minLength = 4;
  const edition = specOf(document);
  const foundWith = (name: string) => {
    const { entries } = new HistoryBuilder(edition).creates("w1", { ...WEBHOOK, name }, { key: "key-1" });
    const { answers } = new History(edition, HEAD, entries);
    return entries.flatMap((entry) => found(answers.classification(entry)));
  };
  expect(foundWith("\u{1F60E}".repeat(3))).toEqual(["? body/name countsCharactersAs"]);
  expect(foundWith("abc")).toEqual(["CREATE-TOO-SHORT body/name minLength"]);
});
