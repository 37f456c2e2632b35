/**
 * Interprets a declarative Jenkinsfile, for tests: stages in order, `when`, credentials of a stage, and
 * `post`.
 */

import { cpSync, existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { type Ended, machine, runScript } from "./shell.ts";

export interface JenkinsSetting {
  pipeline: string;
  repository: string;
  place: string;
  bin: string;
  /** For the id of each credential, its text or the path of its file. */
  credentials: Record<string, string>;
  /** Variables that the server sets, such as TAG_NAME in a build of a tag. */
  variables: Record<string, string>;
}

export async function runJenkins(setting: JenkinsSetting): Promise<Ended> {
  const cwd = mkdtempSync(join(setting.place, "workspace-"));
  cpSync(setting.repository, cwd, { recursive: true });
  const ended: Ended = { jobs: {}, ran: [], artifacts: {} };
  const pipeline = body(code(setting.pipeline), "pipeline");
  let ok = true;
  for (const [name, stage] of blocks(body(pipeline, "stages"), /stage\('([^']+)'\)/g)) {
    if (!ok || !applies(stage, setting.variables)) {
      ended.jobs[name] = "skipped";
      continue;
    }
    const env = { ...machine(setting.bin), ...setting.variables, ...environmentOf(stage, setting) };
    let code = 0;
    for (const [part, must] of [
      [body(stage, "steps"), true],
      [optional(optional(stage, "post"), "always"), false],
    ] as const) {
      for (const text of scripts(part)) {
        const ran = await runScript({ name, shell: ["sh", "-xe"], text, cwd, env });
        ended.ran.push(ran);
        if (ran.code !== 0) code = ran.code;
        if (must && code !== 0) break;
      }
    }
    ended.jobs[name] = code === 0 ? "success" : "failure";
    ok = code === 0;
  }
  const after = body(body(pipeline.replace(body(pipeline, "stages"), ""), "post"), "always");
  const [, patterns = ""] = /archiveArtifacts artifacts: '([^']+)'/.exec(after) ?? [];
  for (const folder of patterns.split(", ").map((pattern) => pattern.replace("/**", "")))
    if (existsSync(join(cwd, folder))) ended.artifacts[folder] = join(cwd, folder);
  return ended;
}

/** The environment variables of a stage that have credentials as values. */
function environmentOf(stage: string, { credentials }: JenkinsSetting): Record<string, string> {
  const named = [...optional(stage, "environment").matchAll(/(\w+) = credentials\('([^']+)'\)/g)];
  return Object.fromEntries(named.map(([, name = "", id = ""]) => [name, credentials[id] ?? ""]));
}

function applies(stage: string, variables: Record<string, string>): boolean {
  const condition = optional(stage, "when").trim();
  if (condition === "") return true;
  if (condition !== "buildingTag()") throw new Error(`the test does not know the condition ${condition}`);
  return variables.TAG_NAME !== undefined;
}

/** The scripts of all `sh` steps. */
export function scripts(part: string): string[] {
  return [...part.matchAll(/sh '''([\s\S]*?)'''/g)].map(([, script = ""]) => script);
}

/** The text without its comment lines. */
function code(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, "");
}

/** The text between the braces of the first block `word { ... }`. @throws Error if there is none */
function body(text: string, word: string): string {
  const [first] = blocks(text, new RegExp(`\\b(${word})\\b`, "g"));
  if (first === undefined) throw new Error(`there is no ${word} in the Jenkinsfile`);
  return first[1];
}

function optional(text: string, word: string): string {
  return blocks(text, new RegExp(`\\b(${word})\\b`, "g"))[0]?.[1] ?? "";
}

/** Every block `head { ... }`. Its name is the first group of the pattern `head`. */
function blocks(text: string, head: RegExp): [name: string, body: string][] {
  return [...text.matchAll(new RegExp(`${head.source}\\s*\\{`, "g"))].map((match) => {
    const start = (match.index ?? 0) + match[0].length;
    let depth = 1;
    let at = start;
    for (; depth > 0 && at < text.length; at++) {
      if (text[at] === "{") depth++;
      if (text[at] === "}") depth--;
    }
    return [match[1] ?? "", text.slice(start, at - 1)];
  });
}
