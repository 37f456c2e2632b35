import type { ObservedBehaviour } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/**
 * The checks of a stage run together. The stages run one after the other, so that no write changes a list
 * while it is read.
 */
export const STAGES = [
  /** Comes first, and makes the resources that later stages read. */
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
  /** Writes that would disturb other checks, one check at a time. */
  "burst",
  /** Reads again what was written. */
  "aftermath",
  /** Judges the recorded requests and answers. Most rules have this stage. */
  "judge",
  /** Concludes from all answers, as deliveries need it. */
  "finish",
  /** Sends texts that may make a gateway lock the client out. */
  "provoke",
] as const;
export type Stage = (typeof STAGES)[number];

export interface CheckFacts {
  /** Made of suite, requirement, operation and constraint, without a counter. It is the same in each run. */
  id: string;
  title: string;
  suite: string;
  requirements: string[];
  operation: string;
  /** The id of a group, of which depth quick samples one check. */
  sampledGroup?: string;
  ownId?: string;
  formerIds?: string[];
  /** True if depth full samples the group, too. */
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
