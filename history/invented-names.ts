/** Names that the suite invents: for values that only the service knows, and for spaces that do not exist. */

export const UNHEARD_OF = "unheard-of";

const INVENTED = "conformance.event_";
const MOST_NAMES = 128;

export function inventedNames(): string[] {
  return Array.from({ length: MOST_NAMES }, (_, index) => `${INVENTED}${index + 1}`);
}

/** True for a made-up value. That an answer shows it again proves nothing. */
export function isInvented(value: unknown): boolean {
  return value === UNHEARD_OF || (typeof value === "string" && value.startsWith(INVENTED));
}

export function inventedSpace(beginning: string, runTag: string): string {
  return `${beginning}-${runTag}`;
}

/** True for an id that `inventedSpace` made, in any casing and with any ending. */
export function isInventedSpace(space: string, runTag: string): boolean {
  return space.toLowerCase().includes(`-${runTag.toLowerCase()}`);
}
