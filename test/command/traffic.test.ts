/** `--traffic` writes every exchange of a run to one HAR file, without secrets. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import formatsModule from "ajv-formats";
import { expect, test } from "vitest";
import type { Har } from "../../reports/formats/har.ts";
import type { Report } from "../../reports/report.ts";
import { command, inFolder, reportIn } from "./command.ts";
import { flagsFor, withReference } from "./targets.ts";

const harSchemas = createRequire(import.meta.url)("har-schema") as Record<string, object>;

test("--traffic writes each request and answer once, and no secret", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      const flags = [...flagsFor(service), "--only", "CREATE-ECHO", "--only", "REJECTION-CHALLENGE"];
      const { code } = await command(["run", ...flags, "--traffic"], { cwd });
      expect(code).toBe(0);
      const text = readFileSync(join(cwd, "conformance-report", "traffic.har"), "utf8");
      const { log } = JSON.parse(text) as Har;
      expect(log.entries).toHaveLength(reportIn(cwd).run.requests);
      const ajv = new Ajv({ strict: false });
      formatsModule.default(ajv);
      for (const { $schema: _draft, ...rules } of Object.values(harSchemas) as { $schema?: string }[])
        ajv.addSchema(rules);
      expect(ajv.validate("har.json#", { log }), ajv.errorsText()).toBe(true);
      // A create sends a webhook's secret in its body, so one body must show the redaction.
      expect(log.entries.some(({ request }) => request.postData?.text.includes("[redacted]"))).toBe(true);
      expect(text).not.toContain(service.token);
      // A malformed body may end within a secret. Fewer than 8 characters of a secret are not redacted.
      expect(text).not.toMatch(/"hmac256\\*":\{\\*"secret\\*":\\*"(?!\[redacted\])[^"\\]{8}/);
    }),
  ));

test("the traffic of an earlier run is not left beside another run's report", () =>
  withReference({}, (service) =>
    inFolder(async (cwd) => {
      const flags = ["run", ...flagsFor(service), "--only", "LIST-COUNT"];
      const har = () => readFileSync(join(cwd, "conformance-report", "traffic.har"), "utf8");
      await command([...flags, "--traffic"], { cwd });
      expect(har()).toContain("/countries");
      await command(flags, { cwd });
      expect(har).toThrow(/ENOENT/);
    }),
  ));

test("the traffic of a whole run on a sound service has no violation, even if nobody else wrote", () =>
  inFolder(async (cwd) => {
    await command(["run", "--embedded", "--traffic", "--seed", "7", "--out", "clean"], { cwd });
    const { code } = await command(["judge", "clean/traffic.har", "--sole-writer", "--out", "judged"], {
      cwd,
    });
    const { checks } = JSON.parse(readFileSync(join(cwd, "judged", "report.json"), "utf8")) as Report;
    expect(checks.filter(({ outcome }) => outcome === "fail").map(({ id }) => id)).toEqual([]);
    expect(checks.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(500);
    expect(code).toBe(3);
  }));
