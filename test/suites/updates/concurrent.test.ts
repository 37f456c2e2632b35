import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { spec } from "../../spec/package-spec.ts";
import { runChecks } from "../run-checks.ts";

// With seed 2, the first fields can't show which update was stored: a service may decline their values, or these
// differ only in the order of a list.
test.each([1, 2, 3])(
  "updates at the same time set a field that shows which one was stored, with seed %i",
  async (seed) => {
    const service = await startReference();
    const { baseUrl, token, space } = service;
    try {
      const settings = { baseUrl, token, space, seed, depth: "quick" as const };
      const { results } = await runChecks(
        spec,
        settings,
        ({ id }) => id === "updates/UPDATE-ECHO PATCH /webhooks/{id} at the same moment",
      );
      expect(results.map(({ outcome }) => outcome)).toEqual(["pass"]);
    } finally {
      await service.close();
    }
  },
);
