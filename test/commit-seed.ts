import { execFileSync } from "node:child_process";
import { packageRoot } from "../runner/package-root.ts";

/** A seed that differs between commits, so that each commit tests another sample. */
export function commitSeed(): number {
  const commit = execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { cwd: packageRoot() });
  return Number.parseInt(commit.toString(), 16);
}

/** One in `share` of the items. Each commit tests another part. */
export function commitShare<T>(items: readonly T[], share: number): T[] {
  const seed = commitSeed();
  return items.filter((_, index) => (index + seed) % share === 0);
}
