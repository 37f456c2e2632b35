/** The stack of senders: each is a small function around the next, and knows one thing about sending. */

import type { RequestPlan } from "../../generators/request.ts";
import type { Answer } from "../target.ts";
import type { WireRequest } from "./wire.ts";

/** A request as it was planned, and as it goes over the wire. */
export interface Outgoing {
  plan: RequestPlan;
  wire: WireRequest;
}

/** What a request is sent for. */
export interface Use {
  /** The id of the check that asks, or the name of whoever asks in place of one. */
  check: string;
  /** Tells one try of a check from the next. */
  attempt: number;
  /** Whether the request breaks no rule, so that anything but a success is remarkable. */
  valid: boolean;
  /** What the exchange is to a finding. */
  role?: string | undefined;
  /** Whether others wait until it is answered: it goes before what does not. */
  urgent?: boolean;
}

/** Sends a request and gives the answer. Throws NoAnswer or Untestable where none can be had. */
export type Sender = (outgoing: Outgoing, use: Use) => Promise<Answer>;
