/** Invented values: only the service knows valid ones. Seeing an invented value again proves nothing. */

export const UNHEARD_OF = "unheard-of";

const INVENTED = "conformance.event_";
const MOST_NAMES = 128;

export function inventedNames(): string[] {
  return Array.from({ length: MOST_NAMES }, (_, index) => `${INVENTED}${index + 1}`);
}

export function isInvented(value: unknown): boolean {
  return value === UNHEARD_OF || (typeof value === "string" && value.startsWith(INVENTED));
}
