/** The pages for contributors name only files, identifiers, tests, defects and variants that exist. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defects, historyDefects, variants } from "../../reference/index.ts";
import { globMatcher } from "../../spec/glob.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILES = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: ROOT })
  .toString()
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(ROOT, file)));
const NAMES = new Set(FILES.map((file) => basename(file)));
const FOLDERS = new Set(FILES.filter((file) => file.includes("/")).map((file) => file.split("/")[0]));
const PAGES = FILES.filter(
  (file) =>
    /^CONTRIBUTING\.md$|^docs\/(architecture|glossary)\.md$|^docs\/decisions\//.test(file) ||
    (file.endsWith("README.md") && file.includes("/")),
);
/** The field that CONTRIBUTING.md adds as an example. The code does not have it. */
const EXAMPLE_FIELD = "note";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const texts = new Map(PAGES.map((page) => [page, read(page)]));
const quotedIn = (page: string) => {
  const prose = (texts.get(page) ?? "").replace(/^```[\s\S]*?^```/gm, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);
};
const matchesOf = (page: string, pattern: RegExp) =>
  [...(texts.get(page) ?? "").matchAll(pattern)].map(([, name = ""]) => name);

test("the pages for contributors are found", () => {
  expect(PAGES.length).toBeGreaterThan(10);
});

test.each(PAGES)("%s names files and folders that exist", (page) => {
  const isPath = (name: string) =>
    (FOLDERS.has(name.split("/")[0]) && name.includes("/")) || /^[\w./-]+\.(ts|mjs|sh|txt)$/.test(name);
  const exists = (name: string) =>
    [".", dirname(page)].some((folder) => existsSync(join(ROOT, folder, name))) ||
    (!name.includes("/") && NAMES.has(name));
  const named = quotedIn(page).filter((name) => isPath(name) && !/[<*]/.test(name));
  expect(named.filter((name) => !exists(name))).toEqual([]);
});

test.each(PAGES)("%s names tests that exist", (page) => {
  const named = matchesOf(page, /npx vitest run ([^\n`]+)/g).flatMap((paths) =>
    paths.split(" ").filter((path) => path.startsWith("test/")),
  );
  // Vitest also accepts the beginning of a path: it runs all files that match.
  expect(named.filter((path) => !FILES.some((file) => file.startsWith(path)))).toEqual([]);
});

test.each(PAGES)("%s names identifiers that the code has", (page) => {
  const identifier =
    /^(?:([a-z]\w*[A-Z]\w*|[A-Z]\w*)(?:\(.*\))?|([a-z]\w*)\(.*\)|([a-z]+(?:-[a-z]+)+)(?:-\d+)?)$/;
  const named = quotedIn(page).flatMap((text) => {
    const [, camel, called, dashed] = identifier.exec(text) ?? [];
    return camel ?? called ?? dashed ?? [];
  });
  expect(named.filter((name) => !WORDS.has(name))).toEqual([]);
});

test.each(PAGES)("%s names defects and variants that exist", (page) => {
  const exists = (pattern: string, all: readonly { name: string }[]) =>
    pattern.includes(EXAMPLE_FIELD) || all.some(({ name }) => globMatcher([pattern])(name));
  const commands = (flag: string) =>
    matchesOf(page, new RegExp(`${flag} '?([a-z*][\\w@:.*-]*)`, "g")).filter((name) => name !== "");
  const all = [...defects, ...historyDefects];
  expect(commands("--defects?").filter((pattern) => !exists(pattern, all))).toEqual([]);
  expect(commands("--variants").filter((pattern) => !exists(pattern, variants))).toEqual([]);
});

const WORDS = new Set(
  FILES.filter((file) => /\.(ts|yaml|json)$/.test(file) && file !== "package-lock.json").flatMap((file) => {
    const text = read(file);
    return [...(text.match(/[\w$]+/g) ?? []), ...(text.match(/[\w$]+(?:-[\w$]+)+/g) ?? [])];
  }),
);
