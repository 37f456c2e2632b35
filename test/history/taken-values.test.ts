import { describe, expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { journalOf } from "../../history/journal.ts";
import type { JsonObject } from "../../spec/json.ts";
import { updatesAccepted } from "../../suites/updates/accepted.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const url = "https://a.example/x";
const made = { name: "a", url, events: ["one"] };
const MAILS = ["ops@a.example"];
const history = (sent: JsonObject = made) => new HistoryBuilder(spec).creates("w1", sent, { key: "k-1" });

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
