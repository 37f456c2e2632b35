import { createHash } from "node:crypto";
import type { Operation } from "../spec/model/spec.ts";
import { allowedVersions, versionsOf } from "../spec/versions.ts";
import type { Target } from "./target.ts";

/** The default version: the newest that the user allows; null if the operation takes no version. */
export function usualVersion(target: Target, operation: Operation): string | null {
  const { serviceVersion } = target.settings;
  const { version } = operation;
  if (!version) return null;
  const allowed = allowedVersions(target.spec, operation);
  const newest = allowed.at(-1) ?? null;
  if (serviceVersion === "none") return version.required ? newest : null;
  return allowed.includes(serviceVersion) ? serviceVersion : newest;
}

/** The versions that the user allows; the default version if the operation takes none of these. */
export function allowedOf(target: Target, operation: Operation): (string | null)[] {
  const { serviceVersion } = target.settings;
  const versions = versionsOf(target.spec, operation).filter(
    (version) => serviceVersion === "all" || serviceVersion === (version ?? "none"),
  );
  return versions.length > 0 ? versions : [usualVersion(target, operation)];
}

/**
 * True if every request is sent under every version: at depth full, or to suggest a profile from all answers.
 */
export function sendsAll({ settings }: Target): boolean {
  return settings.depth === "full" || settings.suggestProfile === true;
}

/** The given version if the operation takes it, else the operation's default version. */
export function versionFor(target: Target, operation: Operation, version: string | null): string | null {
  return versionsOf(target.spec, operation).includes(version) ? version : usualVersion(target, operation);
}

/** A number from 0 to 2^32 - 1 that depends on the seed and the words alone. */
export function lotOf(seed: number, words: string): number {
  return createHash("sha256").update(`${seed} ${words}`).digest().readUInt32BE(0);
}

/** One item that the seed picks for the words, in an array; empty if there are no items. */
export function drawnFrom<T>(seed: number, words: string, items: readonly T[]): T[] {
  const lot = lotOf(seed, words) % items.length;
  return items.slice(lot, lot + 1);
}

/** The version that the seed picks at an operation. Rules with the same `draw` get the same version. */
export function drawnVersion(target: Target, operation: Operation, draw: string): string | null {
  const words = drawWords(draw, operation.key);
  const [version = null] = drawnFrom(target.settings.seed, words, allowedOf(target, operation));
  return version;
}

/** The words that identify a draw at an operation or a group of targets. */
export function drawWords(draw: string, place: string): string {
  return `${draw} ${place}`;
}
