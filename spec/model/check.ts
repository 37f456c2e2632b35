/** The facts about a check before it runs. */

import type { NotedPractice } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/**
 * When a check runs. Checks of one stage run at the same time, and stages follow each other. So our own writes
 * never change a list while we read it.
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
  /** Made of suite, requirement, operation, constraint and version. Stable: never a position or a counter. */
  id: string;
  /** A sentence for people: what must hold. */
  title: string;
  suite: string;
  requirements: string[];
  /** `METHOD path` as section 4 of the specification writes it. */
  operation: string;
  /** The value of the version header that the check sends; null if it sends none or several. */
  serviceVersion: string | null;
  /** True if the check is one of several that differ in the version header alone. */
  versioned: boolean;
  /** The id that checks share if depth quick samples one of them. */
  rotation?: string;
  /** The id of the check itself, if it is planned under a shared id. */
  ownId?: string;
  /** Ids that it had in earlier versions of the suite, with the same meaning. */
  formerIds?: string[];
  /** True if depth full also samples one of the versions, because the version does not matter. */
  drawn?: boolean;
  /** Key by which the seed picks the version: checks with the same key get the same version. */
  draw?: string;
  stage: Stage;
  /** True if it sends a POST or PATCH. A read-only run skips it. */
  writes: boolean;
  /** True if the check uses up a fixture. It is then not sent again. */
  consumes?: boolean;
  /** The reason that its probes give the service to reject. Profiles name statuses for it. */
  cause?: RejectionCause;
  /** The practice that it records if the specification is silent. */
  notes?: NotedPractice;
}

/** All ids of a check: in this plan, by itself, as one of a group, and in earlier versions of the suite. */
export function idsOf({
  id,
  ownId,
  rotation,
  formerIds = [],
}: Pick<CheckFacts, "id" | "ownId" | "rotation" | "formerIds">): string[] {
  return [...new Set([id, ownId ?? id, rotation ?? id, ...formerIds])];
}
