/** The documentation names only files, flags, commands and requirements that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readCatalogue } from "../../command/listing/catalogue.ts";
import { buildProgram } from "../../command/program.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "spec/README.md",
  "reference/README.md",
  "bench/README.md",
  "test/prove/README.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
/** Flags of npm, npx, vitest and of the project's own scripts, which are no options of the command. */
const OF_OTHERS = [
  "--proof",
  "--no-install",
  "--foreground",
  "--preserve-status",
  "--ignore-scripts",
  "--write",
  "--at-most",
  "--save-dev",
  "--share",
  "--sample",
  "--whole-share",
  "--seed",
  "--variant-share",
  "--depths",
  "--yes",
  "--config",
  "--quick",
  "--order",
  "--history",
  "--defects",
  "--variants",
  "--narrow-only",
  "--update",
  "--jobs",
  "--megabytes",
  "--seconds",
  "--bundle",
  "--certificate-identity",
  "--certificate-oidc-issuer",
  "--json",
  "--sound",
  "--onto",
  "--keep",
  "--against",
];

const read = (page: string) => readFileSync(join(ROOT, page), "utf8");

test.each(PAGES)("%s: links lead to a file", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(ROOT, page, "..", link)));
  expect(broken).toEqual([]);
});

test.each(PAGES)("%s: flags belong to a command", (page) => {
  const known = new Set(
    buildProgram(() => {}).commands.flatMap((command) =>
      command
        .createHelp()
        .visibleOptions(command)
        .flatMap((option) => option.long ?? []),
    ),
  );
  const flags = [...read(page).matchAll(/(?<![\w-])--[a-z][a-z-]*[a-z]/g)].map(([flag]) => flag);
  expect(flags.filter((flag) => !known.has(flag) && !OF_OTHERS.includes(flag))).toEqual([]);
});

test.each(PAGES)("%s: npm scripts are in package.json", (page) => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read(page).matchAll(/npm (?:run )([a-z:]+)/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test("npm run docs runs each test that writes a page or a schema", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const writing = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .map((name) => `test/${name}`)
    .filter((name) => name.endsWith(".test.ts") && /\)\.toMatchFileSnapshot\(/.test(read(name)))
    // The ids of checks are updated by hand, because none may disappear.
    .filter((name) => name !== "test/suites/check-ids.test.ts");
  expect(
    scripts.docs
      ?.split(" ")
      .filter((word) => word.startsWith("test/"))
      .toSorted(),
  ).toEqual(writing.toSorted());
});

const catalogue = readCatalogue(undefined);
const ids = new Set([...catalogue.spec.requirements.keys(), ...catalogue.checks.map(({ id }) => id)]);

test.each(PAGES)("%s: ids after explain, replay and waive are requirements or checks", (page) => {
  const named = [
    ...read(page).matchAll(/explain ([A-Z][A-Z-]+)|requirement: ([A-Z][A-Z-]+)$|json '([^']+)'/gm),
  ]
    .flatMap(([, ...groups]) => groups.filter((group) => group !== undefined))
    .filter((id) => id !== "ID" && !id.startsWith("PROFILE-"));
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});
