import type { JsonObject } from "../../spec/json.ts";

/**
 * Remembers which value a field had before null, so that it gets another one next. A faulty service may merge old and
 * new values.
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

  /** Returns the fields that are null and need a value: the first of them, or all in the last event. */
  due(names: readonly string[], isLast: boolean): string[] {
    return names.filter((name) => this.#before.has(name)).slice(0, isLast ? undefined : 1);
  }

  /** Returns the shown values, and for fields that are null the values that they had before. */
  over(shown: JsonObject): JsonObject {
    const known = [...this.#before].filter(
      ([name, value]) => value !== undefined && (typeof value !== "boolean" || !(name in shown)),
    );
    return { ...shown, ...Object.fromEntries(known) };
  }
}
