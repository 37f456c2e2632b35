/** Waivers, replays and comparisons refer to the ids of checks, so these tests keep them unchanged. */

import { describe, expect, test } from "vitest";
import { STAGES } from "../../spec/model/check.ts";
import { allChecks } from "../../suites/index.ts";
import { documentCopy, spec, specOf } from "../spec/package-spec.ts";

const checks = allChecks(spec);

test("the ids of all checks are unchanged", async () => {
  const ids = checks.map(({ id }) => id).sort();
  await expect(
    `${ids.join("\n")}\n`,
    "add new ids with --update; CONTRIBUTING.md says which may disappear",
  ).toMatchFileSnapshot("check-ids.txt");
});

test("no two checks have one id", () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});

test("an id names suite, requirement and operation, and no version", () => {
  for (const { id, suite, requirements, operation } of checks) {
    const [requirement = ""] = requirements;
    expect(id.startsWith(`${suite}/${requirement} ${operation}`), id).toBe(true);
    expect(/ @(none|caph\.\d{4}-\d\d-\d\d)$/.test(id), id).toBe(false);
  }
});

describe("an id never depends on a position", () => {
  const ids = (from: typeof spec) => new Set(allChecks(from).map(({ id }) => id));

  test("not on that of an operation, a parameter or a property in the document", () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, child]) => [key, reversed(child)]),
      );
    };
    const document = reversed(documentCopy()) as ReturnType<typeof documentCopy>;
    expect(ids(specOf(document))).toEqual(ids(spec));
  });

  test("not on that of an operation that was removed", () => {
    const document = documentCopy();
    const paths = document.paths as Record<string, unknown>;
    delete paths["/v1/ussd-otps"];
    const left = [...ids(spec)].filter((id) => !id.includes("/v1/ussd-otps"));
    expect(ids(specOf(document))).toEqual(new Set(left));
  });
});

test("a check has all its parts", () => {
  const keys = new Set(spec.operations.map(({ key }) => key));
  for (const { id, title, requirements, operation, stage, writes } of checks) {
    expect(title.length, id).toBeGreaterThan(10);
    expect(requirements.length, id).toBe(1);
    for (const requirement of requirements) expect(spec.requirements.has(requirement), id).toBe(true);
    expect(keys.has(operation), id).toBe(true);
    expect(STAGES).toContain(stage);
    // A read-only run leaves out the checks that say they write. In these stages, each check does.
    if (["prepare", "race", "write", "clash", "burst"].includes(stage)) expect(writes, id).toBe(true);
    if (stage === "repeat" || stage === "read") expect(writes, id).toBe(false);
  }
});
