import type { ObservedBehaviour } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/**
 * The checks of a stage run together. The stages run one after the other, so that no write changes a list
 * while it is read.
 */
export const STAGES = [
  "prepare",
  "repeat",
  "read",
  "race",
  "write",
  "clash",
  "burst",
  "aftermath",
  "judge",
  "finish",
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
