import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../../command/options/config-schema.ts";

const file = new URL("../../../command/options/config.schema.json", import.meta.url);

test("the package's JSON Schema matches the table of options (npm run docs writes it again)", async () => {
  await expect(`${JSON.stringify(configSchema(), null, 2)}\n`).toMatchFileSnapshot(file.pathname);
});

test("the schema accepts a full file and refuses wrong ones", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  formatsModule.default(ajv);
  const matches = ajv.compile(JSON.parse(readFileSync(file, "utf8")));
  const full = parse(`
    baseUrl: https://pay.example.test/api
    token: \${TOKEN}
    space: spc-1
    fixtures: { payout: po_1 }
    only: [LIST-*]
    skip: deliveries
    shard: 1/2
    strict: true
    rate: 0.5
    seed: 7
    reporter: json
  `);
  expect(matches(full)).toBe(true);
  for (const wrong of ["bseUrl: x", "runs: 0", "reporter: loud", "fixtures: { nothing: x }", "rate: 0"]) {
    expect(matches(parse(wrong))).toBe(false);
  }
});
