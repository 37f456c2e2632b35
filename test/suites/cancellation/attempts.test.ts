import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { spec } from "../../spec/package-spec.ts";
import { runChecks } from "../run-checks.ts";

test.each([13, 14])(
  "the status after cancelling is tested on a service that takes null for a field that is left out (seed %i)",
  async (seed) => {
    const service = await startReference({ variant: "null-optional-is-absent" });
    try {
      const { baseUrl, token, space, secondSpace, fixtures } = service;
      const { results } = await runChecks(
        spec,
        { baseUrl, token, space, secondSpace, fixtures, seed },
        ({ id }) => id === "updates/CANCEL-STATUS PATCH /payment-codes/{id} status",
      );
      expect(results.map(({ outcome, message }) => `${outcome} ${message ?? ""}`.trim())).toEqual(["pass"]);
    } finally {
      await service.close();
    }
  },
);
