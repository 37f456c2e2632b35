/** Requests that a probe makes without the required parameters get them. */

import { expect, test } from "vitest";
import { Call } from "../../client/call.ts";
import { requestTo, withQuery } from "../../generators/request.ts";
import { operation } from "../spec/package-spec.ts";
import { runAgainst } from "../suites/fakes.ts";

const banks = operation("GET /banks");
const page = { success: true, messages: [], result: [], pagination: { count: 0, total: 0, next: null } };

/** Returns the country of a request that is planned with this query. */
const countrySent = async (query: Record<string, string | null>) => {
  const asked: (string | null)[] = [];
  await runAgainst(
    (one) => {
      asked.push(one.query.get("country"));
      return { status: 200, body: page };
    },
    (target) => new Call(target, banks).send(withQuery(requestTo(banks, null), query)),
    { fixtures: { country: "CM" } },
  );
  return asked.at(-1);
};

test("a list gets its required filter", async () => {
  expect(await countrySent({})).toBe("CM");
});

test("a value that the probe chose stays", async () => {
  expect(await countrySent({ country: "KE" })).toBe("KE");
});

test("a parameter that the probe leaves out on purpose stays out", async () => {
  expect(await countrySent({ country: null })).toBeNull();
});
