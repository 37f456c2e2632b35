import type { JsonObject } from "../../spec/json.ts";

/**
 * Fields that were null last. Each is set once more, to a value other than the one before null: a service may add
 * what it kept of that.
 */
export class NulledFields {
  readonly #before = new Map<string, unknown>();

  /** Takes note of an accepted update. */
  see(sent: JsonObject, shown: JsonObject): void {
    for (const [name, value] of Object.entries(sent)) {
      if (value !== null) this.#before.delete(name);
      else if (!this.#before.has(name)) this.#before.set(name, shown[name]);
    }
  }

  isDue(names: readonly string[]): boolean {
    return names.some((name) => this.#before.has(name));
  }

  /** The first of the names that is due, or all if no update follows. */
  due(names: readonly string[], isLast: boolean): string[] {
    return names.filter((name) => this.#before.has(name)).slice(0, isLast ? undefined : 1);
  }

  /** The resource with the values before null, except switches that are shown since. */
  over(shown: JsonObject): JsonObject {
    const known = [...this.#before].filter(
      ([name, value]) => value !== undefined && (typeof value !== "boolean" || !(name in shown)),
    );
    return { ...shown, ...Object.fromEntries(known) };
  }
}
