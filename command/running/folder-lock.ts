/** Keeps two processes from writing their reports into one folder at the same time. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { isObject } from "../../spec/json.ts";
import { jsonOf } from "../../spec/loading/read-file.ts";
import { UsageError } from "../../spec/usage-error.ts";

const LOCK = "report.lock";

const held = new Set<string>();

/**
 * Locks the folder for this process.
 * @throws UsageError if another process of this machine writes into the folder, or nobody can
 */
export function lockFolder(folder: string): void {
  const file = join(folder, LOCK);
  const holder = holderOf(file);
  if (holder !== undefined)
    throw new UsageError(
      `process ${holder} writes into ${folder}: wait for its end, or name another folder with --out (if it is no run, delete ${file})`,
    );
  rmSync(file, { force: true });
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: "wx" });
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (held.size === 0) process.once("exit", unlockFolders);
  held.add(file);
}

export function unlockFolder(folder: string): void {
  const file = join(folder, LOCK);
  if (held.delete(file)) rmSync(file, { force: true });
  if (held.size === 0) process.off("exit", unlockFolders);
}

export function unlockFolders(): void {
  for (const file of held) unlockFolder(dirname(file));
}

/** Returns the id of another process that has the lock and still runs. One that was killed leaves its lock. */
function holderOf(file: string): number | undefined {
  const { pid, host } = lockIn(file);
  if (typeof pid !== "number" || pid === process.pid || host !== hostname()) return undefined;
  return isRunning(pid) ? pid : undefined;
}

function lockIn(file: string): Record<string, unknown> {
  try {
    const lock = jsonOf(readFileSync(file, "utf8"));
    return isObject(lock) ? lock : {};
  } catch {
    return {};
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process runs, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
