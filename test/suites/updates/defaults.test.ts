import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { spec } from "../../spec/package-spec.ts";
import { runChecks } from "../run-checks.ts";

// With these seeds, an earlier version of the suite read the switch only at its default value.
test.each([2, 4, 7])("the effect of not sending a switch is observed with seed %i", async (seed) => {
  const service = await startReference();
  const { baseUrl, token, space, fixtures } = service;
  try {
    const settings = { baseUrl, token, space, fixtures, seed, depth: "quick" as const };
    const { results } = await runChecks(spec, settings, ({ requirements }) =>
      requirements.includes("UPDATE-DEFAULT"),
    );
    expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["updates/UPDATE-DEFAULT PATCH /payment-codes/{id} isActive not sent", "note"],
    ]);
  } finally {
    await service.close();
  }
});
