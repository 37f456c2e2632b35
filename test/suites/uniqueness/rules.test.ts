import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { isObject, type JsonObject, valueAt } from "../../../spec/json.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import type { Spec } from "../../../spec/model/spec.ts";
import { uniquenessRules } from "../../../suites/uniqueness/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, spec, specOf } from "../../spec/package-spec.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const ACCOUNTS = "POST /v1/financial-accounts";
const checks = uniquenessRules(spec);
const head = { ...HEAD, spaces: ["spc-main", "spc-second"] };
const history = () =>
  new HistoryBuilder(spec, {
    create: "createFinancialAccount",
    update: "updatePaymentCode",
    list: "listPaymentCodes",
  });
/** A body whose name contains the run tag and the number `n`. */
const body = (n: number, more = {}) => ({ name: `pc-test-${n}`, currency: "XAF", ...more });
const refused = (key: string) => ({ key, status: 409 });

function judge(past: HistoryBuilder, requirement: string, detail = "reference"): RuleResult {
  const check = checks.find(({ id }) => id === `uniqueness/${requirement} ${ACCOUNTS} ${detail}`);
  if (!check) throw new Error(`there is no check of ${requirement}`);
  return check.verdict(new History(spec, head, past.entries));
}

describe("a value that is taken", () => {
  const taken = () => history().creates("a1", body(1, { reference: "r1" }), { key: "k1" });

  test("is rejected", () => {
    const past = taken().creates("", body(2, { reference: "r1" }), refused("k2"));
    expect(judge(past, "UNIQUE-REJECTED")).toMatchObject({ outcome: "held", times: 1 });
  });

  test("must not be accepted under another key", () => {
    const past = taken().creates("a2", body(2, { reference: "r1" }), { key: "k2" });
    expect(judge(past, "UNIQUE-REJECTED")).toMatchObject({
      violations: [{ certainty: "proven", expected: "a rejection: reference is taken by a1" }],
    });
  });

  test("is not taken by a call that got an earlier resource", () => {
    const past = taken()
      .creates("a1", body(2, { reference: "r2" }), { key: "k1", shown: { reference: "r1" } })
      .creates("a2", body(3, { reference: "r2" }), { key: "k3" });
    expect(judge(past, "UNIQUE-REJECTED")).toMatchObject({ reason: "no-data" });
  });

  test("may be sent again with its key, and in another space", () => {
    const past = taken()
      .creates("a1", body(1, { reference: "r1" }), { key: "k1" })
      .creates("a2", body(2, { reference: "r1" }), { key: "k2", space: "spc-second" });
    expect(judge(past, "UNIQUE-REJECTED")).toMatchObject({ reason: "no-data" });
    expect(judge(past, "UNIQUE-PER-SPACE")).toMatchObject({ outcome: "held", times: 1 });
  });

  test("must not be rejected in another space that accepts others", () => {
    const past = taken().creates("", body(2, { reference: "r1" }), { ...refused("k2"), space: "spc-second" });
    expect(judge(past, "UNIQUE-PER-SPACE")).toMatchObject({ reason: "no-data" });
    past.creates("a2", body(2, { reference: "r3" }), { key: "k3", space: "spc-second" });
    expect(judge(past, "UNIQUE-PER-SPACE")).toMatchObject({ violations: [{ actual: "status 409" }] });
  });
});

describe("simultaneous creates with one value", () => {
  const first = () => history().creates("a1", body(1, { reference: "r1" }), { key: "k1" });

  test("keep the rule if one is accepted", () => {
    const past = first().creates("", body(2, { reference: "r1" }), { ...refused("k2"), beside: true });
    expect(judge(past, "UNIQUE-PARALLEL")).toMatchObject({ outcome: "held", times: 1 });
  });

  test("must not both be accepted, unless a second use after the first is accepted, too", () => {
    const past = first().creates("a2", body(2, { reference: "r1" }), { key: "k2", beside: true });
    expect(judge(past, "UNIQUE-PARALLEL")).toMatchObject({ violations: [{ certainty: "proven" }] });
    expect(judge(past, "UNIQUE-REJECTED")).toMatchObject({ outcome: "not-exercised" });
    past.creates("a3", body(3, { reference: "r1" }), { key: "k3" });
    expect(judge(past, "UNIQUE-PARALLEL")).toMatchObject({ reason: "control-rejected" });
  });
});

describe("a value that is left out or null", () => {
  test.each([
    ["reference", {}],
    ["reference null", { reference: null }],
  ])("may be repeated: %s", (detail, without) => {
    const past = history().creates("a1", body(1, without), { key: "k1" });
    expect(judge(past, "UNIQUE-OPTIONAL", detail)).toMatchObject({ outcome: "not-exercised" });
    past.creates("a2", body(2, without), { key: "k2" });
    expect(judge(past, "UNIQUE-OPTIONAL", detail)).toMatchObject({ outcome: "held", times: 2 });
  });

  test("must not be rejected if the same create with a value is accepted", () => {
    const past = history().creates("a1", body(1), { key: "k1" }).creates("", body(2), refused("k2"));
    past.creates("a3", body(3, { reference: "r3" }), { key: "k3" });
    expect(judge(past, "UNIQUE-OPTIONAL")).toMatchObject({ outcome: "not-exercised" });
    past.creates("a2", body(2, { reference: "r2" }), { key: "k4" });
    expect(judge(past, "UNIQUE-OPTIONAL")).toMatchObject({ violations: [{ actual: "status 409" }] });
  });
});

describe("the texts of another resource", () => {
  const detail = "texts of another one";
  const first = () => history().creates("a1", body(1), { key: "k1" });

  test("are accepted", () => {
    const past = first().creates("a2", body(1), { key: "k2" });
    expect(judge(past, "UNIQUE-NO-OTHERS", detail)).toMatchObject({ outcome: "held", times: 1 });
  });

  test("must not be rejected if other texts are accepted", () => {
    const past = first().creates("", body(1), refused("k2"));
    expect(judge(past, "UNIQUE-NO-OTHERS", detail)).toMatchObject({ outcome: "not-exercised" });
    past.creates("a2", body(2), { key: "k3" });
    expect(judge(past, "UNIQUE-NO-OTHERS", detail)).toMatchObject({ violations: [{ actual: "status 409" }] });
  });
});

test("values in other casing, and empty ones, are recorded", () => {
  const past = history()
    .creates("a1", body(1, { reference: "r1" }), { key: "k1" })
    .creates("", body(2, { reference: "R1" }), refused("k2"))
    .creates("a3", body(3, { reference: "" }), { key: "k3" })
    .creates("a4", body(4, { reference: "" }), { key: "k4" });
  const spelling = (words: string) => judge(past, "UNIQUE-SPELLING", `reference ${words}`);
  expect(spelling("in other casing")).toMatchObject({ notes: [{ answer: { statuses: [200, 409] } }] });
  expect(spelling("empty twice")).toMatchObject({ notes: [{ answer: { statuses: [200, 200] } }] });
  expect(judge(past, "UNIQUE-REJECTED")).toMatchObject({ reason: "no-data" });
});

test("how a second value in other casing is treated is seen in an answer that is about the request", () => {
  const past = history()
    .creates("a1", body(1, { reference: "r1" }), { key: "k1" })
    .creates("", body(2, { reference: "R1" }), { key: "k2", status: 429 });
  expect(judge(past, "UNIQUE-SPELLING", "reference in other casing")).toMatchObject({ reason: "no-data" });
  past.creates("a2", body(2, { reference: "R1" }), { key: "k2" });
  expect(judge(past, "UNIQUE-SPELLING", "reference in other casing")).toMatchObject({
    notes: [{ answer: { statuses: [200, 200] } }],
  });
});

describe("an action that sets a unique value", () => {
  const document = documentCopy();
  const paths = document.paths as Record<string, Record<string, JsonObject>>;
  const { "x-read-back": _, ...rename } = structuredClone(paths["/webhooks/{id}"]?.patch ?? {});
  const RENAME = "/webhooks/{id}/rename";
  paths[RENAME] = { post: { ...rename, operationId: "renameWebhook" } };
  const unique = { type: "string", "x-unique": { scope: "space" } };
  for (const [path, method] of [
    ["/webhooks", "post"],
    [RENAME, "post"],
  ] as const) {
    const at = "/requestBody/content/application~1json/schema/properties";
    Object.assign(valueAt(paths[path]?.[method], at) as JsonObject, { name: unique });
  }
  const edition = specOf(document);
  const url = "https://a.example/x";
  const renames = (past: HistoryBuilder, id: string, name: string) =>
    past.answers(`POST ${RENAME}`, { result: { id, name } }, { path: id, sent: { url, name } });
  const made = (past: HistoryBuilder, id: string, name: string) =>
    past.answers(
      "POST /webhooks",
      { result: { id, name } },
      { sent: { url, name, events: null }, key: `key-${id}` },
    );
  const outcome = ({ entries }: HistoryBuilder, at: string) =>
    uniquenessRules(edition)
      .find(({ id }) => id === `uniqueness/UNIQUE-REJECTED POST ${at} name`)
      ?.verdict(new History(edition, HEAD, entries)).outcome;
  const start = () => new HistoryBuilder(edition);

  test("may give it to a resource that has it, but to no other", () => {
    const first = () => renames(start(), "w1", "a");
    expect(outcome(renames(first(), "w1", "a"), RENAME)).toBe("not-exercised");
    expect(outcome(renames(first(), "w2", "a"), RENAME)).toBe("violated");
    expect(outcome(renames(renames(first(), "w1", "b"), "w2", "a"), RENAME)).toBe("not-exercised");
  });

  test("frees the value that the create sent", () => {
    expect(outcome(made(made(start(), "w1", "a"), "w2", "a"), "/webhooks")).toBe("violated");
    const freed = renames(made(start(), "w1", "a"), "w1", "b");
    expect(outcome(made(freed, "w2", "a"), "/webhooks")).toBe("not-exercised");
  });
});

test("simultaneous creates without keys keep the rule if one is accepted", () => {
  const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
  const create = "POST /stage/plays/{play}/nights";
  const sent = { slot: "N01:ab", doors: "19:00:00Z", price: 10 };
  const more = { space: "venue", path: "p1", sent };
  const past = new HistoryBuilder(theatre)
    .answers(create, { result: { slot: "N01:ab" } }, more)
    .answers(create, {}, { ...more, status: 409, beside: true });
  const check = uniquenessRules(theatre).find(({ id }) => id === `uniqueness/UNIQUE-PARALLEL ${create} slot`);
  const judged = check?.verdict(new History(theatre, { ...HEAD, spaces: ["venue"] }, past.entries));
  expect(judged).toMatchObject({ outcome: "held", times: 1 });
});

test("a value stays taken after a PUT that does not take it", () => {
  const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
  const document = parse(readFileSync("test/editions/theatre/openapi.yaml", "utf8"));
  if (!isObject(document)) throw new Error("no document");
  const play = objectAt(document, "paths", "/stage/plays/{play}");
  const { "x-read-back": _, ...revision } = objectAt(play, "patch");
  play.put = { ...revision, operationId: "replacePlay", "x-read-back": { read: "getPlay" } };
  const edition = specOf(document);
  const create = "POST /stage/plays";
  const more = { space: "venue" };
  const outcome = (from: Spec, update: string) => {
    const past = new HistoryBuilder(from)
      .answers(create, { result: { id: "p1" } }, { ...more, sent: { register: "TH-0001-A" } })
      .answers(update, { result: { id: "p1" } }, { ...more, path: "p1", sent: { title: "a" } })
      .answers(create, { result: { id: "p2" } }, { ...more, sent: { register: "TH-0001-A" } });
    const check = uniquenessRules(from).find(
      ({ id }) => id === `uniqueness/UNIQUE-REJECTED ${create} register`,
    );
    return check?.verdict(new History(from, { ...HEAD, spaces: ["venue"] }, past.entries)).outcome;
  };
  expect(outcome(theatre, "PATCH /stage/plays/{play}")).toBe("violated");
  expect(outcome(edition, "PUT /stage/plays/{play}")).toBe("violated");
  objectAt(document, "components", "requestBodies", "Revision", "content", "application/json").schema = {
    type: "object",
    properties: { title: { type: "string" }, register: { type: "string" } },
  };
  expect(outcome(specOf(document), "PUT /stage/plays/{play}")).not.toBe("violated");
});

test("the accepted use of one taken value is no use of another unique field", () => {
  const document = documentCopy();
  const place =
    "/paths/~1v1~1financial-accounts/post/requestBody/content/application~1json/schema/properties";
  Object.assign(valueAt(document, `${place}/description`) as JsonObject, { "x-unique": { scope: "space" } });
  const edition = specOf(document);
  const names = { create: "createFinancialAccount", update: "updatePaymentCode", list: "listPaymentCodes" };
  const unique = (n: number, more = {}) => body(n, { reference: `r${n}`, description: `d${n}`, ...more });
  const past = new HistoryBuilder(edition, names)
    .creates("a1", unique(1), { key: "k1" })
    .creates("a2", unique(2, { reference: "r1" }), { key: "k2" })
    .creates("", unique(3, { description: "d1" }), refused("k3"));
  const outcome = (field: string) =>
    uniquenessRules(edition)
      .find(({ id }) => id === `uniqueness/UNIQUE-REJECTED ${ACCOUNTS} ${field}`)
      ?.verdict(new History(edition, head, past.entries)).outcome;
  expect(outcome("reference")).toBe("violated");
  expect(outcome("description")).toBe("held");
});

describe("an update that takes a unique value", () => {
  const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
  const [enrol, rename] = ["POST /stage/patrons", "PUT /stage/patrons/{number}/nick"];
  const at = { space: "3f0a1c52-6f0e-4d8f-8a53-6d1f1f1a7b10" };
  const enrolled = (past: HistoryBuilder, number: number, nick: string) =>
    past.answers(enrol, { result: { number, nick } }, { ...at, sent: { name: "a", nick, level: "guest" } });
  const renamed = (past: HistoryBuilder, number: number, nick: string, status = 200) =>
    past.answers(rename, { result: { number, nick } }, { ...at, path: `${number}`, sent: { nick }, status });
  const start = () => enrolled(enrolled(new HistoryBuilder(theatre), 1, "abcd"), 2, "cdef");
  const judge = ({ entries }: HistoryBuilder, key = rename) =>
    uniquenessRules(theatre)
      .find(({ id }) => id === `uniqueness/UNIQUE-REJECTED ${key} nick`)
      ?.verdict(new History(theatre, { ...HEAD, spaces: [at.space] }, entries));
  const outcome = (past: HistoryBuilder) => judge(past)?.outcome;
  const proven = { outcome: "violated", violations: [{ certainty: "proven" }] };

  test("must be rejected if another resource has it", () => {
    const valid = () => renamed(start(), 2, "efgh");
    expect(judge(renamed(valid(), 2, "abcd"))).toMatchObject(proven);
    expect(outcome(renamed(valid(), 2, "abcd", 409))).toBe("held");
  });

  test("may give a resource the value that it has, or one that is free again", () => {
    expect(outcome(renamed(start(), 2, "cdef"))).toBe("not-exercised");
    expect(outcome(renamed(renamed(start(), 1, "efgh"), 2, "abcd"))).toBe("not-exercised");
  });

  test("takes it, so that a create with it must be rejected", () => {
    expect(judge(enrolled(renamed(start(), 2, "efgh"), 3, "efgh"), enrol)).toMatchObject(proven);
  });
});
