import type { ObservedBehaviour } from "./note.ts";
import type { RejectionCause } from "./profile.ts";

/** Stages run in sequence, so that no write disturbs a read. */
export const STAGES = [
  /** Makes resources that later stages use. */
  "prepare",
  "repeat",
  "read",
  /** Sends simultaneous requests with one key, one check at a time. */
  "race",
  "write",
  /** Sends simultaneous updates of one resource. */
  "clash",
  /** Sends writes that disturb other checks. */
  "burst",
  /** Reads the written resources again. */
  "aftermath",
  /** Judges the recorded exchanges. */
  "judge",
  /** Judges rules that need the whole run. */
  "finish",
  /** Sends texts that may make a gateway block the client. */
  "provoke",
] as const;
export type Stage = (typeof STAGES)[number];

export interface CheckFacts {
  id: string;
  title: string;
  suite: string;
  requirements: string[];
  operation: string;
  /** At depth quick, the seed picks one check of the group. */
  sampledGroup?: string;
  ownId?: string;
  formerIds?: string[];
  /** True if depth full samples the group, too. */
  alwaysSampled?: boolean;
  stage: Stage;
  /** True if the check writes. A read-only run skips it. */
  writes: boolean;
  /** True if the check uses up a fixture, so it is never repeated. */
  consumes?: boolean;
  cause?: RejectionCause;
  notes?: ObservedBehaviour;
}

/** Returns the ids and groups by which `--only` selects the check. */
export function idsOf({
  id,
  ownId,
  sampledGroup,
  formerIds = [],
}: Pick<CheckFacts, "id" | "ownId" | "sampledGroup" | "formerIds">): string[] {
  return [...new Set([id, ownId ?? id, sampledGroup ?? id, ...formerIds])];
}
