/** In a fixture, stands for a text that differs each time. */
export const UNIQUE = "{unique}";

/** Returns the values of a fixture such as `GHS, XOF`. */
export function fixtureValues(given = ""): string[] {
  return given
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
}
