import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { idempotencyRules } from "../../../suites/idempotency/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { spec } from "../../spec/package-spec.ts";

const HOOKS = "POST /webhooks";
const checks = idempotencyRules(spec);
const history = () => new HistoryBuilder(spec);
const BODY = { name: "pc-test-0001", url: "https://example.com/a?b=C", events: null };
const OTHER = { ...BODY, name: "pc-test-0002" };
const LONG = `${"k".repeat(61)}b-A`;

function judge(past: HistoryBuilder, requirement: string, detail = ""): RuleResult {
  const check = checks.find(({ id }) => id === `idempotency/${requirement} ${HOOKS}${detail}`);
  if (!check) throw new Error(`there is no check of ${requirement}`);
  return check.verdict(new History(spec, HEAD, past.entries));
}

describe("a wrong key", () => {
  test("keeps the rule if it is rejected after a valid create", () => {
    const past = history()
      .creates("w1", BODY, { key: "k1" })
      .creates("", OTHER, { status: 400 })
      .creates("", OTHER, { key: "", status: 400 })
      .creates("", OTHER, { key: "k".repeat(65), status: 400 });
    for (const requirement of ["KEY-MISSING", "KEY-EMPTY", "KEY-TOO-LONG"])
      expect(judge(past, requirement)).toMatchObject({ outcome: "held", times: 1 });
  });

  test("is a violation if it is accepted", () => {
    const past = history()
      .creates("w1", BODY, { key: "k1" })
      .creates("w2", OTHER, { key: "k".repeat(65) });
    expect(judge(past, "KEY-TOO-LONG")).toMatchObject({
      violations: [
        {
          expected: `${HOOKS} with an idempotency key of 65 characters to be rejected (4xx)`,
          actual: "status 200",
        },
      ],
    });
  });
});

describe("the longest key", () => {
  const edge = " header/Idempotency-Key maxLength 64 characters";

  test("is to blame if the same create with a shorter one is accepted", () => {
    const past = history().creates("", BODY, { key: LONG, status: 400 }).creates("w1", BODY, { key: "k1" });
    expect(judge(past, "CREATE-EDGES", edge)).toMatchObject({ violations: [{ actual: "status 400" }] });
  });

  test("is not to blame if another one of its length is accepted, or the create is rejected again", () => {
    const past = history().creates("", BODY, { key: LONG, status: 400 });
    expect(judge(past, "CREATE-EDGES", edge)).toMatchObject({ reason: "no-data" });
    past.creates("w1", BODY, { key: "k1" }).creates("w2", OTHER, { key: "l".repeat(64) });
    expect(judge(past, "CREATE-EDGES", edge)).toMatchObject({ outcome: "held" });
  });
});

describe("a replay", () => {
  const twice = () => history().creates("w1", BODY, { key: "k1" }).creates("w1", BODY, { key: "k1" });

  test("keeps the rule once the list shows the resource", () => {
    expect(judge(twice(), "KEY-REPLAY")).toMatchObject({ reason: "no-data" });
    const past = twice().lists([{ id: "w1", ...BODY }]);
    expect(judge(past, "KEY-REPLAY")).toMatchObject({ outcome: "held", times: 1 });
  });

  test("may be rejected", () => {
    const past = history()
      .creates("w1", BODY, { key: "k1" })
      .creates("", BODY, { key: "k1", status: 409 })
      .lists([{ id: "w1", ...BODY }]);
    expect(judge(past, "KEY-REPLAY")).toMatchObject({ outcome: "held", times: 1 });
  });

  test("is a proven violation if it shows another resource", () => {
    const past = history().creates("w1", BODY, { key: "k1" }).creates("w2", BODY, { key: "k1" });
    expect(judge(past, "KEY-REPLAY")).toMatchObject({
      violations: [{ certainty: "proven", expected: "the resource w1", actual: "the resource w2" }],
    });
  });

  test("is a proven violation if it leaves a second resource in the list", () => {
    const shown = [
      { id: "w1", ...BODY },
      { id: "w2", ...BODY },
    ];
    expect(judge(twice().lists(shown), "KEY-REPLAY")).toMatchObject({
      violations: [{ certainty: "proven", actual: "also w2 with the same texts" }],
    });
    // Another create that sent the same texts explains the second resource.
    const alike = twice().creates("w2", BODY, { key: "k2" }).lists(shown);
    expect(judge(alike, "KEY-REPLAY")).toMatchObject({ outcome: "held" });
    // A service may take another body under the key for another create.
    const otherBody = twice()
      .creates("w2", { ...BODY, events: [] }, { key: "k1" })
      .lists(shown);
    expect(judge(otherBody, "KEY-REPLAY")).toMatchObject({ outcome: "held" });
  });
});

test("a create that is repeated after its answer was lost must make one resource", () => {
  const past = (shown: string[]) => {
    const lost = history().creates("w1", BODY, { key: "k1" });
    const [entry] = lost.entries;
    if (entry) entry.response = { fault: "hung-up", message: "closed on purpose", mayHaveHappened: true };
    return lost.creates("w2", BODY, { key: "k1" }).lists(shown.map((id) => ({ id, ...BODY })));
  };
  expect(judge(past(["w2", "w1"]), "KEY-REPLAY")).toMatchObject({
    violations: [{ certainty: "proven", actual: "also w1 with the same texts" }],
  });
  expect(judge(past(["w2"]), "KEY-REPLAY").outcome).toBe("not-exercised");
});

describe("simultaneous calls with one key", () => {
  const beside = { key: "k1", beside: true };

  test("are a violation if they make two resources, unless requests one after the other make two as well", () => {
    const past = history().creates("w1", BODY, { key: "k1" }).creates("w2", BODY, beside);
    expect(judge(past, "KEY-PARALLEL")).toMatchObject({ outcome: "violated" });
    expect(judge(past, "KEY-REPLAY")).toMatchObject({ reason: "no-data" });
    past.creates("w3", OTHER, { key: "k3" }).creates("w4", OTHER, { key: "k3" });
    expect(judge(past, "KEY-PARALLEL")).toMatchObject({ reason: "control-rejected" });
  });

  test("are a violation also if the key later shows the second resource, which is no violation of its own", () => {
    const past = history()
      .creates("w1", BODY, { key: "k1" })
      .creates("w2", BODY, beside)
      .creates("w2", BODY, { key: "k1" });
    expect(judge(past, "KEY-PARALLEL")).toMatchObject({ outcome: "violated" });
    expect(judge(past, "KEY-REPLAY").outcome).not.toBe("violated");
    past.creates("w3", BODY, { key: "k1" });
    expect(judge(past, "KEY-REPLAY")).toMatchObject({ outcome: "violated" });
  });

  test("must not all be rejected if a single one is accepted", () => {
    const past = history()
      .creates("", BODY, { key: "k1", status: 409 })
      .creates("", BODY, { ...beside, status: 409 });
    expect(judge(past, "KEY-ONE-SUCCEEDS")).toMatchObject({ reason: "control-rejected" });
    past.creates("w1", BODY, { key: "k2" });
    expect(judge(past, "KEY-ONE-SUCCEEDS")).toMatchObject({ violations: [{ actual: "all 2 rejected" }] });
  });
});

describe("keys that differ", () => {
  const other = `${LONG.slice(0, -1)}a`;

  test("make different resources", () => {
    const past = history().creates("w1", BODY, { key: LONG }).creates("w2", OTHER, { key: other });
    expect(judge(past, "KEY-DISTINCT", " casing")).toMatchObject({ outcome: "held", times: 1 });
    expect(judge(past, "KEY-DISTINCT", " hyphens")).toMatchObject({ reason: "no-data" });
  });

  test("must not show one resource", () => {
    const past = history().creates("w1", BODY, { key: LONG }).creates("w1", OTHER, { key: other });
    expect(judge(past, "KEY-DISTINCT", " casing")).toMatchObject({ violations: [{ certainty: "proven" }] });
  });

  test("must not be rejected if another key is accepted afterwards", () => {
    const past = history().creates("w1", BODY, { key: LONG }).creates("", OTHER, { key: other, status: 409 });
    expect(judge(past, "KEY-DISTINCT", " casing")).toMatchObject({ outcome: "not-exercised" });
    past.creates("w2", OTHER, { key: "quite-different" });
    expect(judge(past, "KEY-DISTINCT", " casing")).toMatchObject({ violations: [{ actual: "status 409" }] });
  });

  test("may be rejected if it is accepted afterwards, because another write may have been in the way", () => {
    const past = history().creates("w1", BODY, { key: LONG }).creates("", OTHER, { key: other, status: 409 });
    past.creates("w2", OTHER, { key: "quite-different" }).creates("w3", OTHER, { key: other });
    expect(judge(past, "KEY-DISTINCT", " casing")).toMatchObject({ outcome: "held" });
  });

  test("may be rejected if only a repetition is accepted afterwards, because a service may take a name once", () => {
    const past = history()
      .creates("w0", OTHER, { key: "quite-different" })
      .creates("w1", BODY, { key: LONG });
    past.creates("", OTHER, { key: other, status: 409 }).creates("w0", OTHER, { key: "quite-different" });
    expect(judge(past, "KEY-DISTINCT", " casing")).toMatchObject({ outcome: "not-exercised" });
  });
});

test("a used key with another body is rejected", () => {
  const past = history().creates("w1", BODY, { key: "k1" }).creates("", OTHER, { key: "k1", status: 409 });
  expect(judge(past, "KEY-OTHER-BODY")).toMatchObject({ outcome: "held" });
  past.creates("w1", { ...BODY, name: "another" }, { key: "k1" });
  expect(judge(past, "KEY-OTHER-BODY")).toMatchObject({ violations: [{ certainty: "proven" }] });
});

test("the reuse of a key after a rejection is recorded", () => {
  const past = history().creates("", {}, { key: "k1", status: 400 }).creates("w1", BODY, { key: "k1" });
  expect(judge(past, "KEY-REUSE", " after a rejection")).toMatchObject({
    notes: [{ behaviour: "keysAfterRejection", answer: { status: 200 } }],
  });
});

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });

test("the longest key is not to blame if the shorter one is for an action on another resource", () => {
  const workshop = loadSpec(file("test/editions/workshop/openapi.yaml"), file("spec/requirements.yaml"));
  const sent = { bench: "b1" };
  const keyed = (key: string) => ({
    sent,
    sentHeaders: [
      ["once", key],
      ["x-client", "suite"],
    ] as [string, string][],
  });
  const outcome = (second: string) => {
    const past = new HistoryBuilder(workshop)
      .answers("POST /jobs", { result: { no: 1 } }, { sent: { title: "a" }, sentHeaders: [["once", "k1"]] })
      .answers("POST /jobs", { result: { no: 2 } }, { sent: { title: "b" }, sentHeaders: [["once", "k2"]] })
      .answers("POST /jobs/{job}/move", {}, { ...keyed("k".repeat(40)), path: "1", status: 409 })
      .answers("POST /jobs/{job}/move", { result: { no: Number(second) } }, { ...keyed("k3"), path: second });
    return idempotencyRules(workshop)
      .find(
        ({ id }) =>
          id === "idempotency/CREATE-EDGES POST /jobs/{job}/move header/Once maxLength 40 characters",
      )
      ?.verdict(new History(workshop, HEAD, past.entries)).outcome;
  };
  expect(outcome("1")).toBe("violated");
  expect(outcome("2")).toBe("not-exercised");
});

test("two parents may each have a resource with the same id", () => {
  const orchard = loadSpec(file("test/editions/orchard/openapi.yaml"), file("spec/requirements.yaml"));
  const add = (past: HistoryBuilder, grove: string, row: number, key: string) =>
    past.answers(
      "POST /v2/groves/{grove}/rows",
      { result: { row } },
      { path: grove, sent: { facing: "north" }, sentHeaders: [["once", key]] },
    );
  const outcome = (past: HistoryBuilder) =>
    idempotencyRules(orchard)
      .find(({ id }) => id === "idempotency/KEY-DISTINCT POST /v2/groves/{grove}/rows unlike")
      ?.verdict(new History(orchard, HEAD, past.entries)).outcome;
  const first = () => add(new HistoryBuilder(orchard), "g1", 1, "abcdefgh1");
  expect(outcome(add(first(), "g2", 1, "ijklmnop2"))).toBe("held");
  expect(outcome(add(first(), "g1", 1, "ijklmnop2"))).toBe("violated");
});

describe("a replayed key", () => {
  const replayed = () => history().creates("w1", BODY, { key: "k1" }).creates("w1", BODY, { key: "k1" });
  const own = { ...BODY, id: "w1" };

  test("made a second resource if another one has its texts", () => {
    const past = replayed().lists([own, { ...own, id: "w2" }]);
    expect(judge(past, "KEY-REPLAY")).toMatchObject({
      violations: [{ actual: "also w2 with the same texts" }],
    });
  });

  test("made one resource if another one only shows it as a part", () => {
    const past = replayed().lists([own, { id: "w2", name: "other", metadata: {}, parent: own }]);
    expect(judge(past, "KEY-REPLAY").outcome).not.toBe("violated");
  });

  test("may make another resource under another parent", () => {
    const harbour = loadSpec(file("test/editions/harbour/openapi.yaml"), file("spec/requirements.yaml"));
    const crew = "POST /api/ships/{ship}/crew";
    const hires = (ships: [string, string]) => {
      const past = new HistoryBuilder(harbour);
      for (const [index, ship] of ships.entries())
        past.answers(
          crew,
          { result: { id: `m${index}` } },
          { path: ship, sent: { name: "a" }, sentHeaders: [["request-ref", "k1"]] },
        );
      const check = idempotencyRules(harbour).find(({ id }) => id === `idempotency/KEY-REPLAY ${crew}`);
      return check?.verdict(new History(harbour, HEAD, past.entries)).outcome;
    };
    expect(hires(["1", "1"])).toBe("violated");
    expect(hires(["1", "2"])).toBe("not-exercised");
  });
});
