/** Runs shell scripts of a recipe as a CI server does. */

import { spawn } from "node:child_process";

export interface Script {
  /** The name of the script's step in the recipe, for messages. */
  name: string;
  /** The shell and its options. The script follows as the argument of `-c`. */
  shell: readonly string[];
  text: string;
  cwd: string;
  env: Record<string, string>;
}

export interface Ran extends Script {
  code: number;
  output: string;
}

export interface Ended {
  /** The result of each job or stage, by name. */
  jobs: Record<string, "success" | "failure" | "skipped">;
  ran: Ran[];
  /** The folder of each kept artefact, by the artefact's name. */
  artifacts: Record<string, string>;
}

/** Environment variables that a CI server sets. The recipe sets all others. Commands in `bin` are found first. */
export function machine(bin: string): Record<string, string> {
  const npm = Object.entries(process.env).filter(([name]) => name.toLowerCase().startsWith("npm_config_"));
  return {
    ...(Object.fromEntries(npm) as Record<string, string>),
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    PATH: `${bin}:${process.env.PATH}`,
    HOME: process.env.HOME ?? "",
    CI: "true",
  };
}

export function runScript(script: Script): Promise<Ran> {
  const [shell = "sh", ...options] = script.shell;
  const child = spawn(shell, [...options, "-c", script.text], { cwd: script.cwd, env: script.env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...script, code: code ?? 1, output }));
  });
}
