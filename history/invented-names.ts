/**
 * Words that the suite makes up because only the service knows valid ones. Seeing them again proves nothing about
 * the service's own words.
 */

/** Sent to see whether an unknown value is accepted. */
export const UNHEARD_OF = "unheard-of";

const INVENTED = "conformance.event_";
/** More than any list of names may hold. */
const MOST_NAMES = 128;

/** Different names that no service knows, for fields that need some name. */
export function inventedNames(): string[] {
  return Array.from({ length: MOST_NAMES }, (_, index) => `${INVENTED}${index + 1}`);
}

/** True if the suite made the value up. */
export function isInvented(value: unknown): boolean {
  return value === UNHEARD_OF || (typeof value === "string" && value.startsWith(INVENTED));
}
