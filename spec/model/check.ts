/** The facts about a check before it runs. */

import type { NotedPractice } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/**
 * When a check runs. Checks of one stage run at the same time, and stages follow each other, so that no write
 * changes a list while it is read.
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
   * Made of suite, requirement, operation, constraint and version. It never contains a position or a counter,
   * so it stays the same between runs.
   */
  id: string;
  /** A sentence that says what must hold. */
  title: string;
  suite: string;
  requirements: string[];
  /** `METHOD path`, as section 4 of the specification writes it. */
  operation: string;
  /** The version header that the check sends; null if it sends none or several. */
  serviceVersion: string | null;
  /** True if other checks differ from this one in the version header alone. */
  versioned: boolean;
  /** The shared id of checks of which depth quick samples one. */
  rotation?: string;
  /** The id of the check itself, if it is planned under a shared id. */
  ownId?: string;
  /** Ids that the check had in earlier releases, with the same meaning. */
  formerIds?: string[];
  /** True if depth full also samples one of the versions, because the version does not matter. */
  drawn?: boolean;
  /** The key by which the seed picks the version: checks with the same key get the same version. */
  draw?: string;
  stage: Stage;
  /** True if the check sends a POST or PATCH. A read-only run skips it. */
  writes: boolean;
  /** True if the check uses up a fixture. It is not run again to confirm a violation. */
  consumes?: boolean;
  /** The cause for which its probes must be rejected. Profiles name statuses by cause. */
  cause?: RejectionCause;
  /** The behaviour that the check records if the specification is silent. */
  notes?: NotedPractice;
}

/** All ids of a check: in this plan, its own, that of its group, and those in earlier releases. */
export function idsOf({
  id,
  ownId,
  rotation,
  formerIds = [],
}: Pick<CheckFacts, "id" | "ownId" | "rotation" | "formerIds">): string[] {
  return [...new Set([id, ownId ?? id, rotation ?? id, ...formerIds])];
}
