import type { ObservedBehaviour } from "../../spec/model/note.ts";
import type { Parameter } from "../../spec/model/spec.ts";
import type { Asked } from "./asked.ts";

/** `open`: a service may accept or reject the value. */
export type Validity = "good" | "wrong" | { open: ObservedBehaviour | null };

export const GOOD: Validity = "good";
export const WRONG: Validity = "wrong";
export const open = (behaviour: ObservedBehaviour | null): Validity => ({ open: behaviour });

export interface Known {
  space(asked: Asked): Validity;
  id(asked: Asked, parameter: Parameter, value: string): Validity;
  cursor(asked: Asked, parameter: Parameter, value: string): Validity;
  key(asked: Asked, value: string): Validity;
  uniqueValue(asked: Asked, field: string, value: unknown): Validity;
  serviceValue(fixture: string, value: unknown): Validity;
}

export const ALL_GOOD: Known = {
  space: () => GOOD,
  id: () => GOOD,
  cursor: () => GOOD,
  key: () => GOOD,
  uniqueValue: () => GOOD,
  serviceValue: () => GOOD,
};
