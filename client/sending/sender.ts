/** The stack of senders. Each is a small function around the next, with one task. */

import type { RequestPlan } from "../../generators/request.ts";
import type { Answer } from "../target.ts";
import type { WireRequest } from "./wire.ts";

export interface Outgoing {
  plan: RequestPlan;
  wire: WireRequest;
}

/** Why a request is sent. */
export interface Use {
  /** The id of the check, or the name of a sender. */
  check: string;
  attempt: number;
  /** True if the request breaks no rule, so that it should succeed. */
  valid: boolean;
  role?: string | undefined;
  /** True if others wait for the answer: the request is sent before others. */
  urgent?: boolean;
}

/** Sends a request and returns its answer. @throws NoAnswer or Untestable */
export type Sender = (outgoing: Outgoing, use: Use) => Promise<Answer>;
