import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Call } from "../../../client/call.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { textsInOtherCase } from "../../../suites/updates/fields.ts";
import { operation } from "../../spec/package-spec.ts";
import { runAgainst } from "../fakes.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const harbour = loadSpec(file("test/editions/harbour/openapi.yaml"), file("spec/requirements.yaml"));

test("a code whose values come from a list keeps its letter case, and another text does not", async () => {
  const swapped = (key: string, shown: Record<string, string>) =>
    runAgainst(
      () => ({ status: 200, body: {} }),
      async (target) =>
        textsInOtherCase(new Call(target, operation(key, harbour)), shown, Object.keys(shown)),
      {},
      harbour,
    );
  expect(await swapped("PUT /api/ships/{ship}/calls/{call}", { berth: "A-1" })).toEqual({});
  expect(await swapped("PATCH /api/ships/{ship}", { title: "Anna" })).toEqual({ title: "aNNA" });
});
