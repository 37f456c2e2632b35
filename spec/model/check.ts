import type { NotedPractice } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/**
 * Checks of one stage run at the same time, and the stages one after the other. So no write changes a list
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
   * Suite, requirement, operation and constraint, without a position or counter, so that it is the same in
   * each run.
   */
  id: string;
  title: string;
  suite: string;
  requirements: string[];
  operation: string;
  /** The id of a group of checks of which depth quick samples one. */
  rotation?: string;
  ownId?: string;
  formerIds?: string[];
  /** True if depth full samples the group as well. */
  drawn?: boolean;
  stage: Stage;
  /** True if the check sends a POST, PUT or PATCH, so that a read-only run skips it. */
  writes: boolean;
  /** True if the check uses up a fixture. It then does not run again to confirm a violation. */
  consumes?: boolean;
  cause?: RejectionCause;
  notes?: NotedPractice;
}

export function idsOf({
  id,
  ownId,
  rotation,
  formerIds = [],
}: Pick<CheckFacts, "id" | "ownId" | "rotation" | "formerIds">): string[] {
  return [...new Set([id, ownId ?? id, rotation ?? id, ...formerIds])];
}
