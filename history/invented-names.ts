/**
 * Names that the suite invents for values that only the service knows. That an answer shows such a name again
 * proves nothing.
 */

export const UNHEARD_OF = "unheard-of";

const INVENTED = "conformance.event_";
const MOST_NAMES = 128;

export function inventedNames(): string[] {
  return Array.from({ length: MOST_NAMES }, (_, index) => `${INVENTED}${index + 1}`);
}

export function isInvented(value: unknown): boolean {
  return value === UNHEARD_OF || (typeof value === "string" && value.startsWith(INVENTED));
}
