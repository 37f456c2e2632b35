/** Requests that a probe makes without the required parameters get them. */

import { expect, test } from "vitest";
import { Call } from "../../client/call.ts";
import { requestTo, withQuery } from "../../generators/request.ts";
import { documentCopy, objectAt, operation, spec, specOf } from "../spec/package-spec.ts";
import { runAgainst } from "../suites/fakes.ts";

const page = { success: true, messages: [], result: [], pagination: { count: 0, total: 0, next: null } };

/** Returns the country of a request that is planned with this query. Banks are in one country only. */
const countrySent = async (query: Record<string, string | null>, edition = spec) => {
  const banks = operation("GET /banks", edition);
  const asked: (string | null)[] = [];
  await runAgainst(
    (one) => {
      const country = one.query.get("country");
      asked.push(country);
      return { status: 200, body: country === "CM" ? { ...page, result: [{}] } : page };
    },
    (target) => new Call(target, banks).send(withQuery(requestTo(banks, null), query)),
    edition === spec ? { fixtures: { country: "CM" } } : {},
    edition,
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

test.each([["enum"], ["examples"]])(
  "a value of %s is sent under which the list shows items",
  async (keyword) => {
    const document = documentCopy();
    const country = objectAt(document, "components", "parameters", "Country");
    delete country["x-values-from"];
    objectAt(country, "schema")[keyword] = ["KE", "CM"];
    expect(await countrySent({}, specOf(document))).toBe("CM");
  },
);
