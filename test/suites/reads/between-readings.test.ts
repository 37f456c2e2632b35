import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { spec } from "../../spec/package-spec.ts";
import { withProxy } from "../altering-proxy.ts";
import { runChecks } from "../run-checks.ts";

const LIST = "/v1/ussd-otps";

/** The reads of the list by the check that reads it again: version, and if they have a token. */
async function readings(): Promise<string[]> {
  const service = await startReference();
  const seen: string[] = [];
  try {
    await withProxy(
      service.baseUrl,
      (_, path, answer, { authorization, "service-version": version }) => {
        if (path === LIST) seen.push(`${authorization === undefined ? "no token" : "token"} ${version}`);
        return answer;
      },
      (baseUrl) =>
        runChecks(
          spec,
          { baseUrl, token: service.token, space: service.space, depth: "quick", seed: 1 },
          ({ id }) => id.startsWith(`reads/READ-STABLE GET ${LIST}`),
        ),
    );
  } finally {
    await service.close();
  }
  return seen;
}

test("a list is read without a token and under another version between two readings", async () => {
  const [first, second, third, again] = await readings();
  expect(first).toMatch(/^token/);
  expect(second).toBe(first?.replace("token", "no token"));
  expect(third).toMatch(/^token/);
  expect(third).not.toBe(first);
  expect(again).toBe(first);
});
