import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { spec } from "../../spec/package-spec.ts";
import { runChecks } from "../run-checks.ts";

const MADE = /^isolation\/ISOLATION-WRITES POST \/v1\/financial-accounts$/;

/** The outcomes (for a skip, its reason) of the checks that look for a new account in the second space. */
async function lookedFor(options: { defects?: string[]; variant?: string }): Promise<unknown[]> {
  const service = await startReference(options);
  const { baseUrl, token, space, secondSpace, secondToken, fixtures } = service;
  try {
    const settings = { baseUrl, token, space, secondSpace, secondToken, fixtures, depth: "full" as const };
    const { results } = await runChecks(spec, settings, ({ id }) => MADE.test(id));
    return [...new Set(results.map(({ outcome, reason }) => reason ?? outcome))];
  } finally {
    await service.close();
  }
}

test("a list without a documented shape can show resources that were created in another space", async () => {
  expect(await lookedFor({})).toEqual(["pass"]);
  expect(await lookedFor({ defects: ["made-in-every-space@account-create"] })).toEqual(["fail"]);
});

test("a list that does not even show the created resource in its own space shows nothing about others", async () => {
  expect(await lookedFor({ variant: "named-only-absent" })).toEqual(["no-data"]);
});
