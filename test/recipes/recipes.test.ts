/** The recipes for CI servers are valid by their schemas, pin versions, and are careful with secrets. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { variableOf } from "../../command/options/names.ts";
import { OPTION_NAMES } from "../../command/options/options.ts";
import { OTHER_VARIABLES } from "../../command/options/read-environment.ts";
import { scripts as jenkinsScripts } from "./jenkins.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TEMPLATES = join(ROOT, "command", "templates");
const read = (name: string) => readFileSync(join(TEMPLATES, name), "utf8");
const ACTION = readFileSync(join(ROOT, "action.yml"), "utf8");

interface Steps {
  steps: { run?: string; uses?: string; env?: object; with?: object }[];
}
const workflow = parse(read("github.yml")) as {
  on: { push?: { branches?: string[] } };
  concurrency: { group: string };
  jobs: Record<string, Steps & { needs?: string; permissions?: object }>;
};
const action = parse(ACTION) as { runs: Steps };

/** The shell scripts of each recipe. */
const SHELL: Record<string, string[]> = {
  "github.yml": Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? [])),
  "gitlab.yml": Object.values(parse(read("gitlab.yml")) as Record<string, Record<string, string[]>>).flatMap(
    ({ script = [], after_script: after = [] }) => [...script, ...after],
  ),
  Jenkinsfile: jenkinsScripts(read("Jenkinsfile")),
  "action.yml": action.runs.steps.flatMap(({ run }) => run ?? []),
};

describe.each(Object.keys(SHELL))("%s", (name) => {
  const shell = SHELL[name] ?? [];

  test("its shell has no syntax error", () => {
    expect(shell.length).toBeGreaterThan(2);
    for (const script of shell) expect(spawnSync("bash", ["-n"], { input: script }).status, script).toBe(0);
  });

  test("it installs pinned packages only, runs no install script, and lets npx download nothing", () => {
    for (const [call] of shell.join("\n").matchAll(/\bnpx \S+/g)) expect(call).toBe("npx --no-install");
    const calls = [...shell.join("\n").matchAll(/\bnpm .*/g)].map(([call]) => call);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) expect(call).toMatch(/^npm ci --ignore-scripts/);
  });

  test("it uses variables that the command knows, and one name for the token", () => {
    const known = [...OPTION_NAMES.map(variableOf), ...Object.values(OTHER_VARIABLES)];
    const text = name === "action.yml" ? ACTION : read(name);
    const named = [...text.matchAll(/\bPAYMENTS_[A-Z_]+/g)].map(([variable]) => variable);
    expect(named).toContain("PAYMENTS_CONFORMANCE_TOKEN");
    expect(named.filter((variable) => !known.includes(variable))).toEqual([]);
  });
});

test("github: workflow and action fit GitHub's schemas", () => {
  // This package is CommonJS and loads WebAssembly, so `require` loads it.
  const { validateAction, validateWorkflow } = createRequire(import.meta.url)(
    "@action-validator/core",
  ) as typeof import("@action-validator/core");
  expect(validateWorkflow(read("github.yml")).errors).toEqual([]);
  expect(validateAction(ACTION).errors).toEqual([]);
});

test("github: every action is pinned to a commit", () => {
  const used = [...Object.values(workflow.jobs), action.runs].flatMap(({ steps }) =>
    steps.flatMap(({ uses }) => uses ?? []),
  );
  expect(used.length).toBeGreaterThan(5);
  for (const one of used) expect(one).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
});

test("github: tags have their own queue, a push to a branch starts nothing, and the gate comes first", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub
  expect(workflow.concurrency.group).toContain("${{ github.ref }}");
  expect(workflow.on.push?.branches).toEqual(["main"]);
  expect(workflow.jobs.certificate?.needs).toBe("gate");
});

test("github: jobs that may write to the repository have no secret of the service and install nothing", () => {
  const writing = Object.values(workflow.jobs).filter(({ permissions }) => permissions !== undefined);
  expect(writing).toHaveLength(1);
  for (const { steps } of writing) {
    expect(JSON.stringify(steps)).not.toContain("secrets.");
    expect(JSON.stringify(steps)).not.toContain("npm ");
  }
});

test("the container runs as no particular user and writes to its reports only", () => {
  const lines = read("Containerfile").split("\n");
  const instructions = lines.filter((line) => /^[A-Z]+ /.test(line)).map((line) => line.split(" ")[0]);
  expect(instructions.indexOf("USER")).toBeLessThan(instructions.indexOf("ENTRYPOINT"));
  expect(lines).toContain("USER node");
  expect(lint(lines.join("\n"))).toEqual([]);
});

/** The messages of a linter about a container file, except those of its category Optimization. */
function lint(text: string): string[] {
  const require = createRequire(import.meta.url);
  const { run } = require("dockerfilelint/lib/index.js") as {
    run(path: string, content: string): { title: string; category: string }[];
  };
  return run(ROOT, text)
    .filter(({ category }) => category !== "Optimization")
    .map(({ title }) => title);
}
