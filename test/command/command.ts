/** Runs the compiled command as its users do. */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "../../reports/report.ts";
import { changedSinceBuild } from "./built.ts";

/** The path of the compiled command. */
export const MAIN = fileURLToPath(new URL("../../dist/command/bin.js", import.meta.url));

const changed = changedSinceBuild();
if (changed !== undefined)
  console.warn(`dist is older than ${changed}. These tests run dist: if they fail, try npm run build first.`);

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Standard input. Empty if not given. */
  input?: Buffer;
  /** Called with the standard output so far. It may send the process a signal. */
  onOutput?: (text: string, kill: Kill) => void;
  /** Called with the standard error so far. It may send the process a signal. */
  onComplaint?: (text: string, kill: Kill) => void;
  onStart?: (kill: Kill) => void;
}

type Kill = (signal: NodeJS.Signals) => void;

/** Runs the command to its end. The caller's environment variables are not passed on. */
export function command(args: readonly string[], options: CommandOptions): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...options.env };
  return runNode([MAIN, ...args], { ...options, env });
}

/** Runs Node to its end with these arguments and exactly the given environment. */
export function runNode(args: readonly string[], options: CommandOptions): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: options.cwd, env: options.env ?? {} });
  const kill: Kill = (signal) => child.kill(signal);
  const ended: Ended = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    ended.stdout += String(chunk);
    options.onOutput?.(ended.stdout, kill);
  });
  child.stderr.on("data", (chunk) => {
    ended.stderr += String(chunk);
    options.onComplaint?.(ended.stderr, kill);
  });
  options.onStart?.(kill);
  child.stdin.end(options.input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...ended, code }));
  });
}

/** Passes a new folder to `use`, and removes the folder afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "payments-conformance-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The report that a run left in a folder. */
export function reportIn(folder: string, out = "conformance-report"): Report {
  return JSON.parse(readFileSync(join(folder, out, "report.json"), "utf8")) as Report;
}
