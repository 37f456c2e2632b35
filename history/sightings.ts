import type { JsonObject } from "../spec/json.ts";
import type { Entry } from "./entry.ts";
import type { ResourceKind, View } from "./resource-kinds.ts";

export interface Candidate {
  value: unknown;
  form: "sent" | "shown";
}

export type FieldState =
  /** A create, a lost answer or overlapping writes leave several candidates. */
  | {
      is: "known";
      candidates: Candidate[];
      /** It is false if the previous value was the same, so that showing it proves nothing. */
      isChange: boolean;
      /** If this earlier write had just ended, the answer that showed the value may be late. */
      learnedAfter: Entry | null;
      reads: number;
      setBy: Entry | null;
      lastShown: Entry | null;
      isOnlyAnswered?: boolean;
    }
  | { is: "unknown"; because: "never-shown" | "faulty-accepted" | "default" | "doubtful" };

export type Duty =
  /** The answer to an update must show the sent field. */
  | "echo"
  /** A read after an update must show the sent field. */
  | "stored"
  /** An update of this or another resource that did not send the field must keep it. */
  | "kept"
  /** A rejected update must change nothing. */
  | "no-effect"
  /** A list must show the same as a single read. */
  | "agrees"
  /** A read before any update must show the same value as the create. */
  | "made"
  /** Two reads without a write between them must show the same. */
  | "stable";

export type Standing =
  /** One answer, or two that contradict each other, prove the violation. */
  | "proven"
  /** The service or somebody else may have changed the field, so a confirmation must decide. */
  | "suspected"
  /** A later read showed the expected value, without a write between them. */
  | "late"
  /** The consistency timeout was not over, and no later read decides. */
  | "open";

/** An accepted update that can't be taken back (a cancellation). */
export interface OneWayChange {
  entry: Entry;
  field: string;
  sent: JsonObject;
}

export interface Sighting {
  kind: ResourceKind;
  id: string;
  field: string;
  view: View;
  by: Entry;
  shown: unknown;
  expected: FieldState & { is: "known" };
  write: Entry | null;
  duty: Duty;
  fits: boolean;
  standing?: Standing;
  /** Rules about updates do not judge answers after a one-way change. */
  oneWay?: OneWayChange;
  isSecret: boolean;
}

export interface Write {
  entry: Entry;
  outcome: "accepted" | "rejected" | "unknown";
  sent: JsonObject;
}

/** Keys are duties, and duties with a field (`kept name`). Sightings after a one-way change are left out. */
export function sightingsByDuty(sightings: readonly Sighting[]): Map<string, Sighting[]> {
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings.filter(({ oneWay }) => !oneWay))
    for (const key of [sighting.duty, `${sighting.duty} ${sighting.field}`]) {
      const group = groups.get(key);
      if (group) group.push(sighting);
      else groups.set(key, [sighting]);
    }
  return groups;
}
