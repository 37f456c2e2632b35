import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { flagOf } from "../../command/options/names.ts";
import { OPTION_NAMES, optionOf } from "../../command/options/options.ts";
import { resolveValues } from "../../command/options/resolve.ts";
import { command, inFolder } from "./command.ts";

const CONFIG = "payments-conformance.yaml";

function inEmpty(use: (init: Init, cwd: string) => Promise<void>): Promise<void> {
  return inFolder((cwd) => use((...args) => command(["init", ...args], { cwd }), cwd));
}
type Init = (...args: string[]) => ReturnType<typeof command>;

test("init writes the configuration and no workflow", () =>
  inEmpty(async (init, cwd) => {
    expect(await init()).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(cwd)).toEqual([CONFIG]);
  }));

test("init --ci writes the recipe and leaves the configuration alone", () =>
  inEmpty(async (init, cwd) => {
    writeFileSync(join(cwd, CONFIG), "seed: 1\n");
    for (const server of ["github", "gitlab", "jenkins"])
      expect((await init("--ci", server, "--force")).code).toBe(0);
    expect(readFileSync(join(cwd, CONFIG), "utf8")).toBe("seed: 1\n");
    expect(readdirSync(cwd).sort()).toEqual([".github", ".gitlab-ci.yml", "Jenkinsfile", CONFIG]);
    expect((await init("--ci", "github", "--out", "recipe.yml")).stdout).toContain("wrote recipe.yml");
    expect(await init("--ci", "gitub")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean github?"),
    });
  }));

test("init never replaces an edited file without a copy", () =>
  inEmpty(async (init, cwd) => {
    const read = (file: string) => readFileSync(join(cwd, file), "utf8");
    await init();
    const fresh = read(CONFIG);
    expect((await init()).stdout).toContain("is there already, and just as it would be written");
    for (const [edited, copy] of [
      ["seed: 1\n", `${CONFIG}.bak`],
      ["seed: 2\n", `${CONFIG}.bak2`],
      ["seed: 3\n", `${CONFIG}.bak3`],
    ] as const) {
      writeFileSync(join(cwd, CONFIG), edited);
      const refused = await init();
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
      expect(read(CONFIG)).toBe(edited);
      expect((await init("--force")).stdout).toContain(`kept ${copy}`);
      expect(read(CONFIG)).toBe(fresh);
      expect(read(copy)).toBe(edited);
    }
    expect(read(`${CONFIG}.bak`)).toBe("seed: 1\n");
    writeFileSync(join(cwd, ".gitlab-ci.yml"), "mine: { script: [make] }\n");
    expect((await init("--ci", "gitlab")).code).toBe(2);
    expect(read(".gitlab-ci.yml")).toContain("mine");
  }));

test("the template has each heading once, and each key under its heading as the file spells it", () =>
  inEmpty(async (init, cwd) => {
    await init();
    const text = readFileSync(join(cwd, CONFIG), "utf8");
    expect(parse(text)).toBeNull();
    const headings = [...text.matchAll(/^# ---- (\w+)/gm)].map(([, name]) => name);
    expect(headings).toEqual([...new Set(OPTION_NAMES.map((name) => optionOf(name).group))]);
    for (const part of text.split(/^# ---- /m).slice(1)) {
      const keys = [...part.matchAll(/^# (\w+):/gm)].map(([, key]) => key);
      expect(keys).toEqual(OPTION_NAMES.filter((name) => part.startsWith(optionOf(name).group)));
    }
    const comments = text.replace(/^# ----.*$/gm, "");
    for (const word of [...OPTION_NAMES.map(flagOf), "--", "flag shows", "repeatable", "undefined"])
      expect(comments).not.toContain(word);
  }));

test("every example in the template is valid", () =>
  inEmpty(async (init, cwd) => {
    await init();
    const lines = readFileSync(join(cwd, CONFIG), "utf8").split("\n");
    const examples = lines.filter((line) => /^# ([a-zA-Z]+:( |$)| {2})/.test(line));
    const text = examples
      .map((line) => line.slice(2))
      .join("\n")
      .replace("postNamedOnly: false", "");
    mkdirSync(join(cwd, "other"));
    writeFileSync(join(cwd, "other", CONFIG), text);
    const environment = {
      PAYMENTS_CONFORMANCE_TOKEN: "first",
      PAYMENTS_CONFORMANCE_SECOND_TOKEN: "second",
      GATEWAY_KEY: "third",
    };
    const values = resolveValues({ flags: {}, environment, cwd: join(cwd, "other") });
    expect(values).toMatchObject({ token: "first", secondToken: "second", runs: 10, maxRequests: 20_000 });
    expect(Object.keys(values.fixtures ?? {})).toHaveLength(12);
  }));
