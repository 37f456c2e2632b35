import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { freeMaps } from "../shared/echo.ts";
import { omit, optionalFields, propertyOf } from "./fields.ts";

/**
 * Updates of half of the fields empty maps, such as metadata, every second time. The next update of
 * several fields, these among them, leaves them out: it may bring their members back.
 */
export class EmptiedMaps {
  readonly #maps: string[];
  #halves: number;
  #emptied: string[] = [];

  constructor(spec: Spec, operation: Operation, seed: number) {
    this.#halves = Math.abs(seed);
    const optional = optionalFields(spec, operation);
    this.#maps = freeMaps(spec, operation.body ?? {}).filter(
      (name) => optional.includes(name) && (propertyOf(spec, operation, name).minProperties ?? 0) === 0,
    );
  }

  /** The body to send in place of this one, if any. */
  shaped(body: JsonObject | undefined, isHalf = false): JsonObject | undefined {
    if (!body) return undefined;
    const isAlone = Object.keys(body).length < 2;
    const others = isAlone ? body : omit(body, this.#emptied);
    this.#emptied = this.#emptied.filter((name) => !(name in body));
    if (!isHalf || isAlone || this.#halves++ % 2 > 0) return others;
    this.#emptied = this.#maps.filter((name) => name in others);
    return { ...others, ...Object.fromEntries(this.#emptied.map((name) => [name, {}])) };
  }
}
