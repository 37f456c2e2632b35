/** The stack of senders: each is a small function around the next and has one task. */

import type { RequestPlan } from "../../generators/request.ts";
import type { Answer } from "../target.ts";
import type { WireRequest } from "./wire.ts";

/** A request as planned, and as sent. */
export interface Outgoing {
  plan: RequestPlan;
  wire: WireRequest;
}

/** The purpose of a request. */
export interface Use {
  /** The id of the check, or the name of another sender. */
  check: string;
  /** Number of the attempt of the check. */
  attempt: number;
  /** True if the request breaks no rule, so that it should succeed. */
  valid: boolean;
  /** The part of the exchange in a finding. */
  role?: string | undefined;
  /** True if others wait for the answer: the request goes before others. */
  urgent?: boolean;
}

/** Sends a request and returns the answer. @throws NoAnswer or Untestable */
export type Sender = (outgoing: Outgoing, use: Use) => Promise<Answer>;
