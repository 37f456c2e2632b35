import { createHash } from "node:crypto";
import type { Operation } from "../spec/model/spec.ts";
import { allowedVersions, versionsOf } from "../spec/versions.ts";
import type { Target } from "./target.ts";

/** Returns null if the operation takes no version, or if the user wants no version and none is required. */
export function defaultVersion(target: Target, operation: Operation): string | null {
  const { serviceVersion } = target.settings;
  const { version } = operation;
  if (!version) return null;
  const allowed = allowedVersions(target.spec, operation);
  const newest = allowed.at(-1) ?? null;
  if (serviceVersion === "none") return version.required ? newest : null;
  return allowed.includes(serviceVersion) ? serviceVersion : newest;
}

/** Returns the versions that the user allows, at least one. Null is among them if no version may be named. */
export function allowedOf(target: Target, operation: Operation): (string | null)[] {
  const { serviceVersion } = target.settings;
  const versions = versionsOf(target.spec, operation).filter(
    (version) => serviceVersion === "all" || serviceVersion === (version ?? "none"),
  );
  return versions.length > 0 ? versions : [defaultVersion(target, operation)];
}

export function sendsAll({ settings }: Target): boolean {
  return settings.depth === "full" || settings.suggestProfile === true;
}

/** Returns the version if the operation knows it, else its default version. */
export function versionFor(target: Target, operation: Operation, version: string | null): string | null {
  return versionsOf(target.spec, operation).includes(version) ? version : defaultVersion(target, operation);
}

/** The seeds 0 to 5 pick consecutive choices, as do 6 to 11, and so on. */
const BLOCK = 6;

/** Returns the other seeds of the block, which together with this one make all choices of a group of six. */
export function seedsBeside(seed: number): number[] {
  const first = seed - (seed % BLOCK);
  return Array.from({ length: BLOCK - 1 }, (_, index) => first + ((seed + index + 1) % BLOCK));
}

/** Returns a number for the modulo of a choice. Successive seeds of a block give successive numbers. */
export function sampleNumber(seed: number, words: string): number {
  const block = Math.floor(seed / BLOCK);
  return createHash("sha256").update(`${block} ${words}`).digest().readUInt32BE(0) + seed - block * BLOCK;
}

/** Returns a list of the one item that the seed picks. The list is empty if there are no items. */
export function sampledFrom<T>(seed: number, words: string, items: readonly T[]): T[] {
  const sample = sampleNumber(seed, words) % items.length;
  return items.slice(sample, sample + 1);
}

/** Returns the same version for the same seed, purpose and operation. Null if the operation takes no version. */
export function sampledVersion(target: Target, operation: Operation, purpose: string): string | null {
  const words = `${purpose} ${operation.key}`;
  const [version = null] = sampledFrom(target.settings.seed, words, allowedOf(target, operation));
  return version;
}
