import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { isObject } from "../../../spec/json.ts";
import { parameterRules } from "../../../suites/parameters/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, spec, specOf } from "../../spec/package-spec.ts";
import { listOf, samples } from "../../spec/samples.ts";

const HOOKS = "GET /webhooks";
const BANKS = "GET /banks";
const checks = parameterRules(spec);
const hooks = listOf([samples.Webhook], 1);
const banks = listOf([samples.Bank], 1);
const history = () => new HistoryBuilder(spec);
const limit = (text: string, status = 200) => ({ query: [["limit", text]] as [string, string][], status });
const country = (text: string, status = 200) => ({
  query: [["country", text]] as [string, string][],
  status,
  space: null,
});

function judge(past: HistoryBuilder, name: string): RuleResult {
  const check = checks.find(({ id }) => id === `limits/${name}`);
  if (!check) throw new Error(`there is no check ${name}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

describe("a value outside the rules", () => {
  const name = `LIST-LIMIT-REJECTED ${HOOKS} limit maximum 51`;

  test("keeps the rule if it is rejected, and is not confused with another value", () => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, "", limit("51", 400));
    expect(judge(past, name)).toMatchObject({ outcome: "held", times: 1 });
    expect(judge(past, `LIST-LIMIT-REJECTED ${HOOKS} limit minimum 0`)).toMatchObject({ reason: "no-data" });
  });

  test("is a proven violation if it is answered with a page", () => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, hooks, limit("51"));
    expect(judge(past, name)).toMatchObject({
      violations: [{ certainty: "proven", expected: "limit=51 to be rejected (4xx)", actual: "status 200" }],
    });
  });

  test("is a proven violation if it is accepted after it was rejected", () => {
    const past = history()
      .answers(HOOKS, hooks)
      .answers(HOOKS, "", limit("51", 400))
      .answers(HOOKS, hooks, limit("51"));
    expect(judge(past, name)).toMatchObject({ violations: [{ certainty: "proven" }] });
  });

  test("is suspected if it is answered 200 without a page", () => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, "", limit("51"));
    expect(judge(past, name)).toMatchObject({ violations: [{ certainty: "suspected" }] });
  });

  test("proves nothing if it is sent twice, or with another fault", () => {
    const past = history()
      .answers(HOOKS, hooks)
      .answers(HOOKS, hooks, { query: [...limit("51").query, ...limit("51").query] })
      .answers(HOOKS, hooks, { ...limit("51"), space: "none" });
    expect(judge(past, name)).toMatchObject({ reason: "no-data" });
  });
});

describe("a value at an edge", () => {
  const name = `LIST-LIMIT-ACCEPTED ${HOOKS} limit=50`;

  test("keeps the rule if it is accepted", () => {
    expect(judge(history().answers(HOOKS, hooks, limit("50")), name)).toMatchObject({ outcome: "held" });
  });

  test("is suspected if it is rejected, unless the version is rejected", () => {
    const past = history().answers(HOOKS, hooks).answers(HOOKS, "", limit("50", 400));
    expect(judge(past, name)).toMatchObject({ violations: [{ expected: "limit=50 to be accepted" }] });
    const older = history()
      .answers(HOOKS, hooks)
      .answers(HOOKS, "", { ...limit("50", 400), version: "caph.2025-06-20" });
    expect(judge(older, name)).toMatchObject({ reason: "control-rejected" });
  });

  test("proves nothing if it is rejected together with a cursor", () => {
    const past = history()
      .answers(HOOKS, hooks)
      .answers(HOOKS, "", { query: [...limit("50").query, ["after", "whk_1"]], status: 400 });
    expect(judge(past, name)).toMatchObject({ reason: "no-data" });
  });
});

describe("a required parameter", () => {
  test("that is missing is rejected", () => {
    const past = history().answers(BANKS, banks, country("CM"));
    expect(judge(past, `PARAMETER-REQUIRED ${BANKS} country`)).toMatchObject({ reason: "no-data" });
    past.answers(BANKS, banks, { space: null });
    expect(judge(past, `PARAMETER-REQUIRED ${BANKS} country`)).toMatchObject({ outcome: "violated" });
  });

  test("with a value that only the service knows need not be accepted", () => {
    const past = history().answers(BANKS, "", country("CM", 400));
    expect(judge(past, `PARAMETER-ACCEPTED ${BANKS} country`)).toMatchObject({ reason: "no-data" });
    past.answers("GET /countries", listOf([{ ...samples.Country, code: "CM" }], 1), { space: null });
    expect(judge(past, `PARAMETER-ACCEPTED ${BANKS} country`)).toMatchObject({ outcome: "violated" });
  });
});

test("a country that is sent now and then need not have banks", () => {
  const past = history()
    .answers("GET /countries", listOf([{ ...samples.Country, code: "AQ" }], 1), { space: null })
    .answers(BANKS, banks, country("CM"))
    .answers(BANKS, banks, country("CM"))
    .answers(BANKS, "", country("AQ", 400));
  expect(judge(past, `PARAMETER-ACCEPTED ${BANKS} country`)).toMatchObject({ outcome: "held", times: 2 });
});

test("a country without banks is answered with an empty list", () => {
  const name = `FILTER-NOTHING-FOUND ${BANKS} country`;
  const past = history().answers(BANKS, banks, country("CM"));
  expect(judge(past.answers(BANKS, banks, country("AQ")), name)).toMatchObject({ reason: "no-data" });
  expect(judge(past.answers(BANKS, listOf([], 0), country("BV")), name)).toMatchObject({ outcome: "held" });
  past.answers(BANKS, "", country("HM", 400));
  expect(judge(past, name)).toMatchObject({ outcome: "violated" });
});

test("a repeated limit is recorded with the number of items", () => {
  const query: [string, string][] = [
    ["limit", "1"],
    ["limit", "2"],
  ];
  const past = history().answers(HOOKS, hooks, { query });
  expect(judge(past, `PARAMETER-SPELLING ${HOOKS} limit repeated`)).toMatchObject({
    notes: [{ behaviour: "repeatedParameters", answer: { status: 200, items: 1 } }],
  });
});

describe("a header of a create", () => {
  const document = documentCopy();
  const { parameters } = objectAt(document, "paths", "/webhooks", "post");
  if (!Array.isArray(parameters)) throw new Error("the create has no parameters");
  parameters.push(
    { name: "Channel", in: "header", required: true, schema: { type: "string", enum: ["web", "desk"] } },
    { name: "trial", in: "query", schema: { type: "boolean" } },
  );
  const edited = specOf(document);
  const ids = parameterRules(edited).map(({ id }) => id);
  const body = { name: "a", events: ["one"] };
  const result = { success: true, messages: [], result: samples.Webhook };
  const sends = (past: HistoryBuilder, channel: string | null, status: number) =>
    past.answers("POST /webhooks", status < 400 ? result : "", {
      status,
      sent: { ...body, url: `https://a.example/${past.entries.length}` },
      key: `key-${past.entries.length}`,
      version: null,
      sentHeaders: channel === null ? [] : [["channel", channel]],
    });
  const outcome = (past: HistoryBuilder, name: string) => {
    const check = parameterRules(edited).find(({ id }) => id === `limits/${name}`);
    return check?.verdict(new History(edited, { ...HEAD, fixtures: { eventNames: "one" } }, past.entries))
      .outcome;
  };
  const past = () => new HistoryBuilder(edited);

  test("is broken and left out", () => {
    const broken = "PARAMETER-INVALID POST /webhooks Channel enum unheard-of";
    expect(outcome(sends(sends(past(), "web", 201), "unheard-of", 400), broken)).toBe("held");
    expect(outcome(sends(sends(past(), "web", 201), "unheard-of", 201), broken)).toBe("violated");
    const missing = "PARAMETER-REQUIRED POST /webhooks Channel";
    expect(outcome(sends(sends(past(), "web", 201), null, 400), missing)).toBe("held");
    expect(outcome(sends(sends(past(), "web", 201), null, 201), missing)).toBe("violated");
  });

  test("must be accepted with each of its values, in one create", () => {
    const name = "PARAMETER-ACCEPTED POST /webhooks Channel=desk";
    expect(outcome(sends(sends(past(), "web", 201), "desk", 400), name)).toBe("violated");
    expect(outcome(sends(sends(past(), "desk", 201), "desk", 400), name)).toBe("held");
  });

  test("is broken, but not sent with valid values, if it is optional", () => {
    expect(ids).toContain("limits/PARAMETER-INVALID POST /webhooks trial type maybe");
    expect(ids.filter((id) => id.includes("PARAMETER-ACCEPTED POST /webhooks trial"))).toEqual([]);
  });
});

test("two texts of one length that break a pattern are two checks", () => {
  const document = documentCopy();
  const parameters = objectAt(document, "components", "parameters");
  const cursor = Object.values(parameters).find(
    (each) => isObject(each) && each["x-role"] === "cursor-after",
  );
  if (!isObject(cursor)) throw new Error("there is no cursor");
  cursor.schema = { type: "string", pattern: "^[A-Za-z0-9_-]{10,90}$" };
  const ids = parameterRules(specOf(document)).map(({ id }) => id);
  expect(ids.filter((id) => id.endsWith("pattern 27 characters (2)"))).not.toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
