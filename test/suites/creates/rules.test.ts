import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { type JsonObject, valueAt } from "../../../spec/json.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { createRules } from "../../../suites/creates/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, spec, specOf } from "../../spec/package-spec.ts";

const HOOKS = "POST /webhooks";
const ACCOUNTS = "POST /v1/financial-accounts";
const checks = createRules(spec);
const BODY = { name: "pc-test-0001", url: "https://example.com/a?b=C", events: null };
const SHOWN = { isActive: false, events: [] };

function judge(past: HistoryBuilder, name: string): RuleResult {
  const check = checks.find(({ id }) => id === `creates/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

/** A history of one create. The answer shows the sent values and those of `shown`. */
const made = (sent: JsonObject = BODY, shown: JsonObject = SHOWN) =>
  new HistoryBuilder(spec).creates("w1", sent, { key: "k1", shown });

describe("the answer to a create", () => {
  test("shows what was sent", () => {
    expect(judge(made(), `CREATE-ECHO ${HOOKS}`)).toMatchObject({ outcome: "held", times: 1 });
    expect(judge(made(BODY, { ...SHOWN, name: "another" }), `CREATE-ECHO ${HOOKS}`)).toMatchObject({
      violations: [{ certainty: "proven", shownBy: [{ offending: "/result/name" }] }],
    });
  });

  test("is not judged if the create was faulty, or its key was used before", () => {
    const faulty = made({ ...BODY, name: "x".repeat(101) }, { name: "x" });
    expect(judge(faulty, `CREATE-ECHO ${HOOKS}`)).toMatchObject({ reason: "no-data" });
    const replayed = made().creates("w1", { ...BODY, name: "b" }, { key: "k1", shown: { name: "a" } });
    expect(judge(replayed, `CREATE-ECHO ${HOOKS}`)).toMatchObject({ outcome: "held", times: 1 });
  });

  test("is not judged if the key was used in an earlier round", () => {
    const { entries } = made().creates("w1", BODY, { key: "k1", shown: { name: "changed since" } });
    const check = checks.find(({ id }) => id === `creates/CREATE-ECHO ${HOOKS}`);
    const later = new History(spec, HEAD, entries.slice(1), entries);
    expect(check?.verdict(later)).toMatchObject({ reason: "no-data" });
    const alone = new History(spec, HEAD, entries.slice(1));
    expect(check?.verdict(alone)).toMatchObject({ outcome: "violated" });
  });

  test("shows in a field that was left out nothing that another create sent", () => {
    const metadata = { note: "pc-test-0002" };
    const second = (shown: JsonObject) =>
      made({ ...BODY, metadata }).creates("w2", { ...BODY, name: "pc-test-0003" }, { key: "k2", shown });
    const name = `CREATE-ECHO ${HOOKS}`;
    expect(judge(second({ ...SHOWN, metadata }), name)).toMatchObject({
      violations: [{ certainty: "proven", shownBy: [{}, { offending: "/result/metadata" }] }],
    });
    expect(judge(second({ ...SHOWN, metadata: { note: "own" } }), name)).toMatchObject({ outcome: "held" });
  });

  test("shows the default of a field that was left out", () => {
    const name = `CREATE-DEFAULT ${HOOKS} isActive`;
    expect(judge(made(), name)).toMatchObject({ outcome: "held" });
    expect(judge(made(BODY, { isActive: true }), name)).toMatchObject({
      violations: [{ expected: "isActive false", actual: "true" }],
    });
    expect(judge(made({ ...BODY, isActive: true }), name)).toMatchObject({ reason: "no-data" });
  });

  test("shows no null that was not sent", () => {
    const name = `WEBHOOK-FIELDS ${HOOKS} null that was not sent`;
    expect(judge(made(BODY, { events: null }), name)).toMatchObject({ outcome: "held" });
    const sent = { ...BODY, events: ["payment.created"] };
    expect(judge(made(sent, { events: null }), name)).toMatchObject({ outcome: "violated" });
  });
});

describe("the list of what was created", () => {
  const name = `CREATE-LISTED ${HOOKS}`;
  const item = { id: "w1", ...BODY, ...SHOWN };

  test("shows it", () => {
    expect(judge(made(), name)).toMatchObject({ reason: "budget" });
    expect(judge(made().lists([item]), name)).toMatchObject({ outcome: "held", times: 1 });
  });

  test("may lack it until the consistency timeout is over, and once after that", () => {
    const late = made().lists([]).lists([]).waits(2_000).lists([]);
    expect(judge(late, name)).toMatchObject({ outcome: "not-exercised" });
    expect(judge(late.lists([item]), name)).toMatchObject({ outcome: "held" });
  });

  test("must not lack it twice in a row", () => {
    const past = made().lists([item]).waits(2_000).lists([]).lists([]);
    expect(judge(past, name)).toMatchObject({
      violations: [{ certainty: "proven", actual: "two complete reads of the list without it" }],
    });
  });
});

describe("a rejected create", () => {
  const rejected = { ...BODY, name: "pc-test-0002" };
  const past = (more = {}) => made().creates("", rejected, { key: "k2", status: 400, ...more });
  const withoutToken = { status: 401, credential: { kind: "none", token: null } as const };
  const own = { id: "w1", ...BODY };
  const left = { id: "w2", ...rejected };

  test("leaves nothing in the list", () => {
    const name = `CREATE-NO-EFFECT ${HOOKS}`;
    expect(judge(made().lists([own]), name)).toMatchObject({ reason: "no-data" });
    expect(judge(past().lists([own]), name)).toMatchObject({ outcome: "held", times: 1 });
    expect(judge(past().lists([own, left]), name)).toMatchObject({ outcome: "violated" });
  });

  test("is recognised by its token", () => {
    const seen = past(withoutToken).lists([own, left]);
    expect(judge(seen, `AUTH-NO-EFFECT ${HOOKS}`)).toMatchObject({ outcome: "violated" });
    expect(judge(seen, `CREATE-NO-EFFECT ${HOOKS}`)).toMatchObject({ reason: "no-data" });
  });

  test("is not to blame if an accepted one sent the same", () => {
    const accepted = past().creates("w2", rejected, { key: "k3" }).lists([own, left]);
    expect(judge(accepted, `CREATE-NO-EFFECT ${HOOKS}`)).toMatchObject({ outcome: "held" });
  });

  describe("with a unique value", () => {
    const name = `CREATE-NO-EFFECT ${ACCOUNTS}`;
    const body = (n: number, more = {}) => ({ name: `pc-test-${n}`, currency: "XAF", ...more });
    const taken = () =>
      new HistoryBuilder(spec, {
        create: "createFinancialAccount",
        update: "updatePaymentCode",
        list: "listPaymentCodes",
      }).creates("", { name: 7, currency: "XAF", reference: "r1" }, { key: "k1", status: 400 });

    test("leaves the value free", () => {
      const free = taken().creates("a1", body(1, { reference: "r1" }), { key: "k2" });
      expect(judge(free, name)).toMatchObject({ outcome: "held", times: 1 });
    });

    test("must not keep the value, if the same create with another one is accepted", () => {
      const kept = taken().creates("", body(1, { reference: "r1" }), { key: "k2", status: 409 });
      expect(judge(kept, name)).toMatchObject({ outcome: "not-exercised" });
      kept.creates("a2", body(1, { reference: "r2" }), { key: "k3" });
      expect(judge(kept, name)).toMatchObject({ violations: [{ actual: "status 409" }] });
    });
  });
});

test("the first value of a field that the caller does not choose is recorded", () => {
  const past = new HistoryBuilder(spec, {
    create: "createFinancialAccount",
    update: "updatePaymentCode",
    list: "listPaymentCodes",
  }).creates("a1", { name: "pc-test-1", currency: "XAF" }, { key: "k1", shown: { balance: 0 } });
  expect(judge(past, `CREATE-INITIAL ${ACCOUNTS}`)).toMatchObject({
    notes: [{ field: "balance", answer: { shows: 0 } }],
  });
});

test("a list below one parent shows nothing of what was created below another", () => {
  const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
  const folder = "test/editions/clinic";
  const clinic = loadSpec(file(`${folder}/openapi.yaml`), file(`${folder}/requirements.yaml`));
  const DOSES = "/patients/{patient}/visits/{visit}/doses";
  const dose = (drug: string) => ({ drug, amount: 1, every: { unit: "hours", n: 8 } });
  const outer = { patient: "p1" };
  const list = (past: HistoryBuilder, visit: string, drug: string) =>
    past.answers(`GET ${DOSES}`, { result: [{ id: 1, ...dose(drug) }] }, { outer, path: visit });
  const past = () =>
    new HistoryBuilder(clinic).answers(
      `POST ${DOSES}`,
      { result: { id: 1, ...dose("aspirin") } },
      { outer, path: "v1", sent: dose("aspirin"), sentHeaders: [["x-once", "abcdefgh1"]] },
    );
  const outcome = (past: HistoryBuilder) =>
    createRules(clinic)
      .find(({ id }) => id === `creates/CREATE-ECHO POST ${DOSES}`)
      ?.verdict(new History(clinic, HEAD, past.entries));
  expect(outcome(list(past(), "v2", "codeine"))).toMatchObject({ outcome: "held" });
  expect(outcome(list(past(), "v1", "codeine"))).toMatchObject({ outcome: "violated" });
});

test("an action may change what the create sent, also if there is no update", () => {
  const document = documentCopy();
  const paths = document.paths as Record<string, Record<string, JsonObject>>;
  const { patch } = paths["/webhooks/{id}"] ?? {};
  delete paths["/webhooks/{id}"];
  const { "x-read-back": _, ...rename } = { ...patch, operationId: "renameWebhook" } as JsonObject;
  const RENAME = "/webhooks/{id}/rename";
  paths[RENAME] = { post: rename };
  const edition = specOf(document);
  const past = (name: string) =>
    new HistoryBuilder(edition)
      .answers("POST /webhooks", { result: { id: "w1", ...BODY, ...SHOWN } }, { sent: BODY, key: "k1" })
      .answers(
        `POST ${RENAME}`,
        { result: { id: "w1", ...BODY, ...SHOWN, name } },
        { path: "w1", sent: { url: BODY.url, name } },
      )
      .answers("GET /webhooks", { result: [{ id: "w1", ...BODY, ...SHOWN, name }] });
  const check = createRules(edition).find(({ id }) => id === `creates/CREATE-ECHO ${HOOKS}`);
  const history = new History(edition, HEAD, past("pc-test-0002").entries);
  expect(check?.verdict(history)).toMatchObject({ outcome: "held" });
});

describe("a default", () => {
  /** The outcome for a field of the body, and perhaps of the resource, that was neither sent nor shown. */
  function outcome(schema: JsonObject, isShown: boolean): string | undefined {
    const document = documentCopy();
    const { paths, components } = document as Record<string, Record<string, JsonObject>>;
    const inBody = valueAt(paths, "/~1webhooks/post/requestBody/content/application~1json/schema/properties");
    Object.assign(inBody as JsonObject, { extra: schema });
    if (isShown)
      Object.assign(valueAt(components, "/schemas/Webhook/properties") as JsonObject, { extra: schema });
    const edition = specOf(document);
    const past = new HistoryBuilder(edition).creates("w1", BODY, { key: "k1", shown: SHOWN });
    const check = createRules(edition).find(({ id }) => id === `creates/CREATE-DEFAULT ${HOOKS} extra`);
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  }

  test("need not show if the resource lacks the field", () => {
    const isUrgent = { type: "boolean", default: false };
    expect(outcome(isUrgent, false)).toBeUndefined();
    expect(outcome(isUrgent, true)).toBe("violated");
  });

  test("of null may show as missing", () => {
    expect(outcome({ type: ["string", "null"], default: null }, true)).toBe("held");
  });
});

test("a list shows a field that never changes as the answer to the create did, though it was not sent", () => {
  const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
  const edition = file("test/editions/clinic/openapi.yaml");
  const fixed = edition.text.replace(
    "x-identity: id\n      properties:\n        id: { type: integer }\n        visit",
    (found) => `x-fixed: [label]\n      ${found}`,
  );
  const DOSES = "/patients/{patient}/visits/{visit}/doses";
  const dose = { drug: "aspirin", amount: 1, every: { unit: "hours", n: 8 } };
  function outcome(text: string, label: string) {
    const clinic = loadSpec({ ...edition, text }, file("test/editions/clinic/requirements.yaml"));
    const at = { outer: { patient: "p1" }, path: "v1" };
    const past = new HistoryBuilder(clinic)
      .answers(
        `POST ${DOSES}`,
        { result: { id: 1, ...dose, label: "made" } },
        { ...at, sent: dose, sentHeaders: [["x-once", "abcdefgh1"]] },
      )
      .answers(`GET ${DOSES}`, { result: [{ id: 1, ...dose, label }] }, at);
    const check = createRules(clinic).find(({ id }) => id === `creates/CREATE-ECHO POST ${DOSES}`);
    return check?.verdict(new History(clinic, HEAD, past.entries)).outcome;
  }
  expect(fixed).not.toBe(edition.text);
  expect(outcome(fixed, "made")).toBe("held");
  expect(outcome(fixed, "other")).toBe("violated");
  expect(outcome(edition.text, "other")).toBe("held");
});
