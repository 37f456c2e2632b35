import { execFileSync } from "node:child_process";
import { packageRoot } from "../runner/package-root.ts";
import { globMatcher } from "../spec/glob.ts";

/** With `TESTS=all`, every slow test runs. */
const runsAll = process.env.TESTS === "all";
/** Turns and shares must not depend on each other, so they use different digits of the commit. */
const SHIFT_OF_TURNS = 12;

let seed: number | undefined;

/** A seed that differs between commits, so that each commit tests another sample. */
export function commitSeed(): number {
  seed ??= Number.parseInt(commitName(), 16);
  return seed;
}

function commitName(): string {
  const args = ["rev-parse", "--short=7", "HEAD"];
  return execFileSync("git", args, { cwd: packageRoot(), encoding: "utf8" });
}

/** The items whose names match (globs, separated by commas), or a share by commit if no names are given. */
export function namedOrShare<T extends { name: string }>(
  items: readonly T[],
  names: string | undefined,
  share: number,
): T[] {
  if (names === undefined) return sampledByCommit(items, share);
  const isNamed = globMatcher(names.split(","));
  return items.filter(({ name }) => isNamed(name));
}

/** True for one in `of` commits, another with each `turn` (from 0). For tests that are too slow for each commit. */
export function isTurn(turn: number, of: number): boolean {
  return runsAll || (commitSeed() >> SHIFT_OF_TURNS) % of === turn;
}

/** One in `share` of the items, or all with `TESTS=all`. Each commit tests another part. */
export function commitShare<T>(items: readonly T[], share: number): readonly T[] {
  return runsAll ? items : sampledByCommit(items, share);
}

function sampledByCommit<T>(items: readonly T[], share: number): T[] {
  const seed = commitSeed();
  return items.filter((_, index) => (index + seed) % share === 0);
}
