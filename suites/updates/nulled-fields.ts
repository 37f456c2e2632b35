import type { JsonObject } from "../../spec/json.ts";

/**
 * Keeps the values that fields had before null. Their next values must differ, because a service may merge
 * new and old values.
 */
export class NulledFields {
  readonly #before = new Map<string, unknown>();

  see(sent: JsonObject, shown: JsonObject): void {
    for (const [name, value] of Object.entries(sent)) {
      if (value !== null) this.#before.delete(name);
      else if (!this.#before.has(name)) this.#before.set(name, shown[name]);
    }
  }

  isDue(names: readonly string[]): boolean {
    return names.some((name) => this.#before.has(name));
  }

  /** Returns one of these fields that is still null, or all of them if no update follows (`isLast`). */
  due(names: readonly string[], isLast: boolean): string[] {
    return names.filter((name) => this.#before.has(name)).slice(0, isLast ? undefined : 1);
  }

  /** Returns the resource with the values from before null, except for boolean fields that it shows again. */
  over(shown: JsonObject): JsonObject {
    const known = [...this.#before].filter(
      ([name, value]) => value !== undefined && (typeof value !== "boolean" || !(name in shown)),
    );
    return { ...shown, ...Object.fromEntries(known) };
  }
}
