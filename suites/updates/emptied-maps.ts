import { type JsonObject, omit } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { freeMaps } from "../shared/echo.ts";
import { optionalFields } from "../shared/update-fields.ts";
import type { RoundRobin } from "./walk/round-robin.ts";

/** Returns the optional maps that may be empty. */
export function emptiableMaps(spec: Spec, operation: Operation): string[] {
  const optional = optionalFields(spec, operation);
  return freeMaps(spec, operation.body ?? {}).filter(
    (name) => optional.includes(name) && (spec.schemas.field(operation.body, name).minProperties ?? 0) === 0,
  );
}

/** A faulty service may restore an emptied map (metadata) when the next update omits it. */
export class EmptiedMaps {
  readonly #maps: string[];
  #emptied: string[] = [];

  constructor(
    spec: Spec,
    operation: Operation,
    private readonly roundRobin: RoundRobin,
  ) {
    this.#maps = emptiableMaps(spec, operation);
  }

  /** Returns the body with its maps emptied, or without the maps emptied last. */
  shaped(body: JsonObject | undefined, isHalf = false): JsonObject | undefined {
    if (!body) return undefined;
    const isAlone = Object.keys(body).length < 2;
    const others = isAlone ? body : omit(body, this.#emptied);
    this.#emptied = this.#emptied.filter((name) => !(name in body));
    if (!isHalf || isAlone) return others;
    const [isEmptying] = this.roundRobin.next("emptied maps", [true, false]);
    if (!isEmptying) return others;
    this.#emptied = this.#maps.filter((name) => name in others);
    return { ...others, ...Object.fromEntries(this.#emptied.map((name) => [name, {}])) };
  }
}
