/** Words that the suite makes up where only the service knows the right ones: what it shows of them is no word of its own. */

/** Sent to see whether a value that nobody has heard of is taken. */
export const UNHEARD_OF = "unheard-of";

const INVENTED = "conformance.event_";
/** More than any list of names may hold. */
const MOST_NAMES = 128;

/** Names that are surely nobody's, each different: sent where some name is needed and none is known. */
export function inventedNames(): string[] {
  return Array.from({ length: MOST_NAMES }, (_, index) => `${INVENTED}${index + 1}`);
}

/** Whether a value is one that the suite made up. */
export function isInvented(value: unknown): boolean {
  return value === UNHEARD_OF || (typeof value === "string" && value.startsWith(INVENTED));
}
