import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { spec } from "../../spec/package-spec.ts";
import { withProxy } from "../altering-proxy.ts";
import { runChecks } from "../run-checks.ts";

test.each([1, 2, 3])(
  "a country that is not found any more, but listed, is a violation with seed %i",
  async (seed) => {
    const service = await startReference();
    const { token, space, fixtures } = service;
    const askedOtherwise = new Set<string>();
    try {
      const { results } = await withProxy(
        service.baseUrl,
        (_, path, answer) => {
          const [, kind, id = ""] = /^\/(\w+)\/([^/?]+)/.exec(path) ?? [];
          if (kind === "banks" && answer.status === 404) askedOtherwise.add(id);
          return kind === "countries" && askedOtherwise.has(id) ? { ...answer, status: 404 } : undefined;
        },
        (baseUrl) => {
          const settings = { baseUrl, token, space, fixtures, seed, depth: "quick" as const };
          return runChecks(spec, settings, ({ operation }) => /\/(banks|countries)/.test(operation));
        },
      );
      const failed = results.filter(({ outcome }) => outcome === "fail").map(({ id }) => id);
      expect(failed).toContain("reads/READ-ACCEPTED GET /countries/{idOrCode} by id");
    } finally {
      await service.close();
    }
  },
);
