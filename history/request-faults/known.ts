/** Knowledge about the values of a request that only other exchanges, or the user, can give. */

import type { NotedPractice } from "../../spec/model/note.ts";
import type { Parameter } from "../../spec/model/spec.ts";
import type { Asked } from "./asked.ts";

/** `good`, `wrong`, or open with the practice that describes the service's choice (null without one). */
export type Standing = "good" | "wrong" | { open: NotedPractice | null };

export const GOOD: Standing = "good";
export const WRONG: Standing = "wrong";
export const open = (practice: NotedPractice | null): Standing => ({ open: practice });

/** Judges each value that no schema can judge. */
export interface Known {
  /** The space of a request, for its token. */
  space(asked: Asked): Standing;
  /** An id or code in the path. */
  id(asked: Asked, parameter: Parameter, value: string): Standing;
  /** A cursor that keeps the rules of its parameter. */
  cursor(asked: Asked, parameter: Parameter, value: string): Standing;
  /** An idempotency key that keeps the rules of its header. */
  key(asked: Asked, value: string): Standing;
  /** A value of a field whose values must be unique. */
  uniqueValue(asked: Asked, field: string, value: unknown): Standing;
  /** A value that only the service and its user know, by the name of the fixture. */
  serviceValue(fixture: string, value: unknown): Standing;
}

/** Every value counts as good, so that the request alone decides. */
export const ALL_GOOD: Known = {
  space: () => GOOD,
  id: () => GOOD,
  cursor: () => GOOD,
  key: () => GOOD,
  uniqueValue: () => GOOD,
  serviceValue: () => GOOD,
};
