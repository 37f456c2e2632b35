import { createHash } from "node:crypto";
import type { Operation } from "../spec/model/spec.ts";
import { allowedVersions, versionsOf } from "../spec/versions.ts";
import type { Target } from "./target.ts";

/** The default version: the newest that the user allows. */
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

/** True if every request is sent under every version. A suggested profile rests on all requests. */
export function sendsAll({ settings }: Target): boolean {
  return settings.depth === "full" || settings.suggestProfile === true;
}

/** The given version if the operation takes it, else its default version. */
export function versionFor(target: Target, operation: Operation, version: string | null): string | null {
  return versionsOf(target.spec, operation).includes(version) ? version : usualVersion(target, operation);
}

/** The number that a seed gives for some words. */
export function lotOf(seed: number, words: string): number {
  return createHash("sha256").update(`${seed} ${words}`).digest().readUInt32BE(0);
}

/** The one of several that a seed picks for some words, as a list; empty if there are none. */
export function drawnFrom<T>(seed: number, words: string, items: readonly T[]): T[] {
  const lot = lotOf(seed, words) % items.length;
  return items.slice(lot, lot + 1);
}

/** The version that the seed picks for a draw at an operation. Rules with the same draw get the same version. */
export function drawnVersion(target: Target, operation: Operation, draw: string): string | null {
  const words = drawWords(draw, operation.key);
  const [version = null] = drawnFrom(target.settings.seed, words, allowedOf(target, operation));
  return version;
}

/** The words of a draw at an operation or a group of places. */
export function drawWords(draw: string, place: string): string {
  return `${draw} ${place}`;
}
