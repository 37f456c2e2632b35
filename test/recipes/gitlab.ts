/**
 * Interprets a GitLab pipeline, for tests: stages in order, rules, variables of environments, artefacts of
 * earlier jobs.
 */

import { cpSync, existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Ended, machine, runScript } from "./shell.ts";

interface Job {
  stage: string;
  script: string[];
  after_script?: string[];
  environment?: { name: string };
  rules?: { if: string }[];
  artifacts?: { when?: string; paths: string[] };
}

export interface GitlabSetting {
  pipeline: string;
  repository: string;
  place: string;
  bin: string;
  /** The name of the environment whose jobs get the secrets. */
  scope: string;
  secrets: Record<string, string>;
  variables: Record<string, string>;
}

const NO_JOBS = ["stages", "workflow", "default", "include", "variables"];

export async function runGitlab(setting: GitlabSetting): Promise<Ended> {
  const pipeline = parse(setting.pipeline) as Record<string, unknown>;
  const jobs = Object.entries(pipeline).filter(([name]) => !NO_JOBS.includes(name)) as [string, Job][];
  const ended: Ended = { jobs: {}, ran: [], artifacts: {} };
  const kept: { path: string; from: string }[] = [];
  let ok = true;
  for (const stage of pipeline.stages as string[]) {
    let passed = true;
    for (const [name, job] of jobs.filter(([, each]) => each.stage === stage)) {
      if (!ok || !selected(job.rules, setting.variables)) {
        ended.jobs[name] = "skipped";
        continue;
      }
      const success = await runJob(name, job, setting, kept, ended);
      ended.jobs[name] = success ? "success" : "failure";
      passed &&= success;
    }
    ok &&= passed;
  }
  return ended;
}

async function runJob(
  name: string,
  job: Job,
  setting: GitlabSetting,
  kept: { path: string; from: string }[],
  ended: Ended,
): Promise<boolean> {
  const cwd = mkdtempSync(join(setting.place, `${name}-`));
  cpSync(setting.repository, cwd, { recursive: true });
  for (const { path, from } of kept) copy(from, cwd, path);
  const scoped = job.environment?.name === setting.scope ? setting.secrets : {};
  const env = { ...machine(setting.bin), ...setting.variables, ...scoped };
  const shell = ["bash", "-eo", "pipefail"];
  const ran = await runScript({ name, shell, text: job.script.join("\n"), cwd, env });
  ended.ran.push(ran);
  if (job.after_script !== undefined) {
    const text = job.after_script.join("\n");
    ended.ran.push(await runScript({ name: `${name}, after`, shell, text, cwd, env }));
  }
  const { when, paths = [] } = job.artifacts ?? {};
  if (ran.code === 0 || when === "always") {
    for (const path of paths) {
      if (!existsSync(join(cwd, path))) continue;
      kept.push({ path, from: cwd });
      ended.artifacts[path.replace(/\/$/, "")] = join(cwd, path);
    }
  }
  return ran.code === 0;
}

/** Copies without following symbolic links, as an archive of artefacts does. */
function copy(from: string, to: string, path: string): void {
  cpSync(join(from, path), join(to, path), { recursive: true, verbatimSymlinks: true });
}

/** True if a job has no rules, or if one of its rules holds. A rule such as `$CI_COMMIT_TAG` asks for a variable. */
function selected(rules: Job["rules"], variables: Record<string, string>): boolean {
  return rules === undefined || rules.some(({ if: condition }) => holds(condition, variables));
}

function holds(condition: string, variables: Record<string, string>): boolean {
  const [, name = ""] = /^\$(\w+)$/.exec(condition) ?? [];
  if (name === "") throw new Error(`the test does not know the rule ${condition}`);
  return (variables[name] ?? "") !== "";
}
