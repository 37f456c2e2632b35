/** The published package has no unwanted files, is small, and works in an empty folder. */

import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dirHash } from "../../command/certificates/package-digest.ts";
import { reportIn } from "../command/command.ts";
import { flagsFor, withReference } from "../command/targets.ts";
import { isTurn } from "../commit-seed.ts";
import { packInto } from "./pack.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "payments-conformance-package-"));
const home = join(folder, "home");
let tarball = "";
let integrity = "";

beforeAll(async () => {
  mkdirSync(home);
  ({ tarball, integrity } = await packInto(folder));
  writeFileSync(join(home, "package.json"), "{}");
  await run("npm", ["install", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline", tarball], {
    cwd: home,
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sizeOf(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

test("the package holds what users run and read, and no development files", async () => {
  const { stdout } = await run("tar", ["tzf", tarball]);
  const names = stdout.trim().split("\n");
  expect(names).toContain("package/dist/command/bin.js");
  expect(names).toContain("package/spec/openapi.yaml");
  expect(names).toContain("package/spec/specification.md");
  expect(
    names.filter((name) => /tsbuildinfo|\.png$|proof|variants|\.ts$/.test(name) && !name.endsWith(".d.ts")),
  ).toEqual([]);
  expect(sizeOf(join(home, "node_modules/payments-conformance"))).toBeLessThan(2.25 * 1024 ** 2);
});

test.runIf(isTurn(1, 2))(
  "the package is the same, byte for byte, each time it is made of one commit",
  async () => {
    const again = await packInto(join(folder, "again"));
    expect(again.integrity).toBe(integrity);
    expect(integrity).toMatch(/^sha512-/);
  },
);

describe("unpacked", () => {
  const own = (name: string) => join(home, "node_modules/payments-conformance", name);

  test("its manifest runs nothing and needs no development package", () => {
    const manifest = JSON.parse(readFileSync(own("package.json"), "utf8"));
    for (const key of ["scripts", "devDependencies", "overrides"]) expect(manifest).not.toHaveProperty(key);
  });

  test("the links of its pages lead somewhere, and no page needs a checkout", () => {
    const pages = ["README.md", ...readdirSync(own("docs")).map((name) => `docs/${name}`)];
    expect(pages.length).toBeGreaterThan(10);
    const broken = pages.flatMap((page) => {
      const links = [...readFileSync(own(page), "utf8").matchAll(/\]\(([^)#\s]+)[^)]*\)/g)];
      return links
        .map(([, link = ""]) => link)
        .filter((link) => !/^https?:/.test(link) && !existsSync(own(join(page, "..", link))))
        .map((link) => `${page}: ${link}`);
    });
    expect(broken).toEqual([]);
    expect(readFileSync(own("README.md"), "utf8")).not.toContain("npm ci && npm start");
  });

  test("its shrinkwrap pins every dependency by its integrity, and npm ci accepts it", async () => {
    const place = join(folder, "unpacked");
    mkdirSync(place);
    await run("tar", ["xzf", tarball, "-C", place]);
    const { packages } = JSON.parse(readFileSync(join(place, "package/npm-shrinkwrap.json"), "utf8")) as {
      packages: Record<string, { version: string; integrity?: string; resolved?: string }>;
    };
    const dependencies = Object.entries(packages).filter(([name]) => name !== "");
    expect(dependencies.length).toBeGreaterThan(10);
    for (const [name, { integrity: of, resolved }] of dependencies)
      expect([name, of, resolved]).toEqual([name, expect.stringMatching(/^sha512-/), undefined]);
    const cwd = join(place, "package");
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], { cwd });
    const version = await run(process.execPath, ["dist/command/bin.js", "--version"], { cwd });
    expect(version.stdout).toMatch(/^\d/);
  });
});

test("the package is at most 20 MB with its dependencies", () => {
  expect(sizeOf(join(home, "node_modules"))).toBeLessThan(20 * 1024 ** 2);
});

test.each([
  ["publint", ["--strict"]],
  ["attw", [".", "--profile", "esm-only"]],
])("%s finds no fault in the package", async (tool, args) => {
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

test("the package names itself in certificates by the digest of its files", async () => {
  const unpacked = join(folder, "digested");
  mkdirSync(unpacked);
  await run("tar", ["xzf", tarball, "-C", unpacked]);
  const code = join(home, "node_modules/payments-conformance/dist/command/certificates/package-digest.js");
  const script = `const { packageResource } = await import(${JSON.stringify(code)}); console.log(JSON.stringify(packageResource()))`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);
  expect(JSON.parse(stdout)).toMatchObject({
    name: "payments-conformance",
    digest: { dirHash: dirHash(join(unpacked, "package")) },
  });
});

test("the package works as a library too", () =>
  withReference({}, async (service) => {
    const script = `
      import { conformanceChecks, runConformance, validateReport } from "payments-conformance";
      const options = ${JSON.stringify({ baseUrl: service.baseUrl, token: service.token, space: service.space, only: ["LIST-COUNT"] })};
      const report = await runConformance(options);
      const { checks, close } = await conformanceChecks({ ...options, only: ["responses/LIST-COUNT GET /countries"] });
      const result = await checks[0].run();
      await close();
      const wrong = await runConformance({ baseUrl: "nowhere" }).catch(({ message }) => message);
      console.log(JSON.stringify([validateReport(report).valid, report.summary.fail, result.outcome, checks.map(({ id }) => id), wrong]));
    `;
    writeFileSync(join(home, "library.mjs"), script);
    const { stdout } = await run(process.execPath, ["library.mjs"], { cwd: home });
    expect(JSON.parse(stdout)).toEqual([
      true,
      0,
      "pass",
      ["responses/LIST-COUNT GET /countries"],
      expect.stringContaining("baseUrl must begin with http"),
    ]);
  }));
