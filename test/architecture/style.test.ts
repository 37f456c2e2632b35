/**
 * Holds comments and names to the style of CONTRIBUTING.md. Files that do not have it yet are listed in
 * style-exempt.json.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import exempt from "./style-exempt.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = [
  "spec",
  "generators",
  "history",
  "client",
  "profiles",
  "suites",
  "runner",
  "command",
  "reports",
  "reference",
  "bench",
  "test",
];
const LONGEST_SENTENCE = 30;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name !== "architecture/style.test.ts")
    .map((name) => `${folder}/${name}`),
);

interface Comment {
  line: number;
  text: string;
}

/** The comments of a file. Lines of `//` that follow each other are one comment. */
function commentsOf(source: string): Comment[] {
  const found = source.matchAll(/\/\*\*([\s\S]*?)\*\/|^[ \t]*\/\/(.*(?:\n[ \t]*\/\/.*)*)/gm);
  return [...found].map((match) => ({
    line: source.slice(0, match.index).split("\n").length,
    text: (match[1] ?? match[2] ?? "")
      .replace(/^\s*(\*|\/\/)\s?/gm, "")
      .replace(/\s+/g, " ")
      .trim(),
  }));
}

/** Breaches of the style in comments. */
function commentBreaches(source: string): string[] {
  return commentsOf(source).flatMap(({ line, text }) => [
    // A reader must remember a long sentence until its verb comes.
    ...text
      .split(/[.:;!?]\s/)
      .map((sentence) => sentence.split(" ").length)
      .filter((words) => words > LONGEST_SENTENCE)
      .map(
        (words) => `${line}: a sentence of ${words} words, at most ${LONGEST_SENTENCE} can be read at once`,
      ),
    // A sentence that begins like this often has no subject.
    ...(/^(What|Where|Such)\b/.test(text)
      ? [`${line}: begins with "${text.slice(0, 20)}...": name the thing, or say "if"`]
      : []),
  ]);
}

/** Words that only this project used. For each, the word of the glossary that replaces it. */
const PRIVATE_WORDS: Readonly<Record<string, string>> = {
  story: "scenario",
  stories: "scenarios",
  trail: "scenario",
  twist: "variation",
  salt: "variation",
  bystander: "unrelated resource",
  neighbour: "unrelated resource",
  stranger: "unrelated resource",
  corpus: "snapshot",
  restless: "volatile",
  supply: "value source",
  untestable: "not tested",
  usual: "default",
  patience: "timeout",
  elsewhere: "other space",
  disguise: "redaction",
  door: "the name of the folder",
  house: "architecture",
};

/** Names that are promised to users, although they contain a private word. */
const PROMISED_NAMES: readonly string[] = ["totalElsewhere", "ELSEWHERE"];

/** Breaches of the style in the names of a file: in code, without comments and texts. */
function nameBreaches(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
  const names = new Set(code.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  const own = [...names].filter((name) => !PROMISED_NAMES.includes(name));
  return own.flatMap((name) =>
    name
      .split(/_|(?<=[a-z0-9])(?=[A-Z])/)
      .map((part) => part.toLowerCase())
      .filter((part) => Object.hasOwn(PRIVATE_WORDS, part))
      .map((part) => `${name}: say "${PRIVATE_WORDS[part]}" for "${part}" (docs/glossary.md)`),
  );
}

describe.each([
  ["comments", commentBreaches],
  ["names", nameBreaches],
] as const)("%s", (kind, breachesOf) => {
  const listed = exempt[kind];
  const entryFor = (file: string) => listed.find((entry) => file === entry || file.startsWith(`${entry}/`));
  const breaches = new Map(files.map((file) => [file, breachesOf(readFileSync(join(ROOT, file), "utf8"))]));

  test("have the style in every file that is not exempt", () => {
    const found = [...breaches].filter(([file]) => entryFor(file) === undefined);
    expect(found.flatMap(([file, each]) => each.map((breach) => `${file} ${breach}`))).toEqual([]);
  });

  test("are exempt only in files that do not have the style: take the others off the list", () => {
    const broken = [...breaches].filter(([, each]) => each.length > 0).map(([file]) => entryFor(file));
    expect(listed.filter((entry) => !broken.includes(entry))).toEqual([]);
  });
});

test("the style test finds what it looks for", () => {
  expect(commentBreaches(`/** ${"word ".repeat(31)} */\n// Where it is left out.\n`)).toHaveLength(2);
  expect(commentBreaches("/** The page that follows. */\n")).toEqual([]);
  expect(nameBreaches('const otherStory = "a story"; // story\n')).toEqual([
    'otherStory: say "scenario" for "story" (docs/glossary.md)',
  ]);
});
