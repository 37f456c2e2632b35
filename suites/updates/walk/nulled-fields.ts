import type { JsonObject } from "../../../spec/json.ts";

/** Remembers values before null: a faulty service may merge them with the next. */
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

  due(names: readonly string[], isLast: boolean): string[] {
    return names.filter((name) => this.#before.has(name)).slice(0, isLast ? undefined : 1);
  }

  /** Returns the shown values, and for nulled fields the values before null. */
  over(shown: JsonObject): JsonObject {
    const known = [...this.#before].filter(
      ([name, value]) => value !== undefined && (typeof value !== "boolean" || !(name in shown)),
    );
    return { ...shown, ...Object.fromEntries(known) };
  }
}
