import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { spec } from "../../spec/package-spec.ts";
import { withProxy } from "../altering-proxy.ts";
import { runChecks } from "../run-checks.ts";

/** The reads of one thing by the check that reads it again: version, and what is wrong with it. */
async function readings(operation: string, path: RegExp): Promise<string[]> {
  const service = await startReference();
  const seen: string[] = [];
  try {
    await withProxy(
      service.baseUrl,
      (_, asked, answer, { authorization, "service-version": version, "service-space-id": space }) => {
        const wrong = [
          ...(authorization === undefined ? ["no token"] : []),
          ...(space !== undefined && space !== service.space ? ["unknown space"] : []),
          ...(asked.includes("/conformance-") ? ["unknown id"] : []),
        ];
        if (path.test(asked)) seen.push([version, ...wrong].join(", "));
        return answer;
      },
      (baseUrl) =>
        runChecks(
          spec,
          { baseUrl, token: service.token, space: service.space, depth: "quick", seed: 1 },
          ({ id }) => id.startsWith(`reads/READ-STABLE GET ${operation}`),
        ),
    );
  } finally {
    await service.close();
  }
  return seen;
}

test("a list is read without a token, in an unknown space and under another version between two readings", async () => {
  const [first = "", ...others] = await readings("/v1/ussd-otps", /^\/v1\/ussd-otps$/);
  const between = others.slice(0, others.indexOf(first));
  expect(between).toHaveLength(3);
  expect(between).toEqual(expect.arrayContaining([`${first}, no token`, `${first}, unknown space`]));
  expect(between.filter((read) => !read.includes(","))).toHaveLength(1);
});

test("the records of an operation share out the reads between two readings", async () => {
  const seen = await readings("/momos/{idOrCode}", /\/momos\/./);
  const [first = ""] = seen;
  expect(seen.filter((read) => read === `${first}, no token`)).toHaveLength(1);
  expect(seen.filter((read) => read === `${first}, unknown id`)).toHaveLength(1);
  expect(seen.filter((read) => read === first)).toHaveLength(4);
});
