import { groupedByEach } from "../../spec/grouped.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Entry } from "../entry.ts";
import type { ResourceKind, View } from "../resource-kinds.ts";

export interface Candidate {
  value: unknown;
  form: "sent" | "shown";
}

export type FieldState =
  /** The possible values. A create, a lost answer or overlapping writes give several. */
  | {
      is: "known";
      candidates: Candidate[];
      /** False if the field had the value before the write. */
      isChange: boolean;
      /** The last write before the value was learned: the answer that showed it may be late. */
      learnedAfter: Entry | null;
      reads: number;
      setBy: Entry | null;
      lastShown: Entry | null;
      isOnlyAnswered?: boolean;
      /** True if the answer to a write showed the value, which can't be late then. */
      isAnswered?: boolean;
      /** The value before the update in `setBy`, if it was certain. */
      replaced?: unknown;
    }
  | { is: "unknown" };

export type Duty =
  /** The answer to an update shows the sent field. */
  | "echo"
  /** A later read shows the sent field. */
  | "stored"
  /** Updates of other fields or resources keep the field. */
  | "kept"
  /** A rejected update changes nothing. */
  | "no-effect"
  /** A list shows the same as a single read. */
  | "agrees"
  /** A read before any update shows the created value. */
  | "made"
  /** Reads without a write between them agree. */
  | "stable";

export type Standing =
  | "proven"
  /** The service or another client may have changed the field. */
  | "suspected"
  /** A later read showed the expected value. */
  | "late"
  /** The consistency timeout was not over, and no later read decides. */
  | "open";

/** A change that can't be taken back (a cancellation). */
export interface OneWayChange {
  entry: Entry;
  field: string;
  sent: JsonObject;
}

export interface Sighting {
  kind: ResourceKind;
  id: string;
  /** The create of the resource, if the run made it. */
  made: Entry | null;
  field: string;
  view: View;
  by: Entry;
  shown: unknown;
  expected: FieldState & { is: "known" };
  write: Entry | null;
  duty: Duty;
  fits: boolean;
  standing?: Standing;
  /** Set after a one-way change. Rules about updates skip these sightings. */
  oneWay?: OneWayChange;
  isSecret: boolean;
  /** True if the write sent the shown text for another field. */
  isCopy?: boolean;
}

export interface Write {
  entry: Entry;
  outcome: "accepted" | "rejected" | "unknown";
  sent: JsonObject;
}

/** Groups sightings by duty, and by duty and field (`kept name`), without those after a one-way change. */
export function sightingsByDuty(sightings: readonly Sighting[]): Map<string, Sighting[]> {
  const meant = sightings.filter(({ oneWay }) => !oneWay);
  return groupedByEach<Sighting, string>(meant, ({ duty, field }) => [duty, `${duty} ${field}`]);
}
