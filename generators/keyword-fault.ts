import { isObject, type JsonObject } from "../spec/json.ts";
import type { Schema } from "../spec/model/spec.ts";
import type { ValueSource } from "./values.ts";

export interface KeywordFault {
  change(valid: unknown): unknown;
  /** Undefined if the nearest valid value is the one that the fault changes. */
  near?: unknown;
  /** The wrong or missing property, unless the whole value is wrong. */
  property?: string;
  /** True if the value is nearly valid, so that only a lenient service accepts it. */
  isNearMiss?: true;
}

/** Returns no faults if no value breaks the keyword alone. */
export type FaultsOf = (schema: Schema, source: ValueSource) => KeywordFault[];

export const replacedBy = (value: unknown): KeywordFault => ({ change: () => value });

export const inObject = (change: (object: JsonObject) => unknown, property?: string): KeywordFault => ({
  ...(property === undefined ? {} : { property }),
  change: (value) => change(isObject(value) ? value : {}),
});
