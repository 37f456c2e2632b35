import type { JsonObject } from "../spec/json.ts";
import type { Entry } from "./entry.ts";
import type { ResourceKind, View } from "./resource-kinds.ts";

/** `sent`: as a request sent it; `shown`: as an answer showed it. */
export interface Candidate {
  value: unknown;
  form: "sent" | "shown";
}

export type FieldState =
  /** There are several candidates after creation, a lost answer or overlapping writes. */
  | {
      is: "known";
      candidates: Candidate[];
      /** The value differs from the previous one, so that showing it proves something. */
      isChange: boolean;
      /** An earlier write. If it was shortly before, the answer that showed the value may have been late. */
      learnedAfter: Entry | null;
      reads: number;
      setBy: Entry | null;
      lastShown: Entry | null;
      /** True if only the answer to a write showed the value. */
      isOnlyAnswered?: boolean;
    }
  | { is: "unknown"; because: "never-shown" | "faulty-accepted" | "default" | "doubtful" };

/** Why a field must show the expected value. */
export type Duty =
  /** The answer to the update that sent it. */
  | "echo"
  /** A read after the update that sent it. */
  | "stored"
  /** An update of this or another resource that did not send it. */
  | "kept"
  /** A rejected update. */
  | "no-effect"
  /** The list, if a single read shows the same resource. */
  | "agrees"
  /** A read after the creation, before any update. */
  | "made"
  /** A read after another one, with no write between them. */
  | "stable";

export type Standing =
  /** One answer proves it, or two that nothing can reconcile. */
  | "proven"
  /** The service or somebody else may have changed the field, so the requests are repeated to show it again. */
  | "suspected"
  /** A later read without a write between them showed the expected value. */
  | "late"
  /** The consistency timeout was not over, and no later read decides. */
  | "open";

/** An accepted update with a value that can't be taken back, such as cancelling. */
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
  /** The one-way change that the resource had before. Rules about updates leave such sightings out. */
  oneWay?: OneWayChange;
  /** No message may show the value. */
  isSecret: boolean;
}

export interface Write {
  entry: Entry;
  outcome: "accepted" | "rejected" | "unknown";
  sent: JsonObject;
}

/** Sightings before any one-way change by duty, and by duty and field, with a space between both. */
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
