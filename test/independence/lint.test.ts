import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../runner/package-root.ts";

const require = createRequire(import.meta.url);

test("Redocly CLI finds nothing wrong with the document", () => {
  const manifest = require.resolve("@redocly/cli/package.json");
  const program = join(dirname(manifest), require(manifest).bin.redocly as string);
  const printed = execFileSync(
    process.execPath,
    [program, "lint", "spec/openapi.yaml", "--extends=recommended", "--format=json"],
    {
      cwd: packageRoot(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  const { totals, problems } = JSON.parse(printed) as { totals: unknown; problems: { message: string }[] };
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});
