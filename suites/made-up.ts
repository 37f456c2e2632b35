/** Words that the suite makes up where only the service knows the right ones: what it shows of them is no word of its own. */

/** Sent to see whether a value that nobody has heard of is taken. */
export const UNHEARD_OF = "unheard-of";
/** Sent where some name is needed and the user gave none. */
export const INVENTED_NAME = "conformance.test";

/** Whether a value is one that the suite made up. */
export function isMadeUp(value: unknown): boolean {
  return value === UNHEARD_OF || value === INVENTED_NAME;
}
