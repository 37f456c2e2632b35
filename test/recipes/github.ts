/**
 * Interprets a workflow of GitHub Actions, for tests: jobs after those that they need, steps in order,
 * expressions, artefacts.
 */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import { type Ended, machine, type Ran, runScript } from "./shell.ts";

type Env = Record<string, string>;
interface Step {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
  env?: Env;
  with?: Record<string, string | number | boolean>;
}
interface Job {
  needs?: string;
  if?: string;
  env?: Env;
  steps: Step[];
}
interface Workflow {
  env?: Env;
  jobs: Record<string, Job>;
}

export interface GithubSetting {
  workflow: string;
  repository: string;
  /** The folder in which workspaces, artefacts and summaries are made. */
  place: string;
  /** A folder of commands that is put on the PATH before those of the system. */
  bin: string;
  secrets: Env;
  /** The value of `github` in expressions. */
  github: Record<string, unknown>;
}

type Result = "success" | "failure" | "skipped";

/** Runs all jobs, one after the other. */
export async function runGithub(setting: GithubSetting): Promise<Ended> {
  const { jobs } = parse(setting.workflow) as Workflow;
  const ended: Ended = { jobs: {}, ran: [], artifacts: {} };
  for (const [name, job] of Object.entries(jobs)) {
    const needed = job.needs === undefined ? "success" : (ended.jobs[job.needs] ?? "skipped");
    const needs = job.needs === undefined ? {} : { [job.needs]: { result: needed } };
    const scope = { github: setting.github, secrets: setting.secrets, needs };
    if (!applies(job.if, { ...scope, ok: needed === "success", workspace: setting.repository })) {
      ended.jobs[name] = "skipped";
      continue;
    }
    ended.jobs[name] = await runJob(job, setting, scope, ended);
  }
  return ended;
}

interface Scope {
  [name: string]: unknown;
  ok?: boolean;
  workspace?: string;
}

async function runJob(job: Job, setting: GithubSetting, scope: Scope, ended: Ended): Promise<Result> {
  const workspace = mkdtempSync(join(setting.place, "workspace-"));
  const runner = {
    ...machine(setting.bin),
    GITHUB_REF_NAME: String(setting.github.ref_name),
    GITHUB_SHA: "0123456789abcdef",
    GITHUB_STEP_SUMMARY: join(setting.place, "summary.md"),
    GITHUB_OUTPUT: join(setting.place, "output"),
    RUNNER_TEMP: setting.place,
  };
  writeFileSync(runner.GITHUB_OUTPUT, "");
  const outputs: Record<string, { outputs: Env }> = {};
  let ok = true;
  for (const step of job.steps) {
    const here = { ...scope, steps: outputs, runner: { temp: setting.place }, ok, workspace };
    if (!applies(step.if, here)) continue;
    const given = filled(step.with ?? {}, here);
    if (step.uses !== undefined) use({ ...step, with: given }, setting, workspace, ended);
    if (step.run === undefined) continue;
    const env = { ...runner, ...filled({ ...job.env, ...step.env }, here) };
    const shell = step.shell === "bash" ? ["bash", "-eo", "pipefail"] : ["bash", "-e"];
    const text = fill(step.run, here);
    const ran: Ran = await runScript({ name: step.name ?? "", shell, text, cwd: workspace, env });
    ended.ran.push(ran);
    if (step.id !== undefined) outputs[step.id] = { outputs: outputsIn(runner.GITHUB_OUTPUT) };
    if (ran.code !== 0) ok = false;
  }
  return ok ? "success" : "failure";
}

/** The outputs of a step: it writes lines `name=value` to a file. */
function outputsIn(file: string): Env {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.replace(/=.*/, ""), line.replace(/^[^=]*=/, "")]));
}

/** Runs the steps of a composite action in a user's checkout. */
export async function runAction(
  text: string,
  given: Env,
  setting: Omit<GithubSetting, "workflow" | "secrets">,
): Promise<Ended> {
  const { inputs, runs } = parse(text) as { inputs: Record<string, { default?: string }>; runs: Job };
  const defaults = Object.entries(inputs).map(([name, { default: value = "" }]) => [name, value]);
  const checkout: Step = { uses: "actions/checkout@" };
  const ended: Ended = { jobs: {}, ran: [], artifacts: {} };
  const scope = { github: setting.github, inputs: { ...Object.fromEntries(defaults), ...given } };
  const whole = { ...setting, workflow: text, secrets: {} };
  ended.jobs.action = await runJob({ steps: [checkout, ...runs.steps] }, whole, scope, ended);
  return ended;
}

/** Imitates the published actions that the recipes use. @throws Error for any other action */
function use(
  step: Pick<Step, "uses"> & { with: Env },
  setting: GithubSetting,
  workspace: string,
  ended: Ended,
): void {
  const action = (step.uses ?? "").replace(/@.*/, "");
  const { name = "", path = "", report_paths: reports = "" } = step.with;
  if (action === "actions/setup-node") return;
  if (action === "actions/checkout") cpSync(setting.repository, workspace, { recursive: true });
  else if (action === "actions/upload-artifact") {
    // The real action only warns of a missing file.
    if (!existsSync(join(workspace, path))) return;
    const kept = join(setting.place, `artifact-${name}`);
    cpSync(join(workspace, path), kept, { recursive: true });
    ended.artifacts[name] = kept;
  } else if (action === "actions/download-artifact") {
    const kept = ended.artifacts[name];
    if (kept !== undefined) cpSync(kept, join(workspace, path), { recursive: true });
  } else if (action === "mikepenz/action-junit-report") {
    if (existsSync(join(workspace, reports))) {
      mkdirSync(join(setting.place, "checks"), { recursive: true });
      cpSync(join(workspace, reports), join(setting.place, "checks", "report.xml"));
    }
  } else throw new Error(`the test does not know the action ${step.uses}`);
}

/**
 * Evaluates the `if` of a job or step. Unless the condition calls a status function, such as `always()`, it also
 * requires that nothing failed before.
 */
function applies(condition: string | undefined, scope: Scope): boolean {
  if (condition === undefined) return scope.ok === true;
  const asks = /\b(always|success|failure|cancelled)\(\)/.test(condition);
  return (asks || scope.ok === true) && Boolean(evaluate(condition, scope));
}

function evaluate(expression: string, scope: Scope): unknown {
  const functions = {
    always: () => true,
    success: () => scope.ok === true,
    failure: () => scope.ok === false,
    startsWith: (text: unknown, start: string) => String(text).startsWith(start),
  };
  // `inputs.base-url` is no JavaScript, so it becomes `inputs["base-url"]`.
  const named = expression.replace(/\b(inputs)\.([\w-]+)/g, '$1["$2"]');
  return runInNewContext(named.replace(/^\$\{\{(.*)\}\}$/, "$1"), { ...scope, ...functions });
}

/** Replaces the expressions in a text by their values. */
function fill(text: string, scope: Scope): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(evaluate(expression, scope) ?? ""),
  );
}

function filled(values: Record<string, string | number | boolean>, scope: Scope): Env {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fill(String(value), scope)]),
  );
}

/** Writes a fake command `gh`. It records its calls, and lists the comments of a file `gh.comments` beside it. */
export function writeGh(bin: string): void {
  const script = `#!/bin/sh
here=$(dirname "$0")
echo "$*" >> "$here/gh.log"
[ "$2" != "--paginate" ] || { cat "$here/gh.comments" 2> /dev/null; exit 0; }
for word; do
  case "$word" in body=@*) cat "\${word#body=@}" > "$here/gh.body" ;; esac
done
`;
  writeFileSync(join(bin, "gh"), script, { mode: 0o755 });
}
