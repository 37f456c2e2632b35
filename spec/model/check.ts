import type { NotedPractice } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/**
 * The stages in their order. Checks of one stage run at the same time, but stages one after the other, so
 * that no write changes a list while it is read.
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
   * Consists of suite, requirement, operation and constraint. It never contains a position or a
   * counter, so it stays the same between runs.
   */
  id: string;
  title: string;
  suite: string;
  requirements: string[];
  operation: string;
  /** The shared id of a group of checks, of which depth quick samples one. */
  rotation?: string;
  ownId?: string;
  formerIds?: string[];
  /** True if depth full samples the group as well. */
  drawn?: boolean;
  stage: Stage;
  /** True if the check sends a POST or PATCH. A read-only run skips it. */
  writes: boolean;
  /** True if the check uses up a fixture. It is not run again to confirm a violation. */
  consumes?: boolean;
  cause?: RejectionCause;
  notes?: NotedPractice;
}

/** All ids of a check: in this plan, its own, that of its group, and those of earlier releases. */
export function idsOf({
  id,
  ownId,
  rotation,
  formerIds = [],
}: Pick<CheckFacts, "id" | "ownId" | "rotation" | "formerIds">): string[] {
  return [...new Set([id, ownId ?? id, rotation ?? id, ...formerIds])];
}
