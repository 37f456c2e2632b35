import { describe, expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { journalOf } from "../../history/journal/journal.ts";
import { isObject, type JsonObject, valueAt } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { allChecks } from "../../suites/index.ts";
import { updatesAccepted } from "../../suites/updates/accepted.ts";
import { documentCopy, spec, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const url = "https://a.example/x";
const made = { name: "a", url, events: ["one"] };
const MAILS = ["ops@a.example"];
const history = (sent: JsonObject = made) => new HistoryBuilder(spec).creates("w1", sent, { key: "k-1" });

describe("a unique value", () => {
  const edition = (method: "patch" | "put") => {
    const document = documentCopy();
    const schema = { type: ["string", "null"], "x-unique": { scope: "space" } };
    const at = (pointer: string) => {
      const found = valueAt(document, pointer);
      if (!isObject(found)) throw new Error(`nothing at ${pointer}`);
      return found;
    };
    const body = "requestBody/content/application~1json/schema/properties";
    at(`/paths/~1webhooks/post/${body}`).label = schema;
    at(`/paths/~1webhooks~1{id}/patch/${body}`).label = schema;
    at("/components/schemas/Webhook/properties").label = { type: ["string", "null"] };
    const path = at("/paths/~1webhooks~1{id}");
    const { patch, ...others } = path;
    Object.assign(at("/paths"), { "/webhooks/{id}": { ...others, [method]: patch } });
    return specOf(document);
  };
  const [patched, replaced] = [edition("patch"), edition("put")];
  /** Returns the outcome of a second use after `between`. */
  const outcome = (edited: Spec, between: (past: HistoryBuilder) => HistoryBuilder) => {
    const labelled = { ...made, label: "L-1" };
    const first = new HistoryBuilder(edited).creates("w1", labelled, { key: "k-1" });
    const past = between(first.creates("w2", made, { key: "k-2" })).creates("w3", labelled, { key: "k-3" });
    const check = allChecks(edited).find(({ id }) => id.endsWith("UNIQUE-REJECTED POST /webhooks label"));
    return check?.verdict(new History(edited, HEAD, past.entries)).outcome;
  };

  test("must not be used again", () => {
    expect(outcome(patched, (past) => past)).toBe("violated");
    expect(outcome(patched, (past) => past.updates("w1", { url }))).toBe("violated");
    expect(outcome(patched, (past) => past.rejects("w1", { url, label: null }))).toBe("violated");
    expect(outcome(patched, (past) => past.updates("w2", { url, label: null }))).toBe("violated");
  });

  test("may be used again if an update may have replaced it", () => {
    expect(outcome(patched, (past) => past.updates("w1", { url, label: null }))).toBe("not-exercised");
    const lost = outcome(patched, (past) => past.updates("w1", { url, label: "L-2" }, {}, { status: 503 }));
    expect(lost).toBe("not-exercised");
    expect(outcome(replaced, (past) => past.updates("w1", { url }))).toBe("not-exercised");
  });
});

describe("a mail address", () => {
  const lost = (past: HistoryBuilder) =>
    journalOf(
      spec,
      HEAD,
      past.updates("w1", { url, alertEmails: MAILS }, { ...made, alertEmails: [] }).entries,
    )
      .sightings.filter(({ fits }) => !fits)
      .map(({ field, duty, standing }) => ({ field, duty, standing }));

  test("must be shown if the service took it before", () => {
    const expected = [{ field: "alertEmails", duty: "echo", standing: "proven" }];
    expect(lost(history({ ...made, alertEmails: MAILS }))).toEqual(expected);
  });

  test("may be ignored otherwise, and if an answer showed another one instead", () => {
    expect(lost(history())).toEqual([]);
    const other = { key: "k-1", shown: { alertEmails: ["owner@a.example"] } };
    expect(lost(new HistoryBuilder(spec).creates("w1", { ...made, alertEmails: MAILS }, other))).toEqual([]);
  });
});

describe("the URL of another webhook", () => {
  const [check] = updatesAccepted(spec).filter(({ id }) =>
    id.endsWith("UPDATE-ACCEPTED PATCH /webhooks/{id} name alone"),
  );
  const outcome = (past: HistoryBuilder) => check?.verdict(new History(spec, HEAD, past.entries)).outcome;
  const second = { ...made, url: "https://a.example/y" };
  const both = (sent: JsonObject) => history().creates("w2", sent, { key: "k-2" });

  test("may be rejected if no two webhooks had one at a time", () => {
    expect(outcome(both(second).rejects("w2", { url, name: "b" }))).toBe("not-exercised");
  });

  test("may be rejected if another webhook got it only after the first one had changed its own", () => {
    const moved = both(second).updates("w1", { url: "https://a.example/z" }).updates("w2", { url });
    expect(outcome(moved.rejects("w1", { url, name: "b" }))).toBe("not-exercised");
  });

  test("must be accepted if two webhooks had one, and so must a new one", () => {
    expect(outcome(both(made).rejects("w2", { url, name: "b" }))).toBe("violated");
    expect(outcome(both(second).rejects("w2", { url: "https://a.example/z", name: "b" }))).toBe("violated");
  });
});
