import type { RequestPlan } from "../../generators/request.ts";
import type { Answer } from "../target.ts";
import type { WireRequest } from "./wire.ts";

export interface Outgoing {
  plan: RequestPlan;
  wire: WireRequest;
}

export interface Use {
  /** The id of the probe that asks, or of the check. */
  asker: string;
  round: number;
  valid: boolean;
  role?: string | undefined;
  /** True if other requests wait for this one. */
  urgent?: boolean;
}

export type Sender = (outgoing: Outgoing, use: Use) => Promise<Answer>;
