import { expect, test } from "vitest";
import { startReference } from "../../../reference/index.ts";
import { spec } from "../../spec/package-spec.ts";
import { withProxy } from "../altering-proxy.ts";
import { runChecks } from "../run-checks.ts";

/**
 * Runs the checks whose ids begin with `reads/` and `check`. Returns their reads at paths that match `path`, in order.
 * A read is its version and its faults, such as `caph.2025-08-23, no token`; with `asPaths`, its path.
 */
async function readings(check: string, path: RegExp, { asPaths = false } = {}): Promise<string[]> {
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
        if (path.test(asked)) seen.push(asPaths ? asked : [version, ...wrong].join(", "));
        return answer;
      },
      (baseUrl) =>
        runChecks(
          spec,
          { baseUrl, token: service.token, space: service.space, depth: "quick", seed: 1 },
          ({ id }) => id.startsWith(`reads/${check}`),
        ),
    );
  } finally {
    await service.close();
  }
  return seen;
}

test("between equal reads of a list come ones without a token, in an unknown space, under another version", async () => {
  const [first = "", ...others] = await readings("READ-STABLE GET /v1/ussd-otps", /^\/v1\/ussd-otps$/);
  const between = others.slice(0, others.indexOf(first));
  expect(between).toHaveLength(3);
  expect(between).toEqual(expect.arrayContaining([`${first}, no token`, `${first}, unknown space`]));
  expect(between.filter((read) => !read.includes(","))).toHaveLength(1);
});

test("a record is read again after reads without a token, under another version or of an unknown id", async () => {
  const seen = await readings("READ-STABLE GET /momos/{idOrCode}", /\/momos\/./);
  const [first = ""] = seen;
  const other = seen.find((read) => !read.includes(",") && read !== first);
  const between = seen.slice(1, 3);
  expect(between.toSorted()).toEqual([other, `${first}, no token`].toSorted());
  // At the end, both records are read for the second time.
  expect(seen).toEqual([first, ...between, first, `${first}, unknown id`, first, first]);
});

test("before its first read, the id of a record is asked for at an operation on another resource", async () => {
  const paths = await readings("READ-ACCEPTED GET /momos/{idOrCode}", /^\/(banks|momos)\/./, {
    asPaths: true,
  });
  const idOf = (path: string) => path.replace(/^\/\w+\//, "");
  const momos = paths.filter((path) => path.startsWith("/momos/")).map(idOf);
  const asked = paths.filter((path) => path.startsWith("/banks/") && momos.includes(idOf(path)));
  expect(asked.length).toBeGreaterThan(0);
  for (const path of asked)
    expect(paths.indexOf(`/momos/${idOf(path)}`)).toBeGreaterThan(paths.indexOf(path));
});
