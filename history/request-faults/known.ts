import type { ObservedBehaviour } from "../../spec/model/note.ts";
import type { Parameter, ValuesFrom } from "../../spec/model/spec.ts";
import type { SentRequest } from "./sent-request.ts";

/** `open` means that a service may accept or reject the value. */
export type Validity = "good" | "wrong" | { open: ObservedBehaviour | null };

export const GOOD: Validity = "good";
export const WRONG: Validity = "wrong";
export const open = (behaviour: ObservedBehaviour | null): Validity => ({ open: behaviour });

/** Says if a value was valid when the request was sent. */
export interface Known {
  space(sent: SentRequest): Validity;
  id(sent: SentRequest, parameter: Parameter, value: string): Validity;
  cursor(sent: SentRequest, parameter: Parameter, value: string): Validity;
  key(sent: SentRequest, value: string): Validity;
  uniqueValue(sent: SentRequest, field: string, value: unknown): Validity;
  serviceValue(fixture: string, value: unknown): Validity;
  /** True if the values come from a list of another space, so that a service may not know them here. */
  isListedInOtherSpace(sent: SentRequest, from: ValuesFrom | undefined): boolean;
}

export const ALL_GOOD: Known = {
  space: () => GOOD,
  id: () => GOOD,
  cursor: () => GOOD,
  key: () => GOOD,
  uniqueValue: () => GOOD,
  serviceValue: () => GOOD,
  isListedInOtherSpace: () => false,
};
