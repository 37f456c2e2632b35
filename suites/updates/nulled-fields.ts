import type { JsonObject } from "../../spec/json.ts";

/**
 * The fields that were null last. Each is set again to another value than it had before null, because a
 * service may merge the new value with the old one.
 */
export class NulledFields {
  readonly #before = new Map<string, unknown>();

  /** Records an accepted update. */
  see(sent: JsonObject, shown: JsonObject): void {
    for (const [name, value] of Object.entries(sent)) {
      if (value !== null) this.#before.delete(name);
      else if (!this.#before.has(name)) this.#before.set(name, shown[name]);
    }
  }

  isDue(names: readonly string[]): boolean {
    return names.some((name) => this.#before.has(name));
  }

  /** The first of the names that was null last. All of them if `isLast`, because no update follows. */
  due(names: readonly string[], isLast: boolean): string[] {
    return names.filter((name) => this.#before.has(name)).slice(0, isLast ? undefined : 1);
  }

  /** The resource with the values that fields had before null, except switches that are shown again. */
  over(shown: JsonObject): JsonObject {
    const known = [...this.#before].filter(
      ([name, value]) => value !== undefined && (typeof value !== "boolean" || !(name in shown)),
    );
    return { ...shown, ...Object.fromEntries(known) };
  }
}
