import type { JsonObject } from "../spec/json.ts";
import type { Entry } from "./entry.ts";
import type { ResourceKind, View } from "./resource-kinds.ts";

export interface Candidate {
  value: unknown;
  form: "sent" | "shown";
}

export type FieldState =
  /** There are several candidates after a create, a lost answer or overlapping writes. */
  | {
      is: "known";
      candidates: Candidate[];
      /** False if the field had the same value before the write, so that showing it proves nothing. */
      isChange: boolean;
      /**
       * The write before the answer that first showed the value. If the write had just ended, the answer may be late.
       */
      learnedAfter: Entry | null;
      reads: number;
      setBy: Entry | null;
      lastShown: Entry | null;
      isOnlyAnswered?: boolean;
      /** True if the answer to a write has shown the value, too: unlike a read, it can't be late. */
      isAnswered?: boolean;
      /** The value that reads showed before the update in `setBy`, if it was certain. */
      replaced?: unknown;
    }
  | { is: "unknown"; because: "never-shown" | "faulty-accepted" | "default" | "doubtful" };

export type Duty =
  /** The answer to an update must show the sent field. */
  | "echo"
  /** A read after an update must show the sent field. */
  | "stored"
  /** An update that omits the field, or updates another resource, must keep it. */
  | "kept"
  /** A rejected update must change nothing. */
  | "no-effect"
  /** A list must show the same value as a single read. */
  | "agrees"
  /** A read before any update must show the same value as the create. */
  | "made"
  /** Two reads without a write between them must show the same value. */
  | "stable";

export type Standing =
  | "proven"
  /** The service or another client may have changed the field, so a confirmation decides. */
  | "suspected"
  /** A later read showed the expected value without another write. */
  | "late"
  /** The answer came within the consistency timeout, and no later read decides. */
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
  /** Set after a one-way change. Rules about updates do not judge such a sighting. */
  oneWay?: OneWayChange;
  isSecret: boolean;
  /** True if the field shows a text of the run that the write sent for another field. */
  isCopy?: boolean;
}

export interface Write {
  entry: Entry;
  outcome: "accepted" | "rejected" | "unknown";
  sent: JsonObject;
}

/** Groups sightings by `duty`, and by duty and field (`kept name`). Leaves out sightings after a one-way change. */
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
