/** What is known of a check before it is tried. */

import type { NotedPractice } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/**
 * When a check runs. Checks of one stage run at the same time; stages follow each other, so that what the suite
 * itself writes never moves a list that it is reading.
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

/** A value that says what a check tries. */
export interface CheckFacts {
  /** Suite, requirement, operation, constraint and version: stable, never a position or a counter. */
  id: string;
  /** A sentence for people: what is tried. */
  title: string;
  suite: string;
  requirements: string[];
  /** `METHOD path` as section 4 of the specification writes it. */
  operation: string;
  /** The value of the version header that the check sends; null for none, or for no one in particular. */
  serviceVersion: string | null;
  /** Whether the check is one of several that differ in the version header alone. */
  versioned: boolean;
  /** For checks of which depth quick tries one and leaves the others to other seeds: the id that they share. */
  rotation?: string;
  /** The id that it has by itself, if it is planned under the id that a group shares. */
  ownId?: string;
  /** Ids that it had in earlier versions of the suite, with the same meaning. */
  formerIds?: string[];
  /** Whether depth full, too, tries one of them alone: what it is about does not hang on the version. */
  drawn?: boolean;
  /** What the seed draws the version by, where checks that share a story are to be tried under the same one. */
  draw?: string;
  stage: Stage;
  /** Whether trying it sends a POST or PATCH; such a check is skipped in a read-only run. */
  writes: boolean;
  /** Whether trying it uses up what the user gave for it: it is then not tried again, whatever it shows. */
  consumes?: boolean;
  /** What its probes give the service cause to reject, where they do; what a profile names statuses for. */
  cause?: RejectionCause;
  /** What it notes of the service, where the specification is silent on it. */
  notes?: NotedPractice;
}

/** Every id that a check goes by: in this plan, alone, as one of a group, and in earlier versions of the suite. */
export function idsOf({
  id,
  ownId,
  rotation,
  formerIds = [],
}: Pick<CheckFacts, "id" | "ownId" | "rotation" | "formerIds">): string[] {
  return [...new Set([id, ownId ?? id, rotation ?? id, ...formerIds])];
}
