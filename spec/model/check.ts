import type { ObservedBehaviour } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/** Stages run one after the other, so that no write changes a list while it is read. */
export const STAGES = [
  /** Makes the resources that later stages read. */
  "prepare",
  /** Sends the same reads again. */
  "repeat",
  /** Reads while nothing is written. */
  "read",
  /** Sends simultaneous requests with one key or one unique value, one check at a time. */
  "race",
  /** Creates and updates. */
  "write",
  /** Sends simultaneous updates of one resource. */
  "clash",
  /** Sends writes that would disturb other checks, one check at a time. */
  "burst",
  /** Reads the written resources again. */
  "aftermath",
  /** Judges the recorded exchanges. Most rules have this stage. */
  "judge",
  /** Judges rules that need the whole run, such as deliveries. */
  "finish",
  /** Sends texts that may make a gateway lock the client out. */
  "provoke",
] as const;
export type Stage = (typeof STAGES)[number];

export interface CheckFacts {
  /** The same in each run, because it has no counter. */
  id: string;
  title: string;
  suite: string;
  requirements: string[];
  operation: string;
  /** At depth quick, the seed picks one check of the group. */
  sampledGroup?: string;
  ownId?: string;
  formerIds?: string[];
  /** True if the seed picks one check of the group at depth full, too. */
  alwaysSampled?: boolean;
  stage: Stage;
  /** True if the check writes, so that a read-only run skips it. */
  writes: boolean;
  /** True if the check uses up a fixture, so that it is not run again to confirm. */
  consumes?: boolean;
  cause?: RejectionCause;
  notes?: ObservedBehaviour;
}

export function idsOf({
  id,
  ownId,
  sampledGroup,
  formerIds = [],
}: Pick<CheckFacts, "id" | "ownId" | "sampledGroup" | "formerIds">): string[] {
  return [...new Set([id, ownId ?? id, sampledGroup ?? id, ...formerIds])];
}
