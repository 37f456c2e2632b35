/** A field of a resource in an answer, compared with the state in the journal. */

import type { JsonObject } from "../spec/json.ts";
import type { Entry } from "./entry.ts";
import type { ResourceKind, View } from "./resource-kinds.ts";

/** A value that a field may have. `sent`: as a request sent it; `shown`: as an answer showed it. */
export interface Candidate {
  value: unknown;
  form: "sent" | "shown";
}

/** The value that a field must show. */
export type FieldState =
  /** One of the candidates; more than one after creation, a lost answer or overlapping writes. */
  | {
      is: "known";
      candidates: Candidate[];
      /** True if the value differs from the previous one, so that showing it proves something. */
      isChange: boolean;
      /** The write after which it was learned from an answer; if that came at once, it may have been a late one. */
      learnedAfter: Entry | null;
      /** How many reads in a row have shown it. */
      reads: number;
      /** The update that set it. */
      setBy: Entry | null;
      /** The creation, read or list that showed it last. The answer to an update does not show the stored value. */
      lastShown: Entry | null;
    }
  | { is: "unknown"; because: "never-shown" | "faulty-accepted" | "default" | "doubtful" };

/** Why a field must show the expected value. */
export type Duty =
  /** The answer to the update that sent it. */
  | "echo"
  /** A read after the update that sent it. */
  | "stored"
  /** An update that did not send it, to this resource or to another one of the kind. */
  | "kept"
  /** A rejected update. */
  | "no-effect"
  /** The list, if a single read shows the same resource. */
  | "agrees"
  /** A read after the creation, before any update. */
  | "made"
  /** A read after another one, with no write between them. */
  | "stable";

/** How far a mismatch is established. */
export type Standing =
  /** One answer, or two that nothing can reconcile, prove it. */
  | "proven"
  /** The service or somebody else may have changed it: it has to show again with the same history. */
  | "suspected"
  /** A later read without a write between them showed the expected value. */
  | "late"
  /** The consistency timeout had not passed, and no later read decides. */
  | "open";

/** A field of an own resource as one answer shows it. */
export interface Sighting {
  kind: ResourceKind;
  id: string;
  field: string;
  view: View;
  by: Entry;
  shown: unknown;
  expected: FieldState & { is: "known" };
  /** The latest accepted or rejected write that concerns the field. */
  write: Entry | null;
  duty: Duty;
  fits: boolean;
  /** Only for a mismatch. */
  standing?: Standing;
  /** True if the field may hold a secret, so that no message shows its value. */
  isSecret: boolean;
}

export interface Write {
  entry: Entry;
  outcome: "accepted" | "rejected" | "unknown";
  sent: JsonObject;
}

/** Sightings by duty, and by duty and field with a blank between them. */
export function sightingsByDuty(sightings: readonly Sighting[]): Map<string, Sighting[]> {
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings)
    for (const key of [sighting.duty, `${sighting.duty} ${sighting.field}`]) {
      const group = groups.get(key);
      if (group) group.push(sighting);
      else groups.set(key, [sighting]);
    }
  return groups;
}
