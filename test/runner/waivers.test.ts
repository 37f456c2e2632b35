import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { CheckResult } from "../../reports/report.ts";
import {
  applyWaivers,
  readWaivers,
  refuseIdleWaivers,
  type TriedChecks,
  type Waiver,
} from "../../runner/reporting/waivers.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { exampleCheck, exampleResult } from "./example.ts";

const folder = mkdtempSync(join(tmpdir(), "waivers-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string): Waiver[] {
  const file = join(folder, "waivers.yaml");
  writeFileSync(file, text);
  return readWaivers(file);
}

describe("readWaivers", () => {
  test("gives each waiver its place in the file", () => {
    const [first, second] = read(`waivers:
  - { requirement: LIST-*, operation: GET /webhooks, reason: soon, expires: 2026-12-31 }
  - requirement: A
    operation: "*"
    check: b
    reason: later
    expires: "2027-01-01"
`);
    expect(first).toMatchObject({ requirement: "LIST-*", expires: "2026-12-31" });
    expect(first?.where).toMatch(/waivers\.yaml:2$/);
    expect(first?.where).not.toMatch(/^\//);
    expect(second).toMatchObject({ check: "b", expires: "2027-01-01" });
    expect(second?.where).toMatch(/waivers\.yaml:3$/);
  });

  test.each([
    [
      "waivers:\n  - { requirement: A, operation: b, reason: c }",
      /:2: a waiver must have required property 'expires'/,
    ],
    ["waivers:\n  - { requirment: A, operation: b, reason: c, expires: 2026-01-01 }", /:2: /],
    [
      "waivers:\n  - { requirement: A, operation: b, reason: c, expires: 2026-01-01, chek: d }",
      /a waiver has no chek; did you mean check\?/,
    ],
    [
      "waivers:\n  - requirement: A\n    operation: b\n    reason: c\n    expires: soon",
      /:5: expires must match format "date"/,
    ],
    [
      "waivers:\n  - requirement: A\n    operation: b\n    reason: c\n    expires: 2026-02-30",
      /:5: expires must match/,
    ],
    ["waivrs: []", /a waivers file/],
    ["- a", /a waivers file must be object/],
    ["waivers: [", /waivers\.yaml:\d+: /],
  ])("refuses %j", (text, complaint) => {
    expect(() => read(text)).toThrow(UsageError);
    expect(() => read(text)).toThrow(complaint);
  });

  test("an empty file waives nothing", () => {
    expect(read("# nothing yet\n")).toEqual([]);
  });
});

describe("applyWaivers", () => {
  const waiver = (change: Partial<Waiver> = {}): Waiver => ({
    requirement: "LIST-COUNT",
    operation: "GET /webhooks",
    reason: "known",
    expires: "2026-06-30",
    where: "waivers.yaml:2",
    ...change,
  });
  const check = exampleCheck("one");
  const apply = (results: CheckResult[], waivers: Waiver[], change: Partial<TriedChecks> = {}) =>
    applyWaivers(results, waivers, {
      strict: false,
      today: "2026-06-30",
      depth: "full",
      planned: new Map([[check.id, check]]),
      untried: [],
      ...change,
    });
  const fail = exampleResult(check, { outcome: "fail" });
  const warn = exampleResult(check, { outcome: "warn" });

  test("covers a failure up to its last day", () => {
    const { results, complaints } = apply([fail], [waiver()]);
    expect(results[0]?.waived).toEqual({ reason: "known", expires: "2026-06-30" });
    expect(complaints).toEqual([]);
  });

  test("covers nothing after it, and says so", () => {
    const { results, complaints } = apply([fail], [waiver()], { today: "2026-07-01" });
    expect(results[0]?.waived).toBeUndefined();
    expect(complaints).toEqual([
      "the waiver at waivers.yaml:2 (LIST-COUNT, GET /webhooks) expired on 2026-06-30",
    ]);
  });

  test("covers a warn only under strict, and changes nothing otherwise", () => {
    expect(apply([warn], [waiver()], { strict: true }).results[0]?.waived).toBeDefined();
    expect(apply([warn], [waiver()])).toEqual({ results: [warn], complaints: [], notices: [] });
  });

  test.each<[string, Partial<Waiver>, boolean]>([
    ["globs", { requirement: "LIST-*", operation: "* /web*" }, true],
    ["another operation", { operation: "GET /banks" }, false],
    ["another requirement", { requirement: "LIST-ORDER" }, false],
    ["its check", { check: "o*" }, true],
    ["another check", { check: "two" }, false],
  ])("%s", (_, change, fits) => {
    expect(apply([fail], [waiver(change)]).results[0]?.waived !== undefined).toBe(fits);
  });

  test("a deviation that is gone is a complaint; one that could not be tested is not", () => {
    const pass = exampleResult(check);
    expect(apply([pass], [waiver()]).complaints.join()).toContain("covers nothing any more, because");
    const skip = exampleResult(check, { outcome: "skip", reason: "drift" });
    expect(apply([skip], [waiver()]).complaints).toEqual([]);
    expect(apply([pass, skip], [waiver()]).complaints).toEqual([]);
  });

  test("checks that the depth leaves to other seeds keep a waiver from being stale", () => {
    const pass = exampleResult(check);
    const other = { ...check, id: "one @caph.2025-06-20", sampledGroup: "one" };
    const quick = apply([pass], [waiver()], { depth: "quick" });
    expect(quick.complaints).toEqual([]);
    expect(quick.notices.join()).toContain(
      "covered nothing in this run; --depth full shows whether it can be removed",
    );
    const full = apply([pass], [waiver()], { untried: [other] });
    expect(full.complaints).toEqual([]);
    expect(full.notices.join()).toContain("covered nothing in this run; not all of its checks ran");
  });

  test("fits a check by the id that it has at the other depth", () => {
    const picked = { ...check, sampledGroup: check.id, ownId: "one @caph.2025-06-20" };
    const planned = new Map([[check.id, picked]]);
    const { results } = apply([fail], [waiver({ check: "one @caph.2025-06-20" })], { planned });
    expect(results[0]?.waived).toBeDefined();
    expect(apply([fail], [waiver({ check: "one @none" })], { planned }).results[0]?.waived).toBeUndefined();
  });
});

describe("refuseIdleWaivers", () => {
  const checks = [exampleCheck("one"), { ...exampleCheck("two"), operation: "GET /banks" }];
  const refuse = (change: Partial<Waiver>) =>
    refuseIdleWaivers(
      [
        {
          requirement: "LIST-COUNT",
          operation: "GET /webhooks",
          reason: "known",
          expires: "2026-06-30",
          where: "w.yaml:2",
          ...change,
        },
      ],
      checks,
      ["LIST-COUNT", "LIST-ORDER"],
    );

  test.each<[Partial<Waiver>, string]>([
    [{ requirement: "LIST-CONUT" }, "w.yaml:2: no requirement fits LIST-CONUT; did you mean LIST-COUNT?"],
    [{ operation: "GET /webhook" }, "w.yaml:2: no operation fits GET /webhook; did you mean GET /webhooks?"],
    [{ check: "onne" }, "w.yaml:2: no check fits onne; did you mean one?"],
    [{ requirement: "LIST-ORDER" }, "w.yaml:2: no check tests LIST-ORDER at GET /webhooks"],
    [{ requirement: "X", operation: "Y" }, "w.yaml:2: no requirement fits X; w.yaml:2: no operation fits Y"],
  ])("refuses %j", (change, message) => {
    expect(() => refuse(change)).toThrow(new UsageError(message));
  });

  test("accepts waivers that fit", () => {
    expect(() => refuse({ requirement: "LIST-*", operation: "GET *" })).not.toThrow();
  });
});
