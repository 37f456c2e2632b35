/** Each sender is a small function around the next, with one task. */

import type { RequestPlan } from "../../generators/request.ts";
import type { Answer } from "../target.ts";
import type { WireRequest } from "./wire.ts";

export interface Outgoing {
  plan: RequestPlan;
  wire: WireRequest;
}

export interface Use {
  check: string;
  attempt: number;
  valid: boolean;
  role?: string | undefined;
  /** Others wait for the answer: the request is sent before others. */
  urgent?: boolean;
}

export type Sender = (outgoing: Outgoing, use: Use) => Promise<Answer>;
