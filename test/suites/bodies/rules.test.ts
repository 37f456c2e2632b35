import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { type JsonObject, valueAt } from "../../../spec/json.ts";
import { bodyRules } from "../../../suites/bodies/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, spec, specOf } from "../../spec/package-spec.ts";

const HOOKS = "POST /webhooks";
const CODE = "PATCH /payment-codes/{id}";
const checks = bodyRules(spec);
const valid = { name: "a", url: "https://example.com/a", events: null };
const ACCOUNT = { name: "a", currency: "XAF" };
const ACCOUNTS = { create: "createFinancialAccount", update: "", list: "listFinancialAccounts" };
const KEYED = { key: "key-1" };
const history = () => new HistoryBuilder(spec).creates("w1", valid, KEYED);

function judge(past: HistoryBuilder, name: string): RuleResult {
  const check = checks.find(({ id }) => id === `bodies/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

const made = (sent: JsonObject) => ({ success: true, messages: [], result: { ...sent, id: "w2" } });
const rejected = (sent: JsonObject | string) => ["", { sent, status: 400, key: "key-2" }] as const;

describe("a body that breaks a rule of a field", () => {
  const name = `CREATE-TOO-LONG ${HOOKS} body/name maxLength`;
  const long = { ...valid, name: "a".repeat(101) };

  test("keeps the rule if it is rejected, whoever sent it, and for no other field", () => {
    const past = history().answers(HOOKS, ...rejected(long));
    expect(judge(past, name)).toMatchObject({ outcome: "held", times: 1 });
    expect(judge(past, `CREATE-TOO-SHORT ${HOOKS} body/name minLength`)).toMatchObject({ reason: "no-data" });
  });

  test("is a violation if it is accepted", () => {
    expect(judge(history().answers(HOOKS, made(long), { sent: long, key: "key-2" }), name)).toMatchObject({
      violations: [{ expected: expect.stringContaining("to be rejected"), actual: "status 200" }],
    });
  });

  test("counts beside values that were accepted under another version, and never beside others", () => {
    const mails = { ...valid, alertEmails: ["unheard-of@example.com"] };
    const older = { version: "caph.2025-06-20", key: "key-3" };
    const broken = () => rejected({ ...mails, name: "a".repeat(101) });
    const past = history().answers(HOOKS, made(mails), { sent: mails, ...older });
    expect(judge(past.answers(HOOKS, ...broken()), name)).toMatchObject({ outcome: "held" });
    expect(judge(history().answers(HOOKS, ...broken()), name)).toMatchObject({ reason: "control-rejected" });
  });

  test("proves nothing if it has another fault, or if nothing is accepted", () => {
    const both = history().answers(HOOKS, ...rejected({ ...long, isActive: "yes" }));
    expect(judge(both, name)).toMatchObject({ reason: "no-data" });
    const alone = new HistoryBuilder(spec).answers(HOOKS, ...rejected(long));
    expect(judge(alone, name)).toMatchObject({ reason: "control-rejected" });
  });

  test("counts if it also has a value that only the service knows, but not if it breaks an open rule, too", () => {
    const past = new HistoryBuilder(spec).creates("w1", { ...valid, events: ["unheard.of"] }, KEYED);
    const [few, type] = [
      `CREATE-TOO-FEW ${HOOKS} body/events minItems`,
      `CREATE-TYPE ${HOOKS} body/url type`,
    ];
    expect(judge(past.answers(HOOKS, ...rejected({ ...valid, events: [] })), few)).toMatchObject({
      outcome: "held",
    });
    const open = new HistoryBuilder(spec).creates("w1", { ...valid, url: "nowhere" }, KEYED);
    expect(judge(open.answers(HOOKS, ...rejected({ ...valid, url: 7 })), type)).toMatchObject({
      reason: "control-rejected",
    });
  });

  test("with an element of a wrong type counts for the list", () => {
    const past = history().answers(HOOKS, ...rejected({ ...valid, events: [7] }));
    expect(judge(past, `CREATE-TYPE ${HOOKS} body/events type`)).toMatchObject({ outcome: "held" });
  });

  test("is noted if the specification leaves it open", () => {
    const past = history().answers(HOOKS, ...rejected({ ...valid, verificationMethod: { hmac256: null } }));
    expect(judge(past, `CREATE-OPEN-VALUES ${HOOKS} body/verificationMethod/hmac256 null`)).toMatchObject({
      notes: [{ field: "verificationMethod/hmac256", answer: { status: 400 } }],
    });
  });
});

describe("null for an optional field", () => {
  const name = `CREATE-NULL ${HOOKS} body/isActive null`;
  const withNull = { ...valid, isActive: null };
  const taken = (shown: JsonObject) =>
    history().answers(HOOKS, made({ ...withNull, ...shown }), { sent: withNull, key: "key-2" });

  test("may be rejected", () => {
    expect(judge(history().answers(HOOKS, ...rejected(withNull)), name)).toMatchObject({ outcome: "held" });
  });

  test("may be treated as a field that is left out, which is worth a warning", () => {
    const past = new HistoryBuilder(spec).creates("w1", valid, { ...KEYED, shown: { isActive: false } });
    past.answers(HOOKS, made({ ...withNull, isActive: false }), { sent: withNull, key: "key-2" });
    expect(judge(past, name)).toMatchObject({ outcome: "held" });
    expect(judge(past, `CREATE-NULL-OPTIONAL ${HOOKS} body/isActive null`)).toMatchObject({
      violations: [{ expected: "null for isActive to be rejected (4xx)" }],
    });
  });

  test("may be shown neither as null nor otherwise than a field that is left out", () => {
    expect(judge(taken({ isActive: null }), name)).toMatchObject({ violations: [{ actual: "null" }] });
    expect(judge(taken({ isActive: true }), name)).toMatchObject({
      violations: [{ expected: "isActive as it is when it is left out: absent", actual: "true" }],
    });
  });

  test("in an update leaves the field as the update before left it", () => {
    const update = "UPDATE-NULL PATCH /webhooks/{id} body/metadata null";
    const fields = { url: valid.url, metadata: { a: "b" } };
    const past = history().updates("w1", fields);
    past.updates("w1", { url: valid.url, metadata: null }, { url: valid.url, metadata: {} });
    expect(judge(past, update)).toMatchObject({ violations: [{ actual: expect.stringContaining("{}") }] });
    const kept = history().updates("w1", fields).updates("w1", { url: valid.url, metadata: null }, fields);
    expect(judge(kept, update)).toMatchObject({ outcome: "held" });
  });
});

test("null in an update may set the documented default", () => {
  const document = documentCopy();
  const field =
    "/paths/~1webhooks~1{id}/patch/requestBody/content/application~1json/schema/properties/isActive";
  Object.assign(valueAt(document, field) as JsonObject, { type: "boolean", default: true });
  const edition = specOf(document);
  const check = bodyRules(edition).find(
    ({ id }) => id === "bodies/UPDATE-NULL PATCH /webhooks/{id} body/isActive null",
  );
  const { url } = valid;
  const outcome = (shown: boolean, before: boolean) => {
    const past = new HistoryBuilder(edition)
      .creates("w1", valid, KEYED)
      .updates("w1", { url, isActive: before })
      .updates("w1", { url, isActive: null }, { url, isActive: shown });
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };
  expect(outcome(true, false)).toBe("held");
  expect(outcome(false, true)).toBe("violated");
});

describe("a body that is wrong as a whole", () => {
  test.each(['{"name":"a"', "", "{,}"])("is not JSON: %s", (sent) => {
    const past = history().answers(HOOKS, ...rejected(sent));
    expect(judge(past, `CREATE-MALFORMED ${HOOKS}`)).toMatchObject({ outcome: "held" });
    expect(judge(past, `CREATE-NOT-OBJECT ${HOOKS}`)).toMatchObject({ reason: "no-data" });
  });

  test("is a violation if it is accepted, and is named in the message", () => {
    const past = history().answers(HOOKS, made(valid), { sent: "[]", key: "key-2" });
    expect(judge(past, `CREATE-NOT-OBJECT ${HOOKS}`)).toMatchObject({
      violations: [{ expected: 'the body "[]" as application/json to be rejected (4xx)' }],
    });
  });

  test("is JSON of another content type", () => {
    const past = history().answers(HOOKS, "", {
      sent: valid,
      contentType: "text/plain",
      key: "key-2",
      status: 415,
    });
    expect(judge(past, `CREATE-TEXT-PLAIN ${HOOKS}`)).toMatchObject({ outcome: "held" });
  });
});

describe("a valid body in another form", () => {
  const charset = { sent: valid, key: "key-2", contentType: "application/json; charset=utf-8" };

  test("with a charset is accepted", () => {
    const name = `CREATE-CHARSET ${HOOKS}`;
    expect(judge(history().answers(HOOKS, made(valid), charset), name)).toMatchObject({ outcome: "held" });
    expect(judge(history().answers(HOOKS, "", { ...charset, status: 415 }), name)).toMatchObject({
      violations: [{ expected: "a content type with a charset to be accepted" }],
    });
    const alone = new HistoryBuilder(spec).answers(HOOKS, "", { ...charset, status: 415 });
    expect(judge(alone, name)).toMatchObject({ outcome: "not-exercised" });
  });

  test("is not blamed for a URL that another webhook has, unless the user gave it to be sent again", () => {
    const outcomeOf = (url: string) => {
      const sent = { ...valid, url };
      const past = new HistoryBuilder(spec)
        .creates("w1", sent, KEYED)
        .updates("w1", { name: "b" })
        .answers(HOOKS, "", { ...charset, sent, status: 409 });
      return judge(past, `CREATE-CHARSET ${HOOKS}`)?.outcome;
    };
    expect(outcomeOf("https://example.com/pc-test-1")).toBe("not-exercised");
    expect(outcomeOf("https://example.com/a")).toBe("violated");
  });

  test("without a content type is noted", () => {
    const past = history().answers(HOOKS, made(valid), { ...charset, contentType: "" });
    expect(judge(past, `CREATE-NO-CONTENT-TYPE ${HOOKS}`)).toMatchObject({ outcome: "noted" });
  });

  test("without any field is accepted as an update of an own resource", () => {
    const past = new HistoryBuilder(spec);
    const shown = { success: true, messages: [], result: { id: "c1" } };
    past
      .answers(CODE, shown, { path: "c1", sent: { name: "a" } })
      .answers(CODE, "", { path: "c1", sent: {}, status: 400 });
    const head = { ...HEAD, fixtures: { mutablePaymentCode: "c1" } };
    const check = checks.find(({ id }) => id === `bodies/UPDATE-EMPTY ${CODE}`);
    expect(check?.verdict(new History(spec, head, past.entries))).toMatchObject({
      violations: [{ expected: "an update without any field to be accepted" }],
    });
  });
});

describe("a value that the specification leaves open", () => {
  const unknown = `CREATE-UNKNOWN-FIELDS ${HOOKS} a field that is not documented`;
  const empty = "CREATE-EMPTY-TEXT POST /v1/financial-accounts an empty description";
  const accounts = () => new HistoryBuilder(spec, ACCOUNTS).creates("a1", ACCOUNT, KEYED);
  const account = (sent: JsonObject, status: number) => ["", { sent, status, key: "key-2" }] as const;

  test("is noted if it was sent alone, or accepted beside others", () => {
    const past = history().answers(HOOKS, ...rejected({ ...valid, conformanceUnknown: "x" }));
    expect(judge(past, unknown)).toMatchObject({ notes: [{ answer: { status: 400 } }] });
    const both = { ...ACCOUNT, conformanceUnknown: "x", description: "" };
    const name = "POST /v1/financial-accounts";
    expect(judge(accounts().answers(name, ...account(both, 400)), empty)).toMatchObject({
      reason: "no-data",
    });
    expect(judge(accounts().answers(name, ...account(both, 200)), empty)).toMatchObject({
      notes: [{ field: "description", answer: { status: 200 } }],
    });
  });

  test("such as a text of the greatest length is noted for each field and way of counting", () => {
    const name = `CREATE-COUNTING ${HOOKS}`;
    const long = { ...valid, name: "😀".repeat(100) };
    expect(judge(history().answers(HOOKS, made(long), { sent: long, key: "key-2" }), name)).toMatchObject({
      notes: [
        { field: "name", tried: "100 astral characters", answer: { status: 200, unit: "code-points" } },
      ],
    });
    expect(judge(history(), name)).toMatchObject({ reason: "no-data" });
  });
});

describe("a null for a field that the service fills in itself", () => {
  const document = documentCopy();
  const { paths, components } = document as Record<string, Record<string, JsonObject>>;
  const slug = { type: "string" };
  Object.assign(valueAt(components, "/schemas/Webhook/properties") as JsonObject, { slug });
  const properties = "/~1webhooks/post/requestBody/content/application~1json/schema/properties";
  Object.assign(valueAt(paths, properties) as JsonObject, { slug });
  const edition = specOf(document);
  const name = `bodies/CREATE-NULL ${HOOKS} body/slug null`;

  /** The outcome if creates without the field show the values `filled`, and one with null shows `shown`. */
  function outcome(filled: string[], shown: string): string | undefined {
    const past = new HistoryBuilder(edition);
    for (const [index, text] of filled.entries())
      past.creates(`w${index}`, valid, { key: `key-${index}`, shown: { slug: text } });
    past.answers(HOOKS, made({ ...valid, slug: shown }), { sent: { ...valid, slug: null }, key: "key-9" });
    const check = bodyRules(edition).find(({ id }) => id === name);
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  }

  test("is taken as absent, if the value differs without it, too", () => {
    expect(outcome(["ab1", "ab2"], "ab3")).toBe("held");
    expect(outcome(["ab1"], "ab2")).toBe("held");
  });

  test("is a violation if the value never differs without it, or if it is empty", () => {
    expect(outcome(["ab1", "ab1"], "null")).toBe("violated");
    expect(outcome(["ab1", "ab2"], "")).toBe("violated");
  });
});

describe("null in a PUT", () => {
  const document = documentCopy();
  const path = valueAt(document, "/paths/~1webhooks~1{id}") as JsonObject;
  path.put = path.patch;
  delete path.patch;
  const edition = specOf(document);
  const check = bodyRules(edition).find(
    ({ id }) => id === "bodies/UPDATE-NULL PUT /webhooks/{id} body/metadata null",
  );
  const { url } = valid;
  const outcome = (shown: JsonObject, leftOut: JsonObject) => {
    const past = new HistoryBuilder(edition)
      .creates("w1", valid, KEYED)
      .updates("w1", { url, name: "a" }, { url, name: "a", metadata: leftOut })
      .updates("w1", { url, metadata: { a: "b" } })
      .updates("w1", { url, metadata: null }, { url, metadata: shown });
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };

  test("may reset the field, like a PUT without it, or keep it", () => {
    expect(outcome({}, {})).toBe("held");
    expect(outcome({ a: "b" }, {})).toBe("held");
  });

  test("may not set what no PUT without it sets", () => {
    expect(outcome({ c: "d" }, {})).toBe("violated");
  });
});
