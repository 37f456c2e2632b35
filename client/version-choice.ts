import { createHash } from "node:crypto";
import type { Operation, Spec } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";

/** The version that checks send which are not about versions: the newest that the user allows. */
export function usualVersion(target: Target, operation: Operation): string | null {
  const { serviceVersion } = target.settings;
  const { version } = operation;
  if (!version) return null;
  const allowed = allowedVersions(target.spec, operation);
  const newest = allowed.at(-1) ?? null;
  if (serviceVersion === "none") return version.required ? newest : null;
  return allowed.includes(serviceVersion) ? serviceVersion : newest;
}

/** Every version to send to an operation: none first, where the header may be left out, then each allowed one. */
export function versionsOf(spec: Spec, operation: Operation): (string | null)[] {
  const { version } = operation;
  if (!version) return [null];
  return [...(version.required ? [] : [null]), ...allowedVersions(spec, operation)];
}

/** Those of them that the user allows; the usual one where the operation takes none of these. */
export function allowedOf(target: Target, operation: Operation): (string | null)[] {
  const { serviceVersion } = target.settings;
  const versions = versionsOf(target.spec, operation).filter(
    (version) => serviceVersion === "all" || serviceVersion === (version ?? "none"),
  );
  return versions.length > 0 ? versions : [usualVersion(target, operation)];
}

/** A version as another operation can be asked under it: its newest, where it does not take that one. */
export function versionFor(target: Target, operation: Operation, version: string | null): string | null {
  return versionsOf(target.spec, operation).includes(version) ? version : usualVersion(target, operation);
}

/** The versions that an operation takes, oldest first: one that is new may take the newest alone. */
export function allowedVersions(spec: Spec, { version }: Operation): string[] {
  if (!version) return [];
  return spec.versions.filter((each) => version.schema.enum?.includes(each) ?? true);
}

/** The number that a seed draws for some words, for whoever takes turns under them. */
export function lotOf(seed: number, words: string): number {
  return createHash("sha256").update(`${seed} ${words}`).digest().readUInt32BE(0);
}

/** The version that rules which name the same to draw by are tried under at an operation, where one is drawn. */
export function drawnVersion(target: Target, operation: Operation, draw: string): string | null {
  const versions = allowedOf(target, operation);
  return versions[lotOf(target.settings.seed, drawWords(draw, operation.key)) % versions.length] ?? null;
}

/** What a draw is for: the same for all rules that name it, at an operation or a group of places. */
export function drawWords(draw: string, place: string): string {
  return `${draw} ${place}`;
}
