/** Resources that the run makes for the parameters of paths. */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { outerPath } from "../../client/resources.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { operation } from "../spec/package-spec.ts";
import { runAgainst } from "../suites/fakes.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));

const KEYS = [
  "GET /stage/plays/{play}/nights",
  "POST /stage/plays/{play}/nights",
  "POST /stage/plays/{play}/close",
];

test("an action gets a resource of its own, so that it disturbs nothing below other resources", async () => {
  const paths = await runAgainst(
    ({ method }) => ({
      status: 200,
      body:
        method === "POST"
          ? { result: { id: randomUUID() } }
          : { result: [{ genre: "opera" }], pagination: { count: 1, next: null } },
    }),
    async (target) => {
      const found: (string | undefined)[] = [];
      for (const key of KEYS) found.push((await outerPath(target, operation(key, theatre))).play);
      return found;
    },
    {},
    theatre,
  );
  const [listed, created, closed] = paths;
  expect(created).toBe(listed);
  expect(closed).not.toBe(listed);
});
