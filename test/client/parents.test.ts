/** Resources that the run makes for the parameters of paths. */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { outerPath, withOuterPath } from "../../client/resources.ts";
import { requestTo, withBody } from "../../generators/request.ts";
import type { JsonObject } from "../../spec/json.ts";
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

const PLAYS = { status: 200, body: { result: [{ genre: "opera" }], pagination: { count: 1, next: null } } };

test("an action gets a resource of its own, so that it disturbs nothing below other resources", async () => {
  const paths = await runAgainst(
    ({ method }) => ({
      status: 200,
      body: method === "POST" ? { result: { id: randomUUID() } } : PLAYS.body,
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

test("an action that a resource accepts only once gets a new resource, and one with a faulty body yet another", async () => {
  const close = operation("POST /stage/plays/{play}/close", theatre);
  const closed = new Set<string>();
  const plays = await runAgainst(
    ({ method, path }) => {
      if (method === "GET") return PLAYS;
      if (!path.endsWith("/close")) return { status: 200, body: { result: { id: randomUUID() } } };
      if (closed.has(path)) return { status: 409, body: { error: "closed" } };
      closed.add(path);
      return { status: 200, body: { result: { id: path.split("/").at(-2) } } };
    },
    async (target) => {
      const placed = (closedOn: unknown) =>
        withOuterPath(target, withBody(requestTo(close, null), { closedOn } as JsonObject));
      const used: (string | undefined)[] = [];
      for (const closedOn of ["2026-01-01", "2026-01-01", "2026-01-01", 7]) {
        const plan = await placed(closedOn);
        used.push(plan.outer?.play);
        await target.send(plan);
      }
      return used;
    },
    { space: randomUUID() },
    theatre,
  );
  expect(plays[1]).toBe(plays[0]);
  expect(new Set(plays).size).toBe(3);
});
