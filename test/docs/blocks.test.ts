/**
 * In the code blocks of README and docs, the command line accepts every command, and the TypeScript compiles.
 */

import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { buildProgram } from "../../command/program.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = ["README.md", ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);

interface Block {
  page: string;
  language: string;
  text: string;
}

const blocks: Block[] = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(
    ([, language = "", text = ""]) => ({ page, language, text }),
  ),
);
const inLanguage = (language: string) => blocks.filter((block) => block.language === language);

/** The words of a shell command, without quotes and comments. */
function wordsOf(line: string): string[] {
  return [...line.replace(/(^|\s)#.*$/, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

const commands = inLanguage("sh").flatMap(({ page, text }) =>
  text
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => /^(?:npx (?:--no-install )?)?payments-conformance (.*)$/.exec(line.trim())?.[1])
    .filter((line) => line !== undefined)
    .map((line) => [page, line] as const),
);

test.each(commands)("%s: payments-conformance %s", async (_, line) => {
  const program = buildProgram(() => {});
  const quiet = (command: Command) =>
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .action(() => {});
  quiet(program).commands.forEach(quiet);
  await program.parseAsync(wordsOf(line), { from: "user" });
});

test("the pages have commands to check", () => {
  expect(commands.length).toBeGreaterThan(20);
});

test.each(inLanguage("yaml").map(({ page, text }) => [page, text]))("%s: YAML %#", (_, text) => {
  expect(parse(text.replace(/^\s*#.*$/gm, ""))).toBeTruthy();
});

test("TypeScript compiles against the types of the package", async () => {
  const folder = join(ROOT, "build", "doc-blocks");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = inLanguage("ts").map(({ text }, index) => {
    const file = join(folder, `block-${index}.ts`);
    writeFileSync(file, text);
    return file;
  });
  expect(files.length).toBeGreaterThan(1);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext"];
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  await promisify(execFile)(tsc, [...options, "--types", "node", "--ignoreConfig", ...files], {
    cwd: ROOT,
  }).catch(({ stdout }: { stdout: string }) =>
    expect(stdout, "the types are those of the last npm run build").toBe(""),
  );
});
