/** A service may number the resources of each space, and show times in whole seconds. */

import { expect, test } from "vitest";
import { isObject } from "../../../spec/json.ts";
import { spec } from "../../spec/package-spec.ts";
import { against } from "../fakes.ts";
import { runChecks } from "../run-checks.ts";

const KEYS = "isolation/ISOLATION-KEYS POST /webhooks";

/** The outcome of the check alone. A service that `sharesKeys` shows the resource of another space. */
function outcome(sharesKeys: boolean): Promise<unknown> {
  const counts = new Map<string, number>();
  const answers = new Map<string, object>();
  let last = 0;
  return against(
    ({ method, headers, body }) => {
      if (method !== "POST") return { status: 404, body: {} };
      const space = String(headers["service-space-id"]);
      const key = `${sharesKeys ? "" : space} ${headers["idempotency-key"]}`;
      const count = (counts.get(space) ?? 0) + 1;
      const known = answers.get(key);
      if (known) return { status: 200, body: known };
      counts.set(space, count);
      last++;
      const sent: unknown = JSON.parse(body);
      const result = {
        events: [],
        isActive: false,
        ...(isObject(sent) ? sent : {}),
        id: String(sharesKeys ? last : count),
        createTime: "2026-01-01T00:00:00Z",
      };
      const made = { success: true, messages: [], result };
      answers.set(key, made);
      return { status: 200, body: made };
    },
    async ({ baseUrl }) => {
      const settings = { baseUrl, secondSpace: "spc-second" };
      const { results } = await runChecks(spec, settings, ({ id }) => id === KEYS);
      return results.map((result) => result.outcome);
    },
  );
}

test("an equal resource with an equal number in another space is another one if each space counts", async () => {
  expect(await outcome(false)).toEqual(["pass"]);
});

test("an equal resource with an equal number is the same one if all spaces count together", async () => {
  expect(await outcome(true)).toEqual(["fail"]);
});
