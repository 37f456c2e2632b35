import { describe, expect, test } from "vitest";
import type { Head } from "../../../history/entry.ts";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { withOffers } from "../../../spec/offers.ts";
import { existenceRules } from "../../../suites/existence/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, spec as plain, specOf } from "../../spec/package-spec.ts";

const POST = "POST /webhooks";
const PATCH = "PATCH /webhooks/{id}";
const READ = "GET /payouts/{id}";
const UNKNOWN = "conformance-unknown";
const spec = withOffers(plain, [POST, PATCH, READ]);
const checks = existenceRules(spec);
const history = () => new HistoryBuilder(spec);
const NOTHING = { message: "Not found." };
const GIVEN = { payout: "po_1" };

function judge(past: HistoryBuilder, name: string, change: Partial<Head> = {}): RuleResult {
  const check = checks.find(({ id }) => id === `versions/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, { ...HEAD, ...change }, past.entries));
}

function answered(key: string, status: number, more: { path?: string } = {}): HistoryBuilder {
  return history().answers(key, NOTHING, { status, ...more });
}

describe("an operation", () => {
  const name = `VERSION-ACCEPTED ${READ} exists`;
  const judged = (past: HistoryBuilder) => judge(past, name, { fixtures: GIVEN });
  const read = (status: number) => answered(READ, status, { path: "po_1" });

  test("exists if it shows what a valid call asks for", () => {
    const shown = { success: true, messages: [], result: { id: "po_1" } };
    expect(judged(history().answers(READ, shown, { path: "po_1" }))).toMatchObject({ outcome: "held" });
    expect(judged(history().answers(READ, {}, { path: "po_1" }))).toMatchObject({ outcome: "not-exercised" });
    expect(judged(history())).toMatchObject({ outcome: "not-exercised" });
  });

  test.each([404, 405, 501])("is missing if it answers every call with %i", (status) => {
    expect(judged(read(status))).toMatchObject({
      outcome: "violated",
      violations: [{ certainty: "suspected", actual: `status ${status}`, notImplemented: true }],
    });
  });

  test.each([200, 400, 422])("is not missing if any call is answered %i", (status) => {
    expect(judged(read(404).answers(READ, {}, { status, path: "other" }))).toMatchObject({
      outcome: "not-exercised",
    });
  });

  test("may be missing behind a gateway that refuses tokens, or a service that fails", () => {
    const past = read(404).answers(READ, "", { status: 401, credential: { kind: "none", token: null } });
    expect(judged(past.answers(READ, "", { status: 503, path: "po_1" }))).toMatchObject({
      outcome: "violated",
    });
    expect(judged(read(503))).toMatchObject({ outcome: "not-exercised" });
  });

  test("is not missing if only the resource may be", () => {
    expect(judge(read(404), name)).toMatchObject({ outcome: "not-exercised" });
    expect(judge(read(405), name)).toMatchObject({ outcome: "violated" });
  });

  test("is missing if it finds no resource, and neither does what makes the resource exist", () => {
    const own = `VERSION-ACCEPTED ${PATCH} exists`;
    const update = () => history().answers(PATCH, NOTHING, { status: 404, path: UNKNOWN, sent: {} });
    const sent = { name: "a", url: "https://a.example", events: [] };
    expect(judge(update(), own)).toMatchObject({ outcome: "not-exercised" });
    expect(judge(update().answers(POST, NOTHING, { status: 405, sent }), own)).toMatchObject({
      outcome: "violated",
    });
    expect(judge(update().answers(POST, NOTHING, { status: 422, sent }), own)).toMatchObject({
      outcome: "not-exercised",
    });
  });

  test("is confirmed to be missing by answers of the same round alone", () => {
    const past = read(404);
    const check = checks.find(({ id }) => id === `versions/${name}`);
    const head = { ...HEAD, fixtures: GIVEN };
    expect(check?.verdict(new History(spec, head, [], past.entries))).toMatchObject({
      outcome: "not-exercised",
    });
  });
});

describe("an operation that is not offered", () => {
  test("is absent if it answers 404, 405 or 501", () => {
    expect(judge(answered(POST, 404), `OFFERS-ABSENT ${POST}`)).toMatchObject({ outcome: "held" });
    expect(judge(answered(POST, 401), `OFFERS-ABSENT ${POST}`)).toMatchObject({ outcome: "not-exercised" });
  });

  test.each([200, 302, 400, 422])("is there if it answers %i", (status) => {
    const result = judge(answered(POST, 404).answers(POST, NOTHING, { status }), `OFFERS-ABSENT ${POST}`);
    expect(result).toMatchObject({ outcome: "violated", violations: [{ actual: `status ${status}` }] });
  });

  test("is absent if it does not find a resource that the user named", () => {
    const named = answered(READ, 404, { path: "po_1" });
    expect(judge(named, `OFFERS-ABSENT ${READ}`, { fixtures: GIVEN })).toMatchObject({ outcome: "held" });
    expect(judge(named, `OFFERS-ABSENT ${READ}`)).toMatchObject({
      outcome: "not-exercised",
      message: "no answer shows whether it exists; name a resource that exists: --fixture payout=ID",
    });
  });

  test("is absent if what makes its resources is", () => {
    const update = () => answered(PATCH, 404, { path: UNKNOWN });
    const name = `OFFERS-ABSENT ${PATCH}`;
    expect(judge(update().answers(POST, NOTHING, { status: 404 }), name)).toMatchObject({ outcome: "held" });
    expect(judge(update().answers(POST, NOTHING, { status: 422 }), name)).toMatchObject({
      outcome: "not-exercised",
    });
  });

  test("is absent if it is answered like a path that no operation has, with a token and without", () => {
    const bare = { credential: { kind: "none" as const, token: null } };
    const unknown = { operation: null, url: `/${UNKNOWN}/${UNKNOWN}` };
    const own = { path: UNKNOWN, url: `/payouts/${UNKNOWN}` };
    const past = (open: number) =>
      history()
        .answers(READ, `no /payouts/${UNKNOWN}, request 1`, { status: 404, ...own })
        .answers(READ, `no /${UNKNOWN}/${UNKNOWN}, request 2`, { status: 404, ...unknown })
        .answers(READ, "", { status: 404, ...unknown, ...bare })
        .answers(READ, "", { status: open, ...own, ...bare });
    expect(judge(past(404), `OFFERS-ABSENT ${READ}`)).toMatchObject({ outcome: "held" });
    // A request without a token got 401, so the operation exists.
    expect(judge(past(401), `OFFERS-ABSENT ${READ}`)).toMatchObject({ outcome: "not-exercised" });
  });
});

test("a part that its first update makes need not exist before, and must after", () => {
  const document = documentCopy();
  const paths = objectAt(document, "paths");
  const { parameters, requestBody } = objectAt(paths, "/webhooks/{id}", "patch");
  const part = {
    "x-section": "4.15",
    parameters,
    responses: objectAt(paths, "/countries/{idOrCode}", "get").responses,
  };
  paths["/webhooks/{id}/home"] = {
    get: { ...part, operationId: "getHome" },
    put: { ...part, operationId: "putHome", "x-read-back": { read: "getHome" }, requestBody },
  };
  const edition = specOf(document);
  const check = existenceRules(edition).find(
    ({ id }) => id === "versions/VERSION-ACCEPTED GET /webhooks/{id}/home exists",
  );
  const made = () => new HistoryBuilder(edition).creates("w1", { name: "a" }, { key: "k1" });
  const outcome = (past: HistoryBuilder) => {
    past.answers("GET /webhooks/{id}/home", {}, { path: "w1", status: 404 });
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };
  expect(outcome(made())).toBe("not-exercised");
  const written = made().answers("PUT /webhooks/{id}/home", { result: {} }, { path: "w1", sent: {} });
  expect(outcome(written)).toBe("violated");
});
