import { describe, expect, it } from "vitest";
import { MergeError, mergeReports } from "../../reports/comparing/merge.ts";
import type { Report } from "../../reports/report.ts";
import { validateReport } from "../../reports/validate.ts";
import { check, failing, reportOf, typicalReport } from "./example.ts";

/** The report of one shard of the run `whole`. It skips the checks of the other shards. */
function shardOf(whole: Report, index: number, total: number): Report {
  const checks = whole.checks.map((one, position) =>
    position % total === index - 1
      ? one
      : check({
          id: one.id,
          suite: one.suite,
          operation: one.operation,
          requirements: one.requirements,
          outcome: "skip",
          reason: "shard",
        }),
  );
  const options = { ...whole.run.options, shard: { index, total } };
  return reportOf(checks, {
    observations: whole.observations.filter((_, position) => position % total === index - 1),
    coverage: whole.coverage,
    run: {
      ...whole.run,
      requests: 100,
      startedAt: `2026-03-02T10:0${index}:00.000Z`,
      durationMs: 30_000,
      options,
    },
  });
}

const shards = (whole: Report, total: number) =>
  Array.from({ length: total }, (_, index) => shardOf(whole, index + 1, total));

/** The reports, each as that of a shard. */
const parts = (...reports: Report[]) =>
  reports.map((report, index) => {
    const options = { ...report.run.options, shard: { index: index + 1, total: reports.length } };
    return { ...report, run: { ...report.run, options } };
  });

describe("merging the reports of shards", () => {
  it("refuses another whole run, which would hide what is unsteady", () => {
    const unsteady = reportOf([check({ outcome: "unsteady" })]);
    expect(unsteady.verdict).toBe("inconclusive");
    expect(() => mergeReports([unsteady, reportOf([check()])])).toThrow("whole run");
    expect(mergeReports([unsteady]).verdict).toBe("inconclusive");
  });

  it("keeps the labels that all parts have, and names the others", () => {
    const labelled = (build: string) => reportOf([check()], { labels: { vendor: "Acme", build } });
    const merged = mergeReports(parts(labelled("4.2.1"), labelled("4.2.2")));
    expect(merged.labels).toEqual({ vendor: "Acme" });
    expect(merged.notices).toEqual(["The label build differs: 4.2.1, 4.2.2."]);
    expect(mergeReports(parts(labelled("1"), labelled("1"))).labels).toEqual({ vendor: "Acme", build: "1" });
  });

  it("gives the report that one run would have given", () => {
    const whole = typicalReport();
    const merged = mergeReports(shards(whole, 3));
    expect(merged.checks).toEqual(whole.checks);
    expect(merged.requirements).toEqual(whole.requirements);
    expect(merged.summary).toEqual(whole.summary);
    expect(merged.verdict).toBe(whole.verdict);
    expect(merged.run.partial).toBe(false);
    expect(new Set(merged.observations)).toEqual(new Set(whole.observations));
    expect(validateReport(JSON.parse(JSON.stringify(merged))).valid).toBe(true);
  });

  it("refuses judged traffic, which proves no conformance", () => {
    const [one, other] = shards(typicalReport(), 2);
    if (!one || !other) throw new Error("the example lacks a part");
    const exercised = { exercised: 1, total: 1, violated: 0 };
    const judged: Report["judged"] = {
      of: "others",
      files: [],
      exchanges: 1,
      requirements: exercised,
      checks: { judged: 1, total: 1 },
      places: [],
    };
    expect(() => mergeReports([one, { ...other, judged }])).toThrow("recorded traffic");
  });

  it.each([
    ["only", ["GET /banks"]],
    ["skip", ["GET /banks"]],
    ["readOnly", true],
    ["offers", ["core"]],
    ["serviceVersion", "none"],
  ])("refuses parts that differ in %s, which is the scope of the whole", (name, value) => {
    const [one, other] = shards(typicalReport(), 2);
    if (!one || !other) throw new Error("the example lacks a part");
    const options = { ...other.run.options, [name]: value };
    expect(() => mergeReports([one, { ...other, run: { ...other.run, options } }])).toThrow(
      `the reports are not of one run: ${name} is `,
    );
  });

  it("refuses parts of different depth", () => {
    const [one, other] = shards(typicalReport(), 2);
    if (!one || !other) throw new Error("the example lacks a part");
    const parts = [
      { ...one, depth: "quick" as const },
      { ...other, depth: "full" as const },
    ];
    expect(() => mergeReports(parts)).toThrow("depth is quick in one and full in another");
  });

  it("keeps a trait that several parts saw once, with the evidence of the first", () => {
    const [one, other] = shards(typicalReport(), 2);
    const [quota] = typicalReport().assumed ?? [];
    if (!one || !other || !quota) throw new Error("the example lacks a part");
    const late = { ...quota, trait: "late-reads" as const };
    expect(mergeReports([one, other])).not.toHaveProperty("assumed");
    const merged = mergeReports([
      { ...one, assumed: [quota] },
      { ...other, assumed: [{ ...quota, evidence: [] }, late] },
    ]);
    expect(merged.assumed).toEqual([quota, late]);
    expect(validateReport(JSON.parse(JSON.stringify(merged))).valid).toBe(true);
  });

  it("adds up requests and coverage, from the first start to the last end", () => {
    const merged = mergeReports(shards(typicalReport(), 2));
    expect(merged.run.requests).toBe(200);
    expect(merged.run.startedAt).toBe("2026-03-02T10:01:00.000Z");
    expect(merged.run.durationMs).toBe(90_000);
    expect(merged.run.options).not.toHaveProperty("shard");
    expect(merged.coverage.operations["GET /banks"]?.statuses).toEqual({ "200": 402, "400": 70, "401": 8 });
    expect(merged.coverage.operations["GET /banks"]?.outcomes).toEqual({ pass: 7, skip: 1, warn: 1 });
    expect(merged.coverage.fields["UssdOtp /id"]?.seen).toBe(824);
  });

  it("is partial and inconclusive while a shard is missing", () => {
    const passing = reportOf(
      typicalReport().requirements.flatMap(({ id }) => [
        check({ id, requirements: [id] }),
        check({ id: `${id}/2`, requirements: [id] }),
      ]),
    );
    expect(passing.verdict).toBe("conformant");
    const parts = shards(passing, 4);
    expect(mergeReports(parts).verdict).toBe("conformant");
    const some = mergeReports(parts.slice(0, 3));
    expect(some.run.partial).toBe(true);
    expect(mergeReports(parts.slice(0, 1)).verdict).toBe("inconclusive");
  });

  it("prefers a result to a skip, and a failure to a pass, in any order", () => {
    const [passed, failed] = [check(), failing()];
    const skipped = check({ outcome: "skip", reason: "no-data" });
    const inOtherShard = check({ outcome: "skip", reason: "shard" });
    const merge = (...checks: Report["checks"]) =>
      mergeReports(parts(...checks.map((one) => reportOf([one])))).checks;
    expect(merge(inOtherShard, passed)).toEqual([passed]);
    expect(merge(passed, failed)).toEqual([failed]);
    expect(merge(failed, passed)).toEqual([failed]);
    expect(merge(inOtherShard, skipped)).toEqual([skipped]);
    expect(merge(skipped, passed, inOtherShard)).toEqual([passed]);
  });

  it("keeps problems and complaints once", () => {
    const report = reportOf([], { problem: "refused", complaints: ["a waiver has expired"] });
    const merged = mergeReports(parts(report, report, reportOf([])));
    expect(merged.problem).toBe("refused");
    expect(merged.complaints).toEqual(["a waiver has expired"]);
    expect(merged.verdict).toBe("nonconformant");
    expect(mergeReports(parts(reportOf([]), reportOf([])))).not.toHaveProperty("problem");
  });

  it("accepts names that JavaScript objects already have", () => {
    const fields = JSON.parse('{"__proto__":{"seen":2,"null":0}}');
    const report = reportOf([], { coverage: { operations: {}, fields, constraints: {} } });
    expect(JSON.stringify(mergeReports(parts(report, report)).coverage.fields)).toBe(
      '{"__proto__":{"seen":4,"null":0}}',
    );
  });

  it.each<[string, (report: Report) => void]>([
    ["suite", (report) => Object.assign(report.suite, { version: "9" })],
    ["specification", (report) => Object.assign(report.spec, { sha256: "other" })],
    ["target", (report) => Object.assign(report.target, { baseUrl: "https://other.test" })],
    ["target", (report) => Object.assign(report.target, { embedded: true })],
    ["seed", (report) => Object.assign(report.run, { seed: 1 })],
    ["strict", (report) => Object.assign(report.run.options, { strict: true })],
    ["insecure", (report) => Object.assign(report.run.options, { insecure: true })],
  ])("refuses reports of another %s, and says so", (name, change) => {
    const other = structuredClone(typicalReport());
    change(other);
    expect(() => mergeReports([typicalReport(), other])).toThrow(MergeError);
    expect(() => mergeReports([typicalReport(), other])).toThrow(name);
  });

  it("refuses the same shard twice, and an empty list", () => {
    const [first] = shards(typicalReport(), 2);
    expect(() => mergeReports(first === undefined ? [] : [first, first])).toThrow("same shard");
    expect(() => mergeReports([])).toThrow(MergeError);
  });
});
