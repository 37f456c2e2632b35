/** Runs the compiled command as its users do. */

import { type ChildProcess, fork, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "../../reports/report.ts";
import { changedSinceBuild } from "./built.ts";

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
  input?: Buffer;
  /** Called with the standard output so far. It may send the process a signal. */
  onOutput?: (text: string, kill: Kill) => void;
  /** Called with the standard error so far. It may send the process a signal. */
  onComplaint?: (text: string, kill: Kill) => void;
  onStart?: (kill: Kill) => void;
}

type Kill = (signal: NodeJS.Signals) => void;

/** Variables that a process reads only when it starts, so a process that runs already would ignore them. */
const READ_FIRST = /^(NODE_.*|NO_COLOR|FORCE_COLOR|TERM|CI)$/;

/**
 * Runs the command to its end. Of the test's own environment variables it gets only PATH and HOME. To save time, a
 * waiting process runs it (host.mjs), unless the test sends input or signals, or watches the output.
 */
export function command(args: readonly string[], options: CommandOptions): Promise<Ended> {
  const { cwd, env: own = {}, ...watched } = options;
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...own };
  const isPlain =
    Object.keys(watched).length === 0 && !Object.keys(own).some((name) => READ_FIRST.test(name));
  return isPlain ? runHosted({ args, cwd, env }) : runNode([MAIN, ...args], { ...options, env });
}

const HOST = fileURLToPath(new URL("host.mjs", import.meta.url));
const idle: ChildProcess[] = [];

/** Runs the command in a waiting process, or in a new one if all are busy. */
function runHosted(call: {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}): Promise<Ended> {
  const host =
    idle.pop() ??
    fork(HOST, {
      execArgv: ["--interrupt-budget=300000", "--max-semi-space-size=64"],
      env: call.env,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error(`the process of ${call.args.join(" ")} ended on its own`));
    host.once("exit", gone);
    host.once("message", ({ isIdle, ...ended }: Ended & { isIdle: boolean }) => {
      host.off("exit", gone);
      // A waiting process must not keep the test's own process from ending.
      host.unref();
      host.channel?.unref();
      if (isIdle) idle.push(host);
      else host.kill("SIGKILL");
      resolve(ended);
    });
    host.ref();
    host.channel?.ref();
    host.send(call);
  });
}

/** Runs Node.js in a new process, with exactly the given environment variables. */
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

/** Calls `use` with a new empty folder, and removes the folder afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "payments-conformance-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function reportIn(folder: string, out = "conformance-report"): Report {
  return JSON.parse(readFileSync(join(folder, out, "report.json"), "utf8")) as Report;
}
