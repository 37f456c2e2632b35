import { execFileSync } from "node:child_process";
import { packageRoot } from "../runner/package-root.ts";

/** A seed that differs between commits, so that each commit tests another sample. */
export function commitSeed(): number {
  const commit = execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { cwd: packageRoot() });
  return Number.parseInt(commit.toString(), 16);
}
