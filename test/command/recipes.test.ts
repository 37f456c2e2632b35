/** The recipes for CI servers: valid by their schemas, safe with the token, and what they run does run. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { command, inFolder, MAIN, runNode } from "./command.ts";
import { withReference } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TEMPLATES = join(ROOT, "command", "templates");
const FILES = {
  github: ".github/workflows/payments-conformance.yml",
  gitlab: ".gitlab-ci.yml",
  jenkins: "Jenkinsfile",
};

/** A recipe as `init` writes it. */
async function recipe(server: keyof typeof FILES): Promise<string> {
  return inFolder(async (cwd) => {
    const { code, stderr } = await command(["init", "--ci", server], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    return readFileSync(join(cwd, FILES[server]), "utf8");
  });
}

/** The shell in a recipe, one script after another. */
function scripts(server: keyof typeof FILES, text: string): string[] {
  if (server === "jenkins")
    return [...text.matchAll(/sh '''([\s\S]*?)'''/g)].map(([, script = ""]) => script);
  if (server === "github") {
    const { jobs } = parse(text) as { jobs: Record<string, { steps: { run?: string }[] }> };
    return Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  }
  const jobs = parse(text) as Record<string, { before_script?: string[]; script?: string[] }>;
  return Object.values(jobs).flatMap(({ before_script = [], script = [] }) => [...before_script, ...script]);
}

test.each(["github", "gitlab", "jenkins"] as const)(
  "%s: shell without a mistake, and nothing unpinned",
  async (server) => {
    const shell = scripts(server, await recipe(server));
    expect(shell.length).toBeGreaterThan(3);
    for (const script of shell) {
      expect(spawnSync("bash", ["-n"], { input: script }).status, script).toBe(0);
      for (const [call] of script.matchAll(/npx \S+/g)) expect(call).toBe("npx --no-install");
      for (const [, name] of script.matchAll(/npm install (?:--\S+ )*(\S+)/g))
        expect(name).toMatch(/^payments-conformance@\d+\.\d+\.\d+/);
    }
  },
);

test("github: the workflow and the action are what GitHub takes", async () => {
  // A CommonJS package that loads WebAssembly: of no use to an importing test before it is required.
  const { validateAction, validateWorkflow } = createRequire(import.meta.url)(
    "@action-validator/core",
  ) as typeof import("@action-validator/core");
  expect(validateWorkflow(await recipe("github")).errors).toEqual([]);
  expect(validateAction(readFileSync(join(ROOT, "action.yml"), "utf8")).errors).toEqual([]);
});

test("no step that installs knows the token", async () => {
  const { jobs } = parse(await recipe("github")) as {
    jobs: Record<string, { env?: object; steps: { run?: string; env?: object }[] }>;
  };
  for (const { env, steps } of Object.values(jobs)) {
    expect(env).toBeUndefined();
    for (const step of steps) if (step.run?.includes("npm install")) expect(step.env).toBeUndefined();
  }
});

test("gitlab: what the recipe runs ends in a merged report", async () => {
  const text = await recipe("gitlab");
  await withReference({}, (service) =>
    inFolder(async (cwd) => {
      mkdirSync(join(cwd, "node_modules/.bin"), { recursive: true });
      symlinkSync(MAIN, join(cwd, "node_modules/.bin/payments-conformance"));
      const environment = {
        PATH: process.env.PATH ?? "",
        HOME: cwd,
        PAYMENTS_BASE_URL: service.baseUrl,
        PAYMENTS_SPACE: service.space,
        PAYMENTS_TOKEN: service.token,
        PAYMENTS_CONFORMANCE_ONLY: "GET /banks",
        CI_NODE_TOTAL: "2",
      };
      const jobs = parse(text) as Record<string, { script?: string[] }>;
      const run = async (job: string, more: Record<string, string> = {}) => {
        const script = (jobs[job]?.script ?? []).join("\n");
        const ended = await bash(script, cwd, { ...environment, ...more });
        expect(ended.code, `${job}: ${ended.stdout}${ended.stderr}`).toBe(0);
      };
      await run("conformance", { CI_NODE_INDEX: "1" });
      await run("conformance", { CI_NODE_INDEX: "2" });
      await run("verdict");
      expect(existsSync(join(cwd, "conformance-report/report.html"))).toBe(true);
    }),
  );
});

test("the container runs as nobody in particular and writes to its reports alone", () => {
  const lines = readFileSync(join(TEMPLATES, "Containerfile"), "utf8").split("\n");
  const instructions = lines.filter((line) => /^[A-Z]+ /.test(line)).map((line) => line.split(" ")[0]);
  expect(instructions.indexOf("USER")).toBeLessThan(instructions.indexOf("ENTRYPOINT"));
  expect(lines).toContain("USER node");
  expect(lint(lines.join("\n"))).toEqual([]);
});

/** What a linter of container files says, but for matters of taste. */
function lint(text: string): string[] {
  const require = createRequire(import.meta.url);
  const { run } = require("dockerfilelint/lib/index.js") as {
    run(path: string, content: string): { title: string; category: string }[];
  };
  return run(ROOT, text)
    .filter(({ category }) => category !== "Optimization")
    .map(({ title }) => title);
}

function bash(script: string, cwd: string, env: Record<string, string>) {
  const code = `const { spawnSync } = require("node:child_process");
    const { status } = spawnSync("bash", ["-euo", "pipefail", "-c", ${JSON.stringify(script)}], { stdio: ["ignore", "inherit", "inherit"] });
    process.exit(status ?? 1);`;
  return runNode(["-e", code], { cwd, env });
}
