import type { JsonObject } from "../../spec/json.ts";
import { withoutNulls } from "./bodies.ts";

export class AcceptedBodies {
  readonly #all: JsonObject[] = [];
  #required: JsonObject = {};

  begin(required: JsonObject): void {
    this.#required = required;
  }

  add(body: JsonObject): void {
    this.#all.push(body);
  }

  get last(): JsonObject | undefined {
    return this.#all.at(-1);
  }

  /**
   * Returns the first accepted values of the fields, or `undefined` if fewer than two bodies set one of them.
   */
  first(names: readonly string[]): JsonObject | undefined {
    const isSet = (body: JsonObject) => names.some((name) => (body[name] ?? null) !== null);
    const body = this.#all.find(isSet);
    if (!body || !this.#all.some((other) => other !== body && isSet(other))) return undefined;
    return { ...withoutNulls(body), ...this.#required };
  }
}
