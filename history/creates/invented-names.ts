export const INVENTED_VALUE = "unheard-of";

const INVENTED = "conformance.event_";
const MOST_NAMES = 128;

/** Returns names that no service knows, in place of those of a fixture. */
export function inventedNames(): string[] {
  return Array.from({ length: MOST_NAMES }, (_, index) => `${INVENTED}${index + 1}`);
}

export function isInvented(value: unknown): boolean {
  return value === INVENTED_VALUE || (typeof value === "string" && value.startsWith(INVENTED));
}

/** Returns a space id that begins like a known one and names no space. */
export function inventedSpace(beginning: string, runTag: string): string {
  return `${beginning}-${runTag}`;
}

/** True for invented space ids, also if the letter case or end was changed. */
export function isInventedSpace(space: string, runTag: string): boolean {
  return space.toLowerCase().includes(`-${runTag.toLowerCase()}`);
}
