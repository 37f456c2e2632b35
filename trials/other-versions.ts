import type { Call } from "../client/call.ts";

/** A version with the form of the allowed ones that is none of them. */
function laterVersion(versions: readonly string[]): string {
  const newest = versions.at(-1) ?? "1";
  const later = newest.replace(/\d+/, "2099");
  return versions.includes(later) || later === newest ? `${newest}-later` : later;
}

/**
 * Versions that are not allowed: of other times, one of the right form, and one without. At depth quick the seed
 * picks one for each read, and leaves one of the last two out for each write.
 */
export function unknownVersions(call: Call): string[] {
  const { target, operation } = call;
  const refused = (operation.version?.schema["x-refused"] ?? []).map(String);
  const others = [laterVersion(target.spec.versions), "conformance-unknown"];
  const all = [...refused, ...others];
  if (target.settings.depth === "full") return all;
  const drawn = Math.abs(target.seed);
  if (operation.method === "GET") return all.filter((_, index) => index === drawn % all.length);
  return [...refused, ...others.filter((_, index) => index === drawn % others.length)];
}
