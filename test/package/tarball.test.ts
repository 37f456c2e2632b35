/** The package as others install it: clean, small, and of use in an empty folder. */

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportIn } from "../command/command.ts";
import { flagsFor, withReference } from "../command/targets.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "payments-conformance-package-"));
const home = join(folder, "home");
let tarball = "";

beforeAll(async () => {
  mkdirSync(home);
  // Without `prepare`, which would build while other tests run what is built.
  await run("npm", ["run", "prepack"], { cwd: ROOT });
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: ROOT,
  });
  const [packed] = JSON.parse(stdout) as [{ filename: string }];
  await run("npm", ["run", "postpack"], { cwd: ROOT });
  tarball = join(folder, packed.filename);
  writeFileSync(join(home, "package.json"), "{}");
  await run("npm", ["install", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline", tarball], {
    cwd: home,
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bytes of the files below a folder. */
function sizeOf(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

test("holds what is needed to run and to read, and nothing of how it is made", async () => {
  const { stdout } = await run("tar", ["tzf", tarball]);
  const names = stdout.trim().split("\n");
  expect(names).toContain("package/dist/command/bin.js");
  expect(names).toContain("package/spec/openapi.yaml");
  expect(names).toContain("package/spec/specification.md");
  expect(
    names.filter((name) => /tsbuildinfo|\.png$|proof|variants|\.ts$/.test(name) && !name.endsWith(".d.ts")),
  ).toEqual([]);
  expect(sizeOf(join(home, "node_modules/payments-conformance"))).toBeLessThan(1.2 * 1024 ** 2);
});

test("is at most 20 MB with all that it needs", () => {
  expect(sizeOf(join(home, "node_modules"))).toBeLessThan(20 * 1024 ** 2);
});

test.each([
  ["publint", ["--strict"]],
  ["attw", [".", "--profile", "esm-only"]],
])("%s finds nothing to say", async (tool, args) => {
  const target = tool === "publint" ? ["run", tarball] : [tarball];
  await run(join(ROOT, "node_modules/.bin", tool), [...target, ...args.filter((arg) => arg !== ".")], {
    cwd: ROOT,
  });
});

test("three commands lead from an empty folder to a verdict", () =>
  withReference({}, async (service) => {
    const { code } = await run("npx", ["--no-install", "payments-conformance", "init"], { cwd: home }).then(
      () => ({ code: 0 }),
      (error: { code: number }) => error,
    );
    expect(code).toBe(0);
    const args = [
      "--no-install",
      "payments-conformance",
      "run",
      ...flagsFor(service),
      "--only",
      "GET /banks",
    ];
    await run("npx", args, { cwd: home });
    expect(reportIn(home).verdict).toBe("conformant");
  }));

test("is a library too", () =>
  withReference({}, async (service) => {
    const script = `
      import { conformanceChecks, runConformance, validateReport } from "payments-conformance";
      const options = ${JSON.stringify({ baseUrl: service.baseUrl, token: service.token, space: service.space, only: ["LIST-COUNT"] })};
      const report = await runConformance(options);
      const { checks, close } = await conformanceChecks({ ...options, only: ["responses/LIST-COUNT GET /countries"] });
      const result = await checks.find(({ id }) => id === "responses/LIST-COUNT GET /countries").run();
      await close();
      const wrong = await runConformance({ baseUrl: "nowhere" }).catch(({ message }) => message);
      console.log(JSON.stringify([validateReport(report).valid, report.summary.fail, result.outcome, wrong]));
    `;
    writeFileSync(join(home, "library.mjs"), script);
    const { stdout } = await run(process.execPath, ["library.mjs"], { cwd: home });
    expect(JSON.parse(stdout)).toEqual([
      true,
      0,
      "pass",
      expect.stringContaining("baseUrl must begin with http"),
    ]);
  }));
