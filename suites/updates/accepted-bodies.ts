import type { JsonObject } from "../../spec/json.ts";

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

  first(names: readonly string[]): JsonObject | undefined {
    const isSet = (body: JsonObject) => names.some((name) => (body[name] ?? null) !== null);
    const body = this.#all.find(isSet);
    if (!body || !this.#all.some((other) => other !== body && isSet(other))) return undefined;
    const set = Object.entries(body).filter(([, value]) => value !== null);
    return { ...Object.fromEntries(set), ...this.#required };
  }
}
