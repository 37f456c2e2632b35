/**
 * What passes on servers that are no service at all. A pass needs a subject: whatever passes here is truly so of the
 * answers that such a server gives, and the list says why.
 */

import { describe, expect, test } from "vitest";
import { startNullService } from "../../reference/index.ts";
import { spec } from "../spec/package-spec.ts";
import { runChecks } from "./run-checks.ts";

/** Suites whose checks conclude from what is read alone. */
const SUITES = ["reads", "versions", "responses"];

/** By null service: the requirements of the checks that pass, and why each is truly so. */
const PASSES: Record<string, Record<string, string>> = {};

describe.each(Object.keys(PASSES))("%s", (name) => {
  test("passes in nothing but what it keeps", async () => {
    const service = await startNullService(name);
    try {
      const { token, space, fixtures, baseUrl } = service;
      const { results } = await runChecks(
        spec,
        { token, space, fixtures: { ...fixtures }, baseUrl, readOnly: true },
        ({ suite }) => SUITES.includes(suite),
      );
      const passed = results.filter(({ outcome }) => outcome === "pass");
      const kept = new Set(passed.flatMap(({ requirements }) => requirements));
      expect([...kept].sort()).toEqual(Object.keys(PASSES[name] ?? {}).sort());
    } finally {
      await service.close();
    }
  });
});
