/** Reads of resources that no list shows. */

import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { acceptedAgain } from "../../../suites/accepted-again.ts";
import { recordRules } from "../../../suites/reads/record-rules.ts";
import { readRules } from "../../../suites/reads/rules.ts";
import { versionRules } from "../../../suites/versions/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";

const WEBHOOK = "/webhooks/{id}";
const ADDRESS = `${WEBHOOK}/address`;

/** An edition that reads webhooks, and has an address in each, which a PUT makes. */
function edition() {
  const document = documentCopy();
  const paths = objectAt(document, "paths");
  const { parameters, responses } = objectAt(paths, WEBHOOK, "patch");
  const facts = { "x-section": "4.15", parameters };
  const address = { type: "object", required: ["street"], properties: { street: { type: "string" } } };
  objectAt(document, "components", "schemas").Address = address;
  const result = { $ref: "#/components/schemas/Address" };
  const schema = { allOf: [{ $ref: "#/components/schemas/Envelope" }, { properties: { result } }] };
  const shown = { "200": { description: "The address.", content: { "application/json": { schema } } } };
  const requestBody = { required: true, content: { "application/json": { schema: address } } };
  const readBack = { "x-read-back": { read: "getAddress" } };
  objectAt(paths, WEBHOOK, "patch")["x-read-back"] = { read: "getWebhook", list: "listWebhooks" };
  objectAt(paths, WEBHOOK).get = { ...facts, operationId: "getWebhook", responses };
  paths[ADDRESS] = {
    get: { ...facts, operationId: "getAddress", responses: shown },
    put: { ...facts, ...readBack, operationId: "putAddress", requestBody, responses: shown },
  };
  return specOf(document);
}

const spec = edition();
const rules = recordRules.flatMap((rule) => rule(spec, "reads"));
const made = () => new HistoryBuilder(spec).creates("w1", { name: "a" }, { key: "k1" });
const found = { result: { id: "w1", street: "a" } };

function outcome(past: HistoryBuilder, path: string): string | undefined {
  const check = rules.find(({ id }) => id === `reads/READ-ACCEPTED GET ${path}`);
  return check?.verdict(new History(spec, HEAD, past.entries)).outcome;
}

describe("a new resource", () => {
  const reads = (past: HistoryBuilder, status: number) =>
    past.answers(`GET ${WEBHOOK}`, status === 200 ? found : {}, { path: "w1", status });

  test("may be found late", () => {
    expect(outcome(reads(reads(made(), 404), 200), WEBHOOK)).toBe("held");
  });

  test("must be found in the end", () => {
    expect(outcome(reads(reads(made(), 404), 404), WEBHOOK)).toBe("violated");
    const late = made().waits(HEAD.consistencyTimeoutMs);
    expect(outcome(reads(reads(late, 404), 200), WEBHOOK)).toBe("violated");
  });

  test("is read by valid requests", () => {
    expect(outcome(reads(reads(made(), 400), 200), WEBHOOK)).toBe("violated");
  });
});

describe("a part of a resource", () => {
  const reads = (past: HistoryBuilder, status: number) =>
    past.answers(`GET ${ADDRESS}`, status === 200 ? found : {}, { path: "w1", status });
  const writes = (past: HistoryBuilder) =>
    past.answers(`PUT ${ADDRESS}`, found, { path: "w1", sent: { street: "a" } });
  const old = () => made().waits(HEAD.consistencyTimeoutMs);

  test("need not exist before its first update", () => {
    expect(outcome(reads(old(), 404), ADDRESS)).toBe("not-exercised");
    expect(outcome(reads(writes(reads(old(), 404)), 200), ADDRESS)).toBe("held");
  });

  test("exists after its first update, or once it was read", () => {
    expect(outcome(reads(writes(old()), 404), ADDRESS)).toBe("violated");
    expect(outcome(reads(reads(old(), 200), 404), ADDRESS)).toBe("violated");
  });
});

describe("a new resource that the list shows", () => {
  const listing = documentCopy();
  const paths = objectAt(listing, "paths");
  const { parameters, responses } = objectAt(paths, WEBHOOK, "patch");
  const sameRecord = { list: "listWebhooks", by: ["id"], fields: "all" };
  const facts = { operationId: "getWebhook", "x-section": "4.15", "x-same-record": sameRecord };
  objectAt(paths, WEBHOOK, "patch")["x-read-back"] = { read: "getWebhook", list: "listWebhooks" };
  objectAt(paths, WEBHOOK).get = { ...facts, parameters, responses };
  const edition = specOf(listing);
  const check = recordRules
    .flatMap((rule) => rule(edition, "reads"))
    .find(({ id }) => id === `reads/READ-ACCEPTED GET ${WEBHOOK} by id`);
  const refused = (waited: number) => {
    const past = new HistoryBuilder(edition)
      .creates("w1", { name: "a" }, { key: "k1" })
      .lists([{ id: "w1" }])
      .waits(waited)
      .answers(`GET ${WEBHOOK}`, {}, { path: "w1", status: 404 })
      .lists([{ id: "w1" }]);
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };

  test("may be found later by reads", () => {
    expect(refused(0)).toBe("not-exercised");
  });

  test("must be found by them after the consistency timeout", () => {
    expect(refused(HEAD.consistencyTimeoutMs)).toBe("violated");
  });
});

describe("a new resource of a service that answers 400 to unknown ids", () => {
  const read = `GET ${WEBHOOK}`;
  const unknown = () =>
    made().answers(read, found, { path: "w1" }).answers(read, {}, { path: "unknown", status: 400 });
  const late = (past: HistoryBuilder) => {
    past.creates("w2", { name: "b" }, { key: "k2" }).answers(read, {}, { path: "w2", status: 400 });
    return past.answers(read, { result: { id: "w2" } }, { path: "w2" });
  };

  test("may be found late", () => {
    expect(outcome(late(unknown()), WEBHOOK)).toBe("held");
    expect(outcome(late(made()), WEBHOOK)).toBe("violated");
  });

  test("is no sign that a version is rejected", () => {
    const check = versionRules(spec).find(({ id }) => id === `versions/VERSION-ACCEPTED ${read}`);
    const judged = (past: HistoryBuilder) => {
      past.creates("w3", { name: "c" }, { key: "k3" });
      past.answers(read, {}, { path: "w3", status: 400, version: "caph.2025-06-20" });
      return check?.verdict(new History(spec, HEAD, past.entries)).outcome;
    };
    expect(judged(unknown())).not.toBe("violated");
    expect(judged(made().answers(read, found, { path: "w1" }))).toBe("violated");
  });
});

describe("a new resource that was read already", () => {
  const checks = [...readRules(spec), ...acceptedAgain.flatMap((suite) => suite(spec))];
  const judged = (past: HistoryBuilder, detail: string) => {
    const check = checks.find(({ id }) => id === `reads/READ-ACCEPTED GET ${WEBHOOK} ${detail}`);
    return check?.verdict(new History(spec, HEAD, past.entries));
  };
  const readsThrice = (past: HistoryBuilder) => {
    for (const status of [200, 404, 200])
      past.answers(`GET ${WEBHOOK}`, status === 200 ? found : {}, { path: "w1", status });
    return past;
  };

  test("may be missing in another copy until the consistency timeout is over", () => {
    expect(judged(readsThrice(made()), "in the whole run")).toMatchObject({ outcome: "held" });
    const late = made().waits(HEAD.consistencyTimeoutMs);
    expect(judged(readsThrice(late), "in the whole run")).toMatchObject({ outcome: "violated" });
  });

  test("is unsteady only after the consistency timeout, if no request before it explains that", () => {
    const again = (past: HistoryBuilder) => judged(readsThrice(past), "between equal requests");
    expect(again(made())).toMatchObject({ outcome: "excused", otherwise: { outcome: "held" } });
    const late = made().waits(HEAD.consistencyTimeoutMs);
    expect(again(late)).toMatchObject({ outcome: "excused", otherwise: { outcome: "unsteady" } });
  });
});
