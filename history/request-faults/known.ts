import type { ObservedBehaviour } from "../../spec/model/note.ts";
import type { Parameter } from "../../spec/model/spec.ts";
import type { Asked } from "./asked.ts";

/** `open`: a service may accept or reject the value. */
export type Standing = "good" | "wrong" | { open: ObservedBehaviour | null };

export const GOOD: Standing = "good";
export const WRONG: Standing = "wrong";
export const open = (behaviour: ObservedBehaviour | null): Standing => ({ open: behaviour });

export interface Known {
  space(asked: Asked): Standing;
  id(asked: Asked, parameter: Parameter, value: string): Standing;
  cursor(asked: Asked, parameter: Parameter, value: string): Standing;
  key(asked: Asked, value: string): Standing;
  uniqueValue(asked: Asked, field: string, value: unknown): Standing;
  serviceValue(fixture: string, value: unknown): Standing;
}

export const ALL_GOOD: Known = {
  space: () => GOOD,
  id: () => GOOD,
  cursor: () => GOOD,
  key: () => GOOD,
  uniqueValue: () => GOOD,
  serviceValue: () => GOOD,
};
