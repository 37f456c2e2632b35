import { createHash } from "node:crypto";
import type { Operation } from "../spec/model/spec.ts";
import { allowedVersions, versionsOf } from "../spec/versions.ts";
import type { Target } from "./target.ts";

/** Returns the version for most requests: null if none is taken, or none is needed and the user wants none. */
export function defaultVersion(target: Target, operation: Operation): string | null {
  const { serviceVersion } = target.settings;
  const { version } = operation;
  if (!version) return null;
  const allowed = allowedVersions(target.spec, operation);
  const newest = allowed.at(-1) ?? null;
  if (serviceVersion === "none") return version.required ? newest : null;
  return allowed.includes(serviceVersion) ? serviceVersion : newest;
}

/** Returns at least one version that the user allows. Null means none. */
export function allowedOf(target: Target, operation: Operation): (string | null)[] {
  const { serviceVersion } = target.settings;
  const versions = versionsOf(target.spec, operation).filter(
    (version) => serviceVersion === "all" || serviceVersion === (version ?? "none"),
  );
  return versions.length > 0 ? versions : [defaultVersion(target, operation)];
}

/** True at depth full. Depth quick sends a sample that the seed picks. */
export function sendsAll({ settings }: Pick<Target, "settings">): boolean {
  return settings.depth === "full";
}

/** Returns the version if the operation has it, and otherwise the default one. */
export function versionFor(target: Target, operation: Operation, version: string | null): string | null {
  return versionsOf(target.spec, operation).includes(version) ? version : defaultVersion(target, operation);
}

/** Six seeds in a row (0 to 5, 6 to 11) pick successive choices. */
const SEED_BLOCK = 6;

/** Returns the other seeds of the block: together, all six make all choices of up to six. */
export function seedsBeside(seed: number): number[] {
  const first = seed - (seed % SEED_BLOCK);
  return Array.from({ length: SEED_BLOCK - 1 }, (_, index) => first + ((seed + index + 1) % SEED_BLOCK));
}

/** Returns a number, used modulo the choices. Successive seeds of a block give successive numbers. */
export function sampleNumber(seed: number, words: string): number {
  const block = Math.floor(seed / SEED_BLOCK);
  return (
    createHash("sha256").update(`${block} ${words}`).digest().readUInt32BE(0) + seed - block * SEED_BLOCK
  );
}

/** Returns the one item that the seed picks, or none if there are none. */
export function sampledFrom<T>(seed: number, words: string, items: readonly T[]): T[] {
  const sample = sampleNumber(seed, words) % items.length;
  return items.slice(sample, sample + 1);
}

/** Returns all items at depth full, and at depth quick the one that the seed picks. */
export function sampledAtQuick<T>(target: Target, words: string, items: readonly T[]): readonly T[] {
  return sendsAll(target) ? items : sampledFrom(target.settings.seed, words, items);
}

/** Returns the version that the seed picks for the purpose. */
export function sampledVersion(target: Target, operation: Operation, purpose: string): string | null {
  const words = `${purpose} ${operation.key}`;
  const [version = null] = sampledFrom(target.settings.seed, words, allowedOf(target, operation));
  return version;
}
