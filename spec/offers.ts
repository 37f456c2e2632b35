import type { Operation, Requirement, Spec } from "./model/spec.ts";
import { didYouMean } from "./nearest.ts";
import { prefixOf } from "./path-readings.ts";
import { UsageError } from "./usage-error.ts";

export const OFFERS_ABSENT = "OFFERS-ABSENT";
const CORE = "core";

/** Returns the names that `--offers` takes, the core first. */
export function offerNames(spec: Spec): string[] {
  return [...new Set(offeredParts(spec).values())].sort((a, b) => Number(b === CORE) - Number(a === CORE));
}

/**
 * Returns the keys of operations in parts (`webhooks`) that `offers` lacks.
 * @throws UsageError if a name is no part
 */
export function notOffered(spec: Spec, offers: readonly string[]): string[] {
  const parts = offeredParts(spec);
  const names = offerNames(spec);
  const unknown = offers.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `--offers knows ${names.join(", ")}, and not ${unknown}${didYouMean(unknown, names)}`,
    );
  return spec.operations
    .filter((operation) => {
      const part = parts.get(firstWord(spec, operation));
      return part !== undefined && !offers.includes(part);
    })
    .map(({ key }) => key);
}

/** Notes the operations that the service does not offer, and requires that they are absent. */
export function withOffers(spec: Spec, absent: readonly string[] | undefined): Spec {
  if (absent === undefined || absent.length === 0) return spec;
  const requirement: Requirement = {
    id: OFFERS_ABSENT,
    row: 0,
    level: "MUST",
    section: "4",
    statement: "An operation that the service is declared not to offer is not there (404, 405 or 501).",
  };
  return {
    ...spec,
    notOffered: absent,
    requirements: new Map([...spec.requirements, [requirement.id, requirement]]),
  };
}

/** Returns the part of the API of each first word of a path. Operations without a space are of the core. */
function offeredParts(spec: Spec): Map<string, string> {
  const parts = new Map<string, string>();
  for (const operation of spec.operations) {
    if (operation.kind === "named" || operation.kind === "other") continue;
    const word = firstWord(spec, operation);
    if (parts.get(word) !== word) parts.set(word, operation.space === undefined ? CORE : word);
  }
  return parts;
}

function firstWord(spec: Spec, { path }: Operation): string {
  return path.slice(prefixOf(spec, path).length).split("/")[1] ?? "";
}
