import type { ObservedBehaviour } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/**
 * Checks of one stage run at the same time, but stages one after the other, so that no write changes a list
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
  /**
   * Suite, requirement, operation and constraint. Without position or counter, so that it is stable between
   * runs.
   */
  id: string;
  title: string;
  suite: string;
  requirements: string[];
  operation: string;
  /** The shared id of a group of checks, of which depth quick samples one. */
  sampledGroup?: string;
  ownId?: string;
  formerIds?: string[];
  /** Depth full samples the group as well. */
  alwaysSampled?: boolean;
  stage: Stage;
  /** The check sends a POST or PATCH, so a read-only run skips it. */
  writes: boolean;
  /** The check uses up a fixture, so it is not run again to confirm a violation. */
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
