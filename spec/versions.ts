import type { Operation, Spec } from "./model/spec.ts";

/** Returns the versions that the operation allows, the oldest first. */
export function allowedVersions(spec: Spec, { version }: Operation): string[] {
  if (!version) return [];
  return spec.versions.filter((each) => version.schema.enum?.includes(each) ?? true);
}

/** Returns the versions that the operation takes: null (no header) first, then from the oldest. */
export function versionsOf(spec: Spec, operation: Operation): (string | null)[] {
  const { version } = operation;
  if (!version) return [null];
  return [...(version.required ? [] : [null]), ...allowedVersions(spec, operation)];
}
