import type { ObservedBehaviour } from "../spec/model/note.ts";
import type { RejectionCause } from "../spec/model/profile.ts";
import type { Keyword } from "../spec/schema/keywords.ts";

type Constraint =
  | Keyword
  | "credential"
  | "unknown"
  | "used-with-another-body"
  | "taken"
  | "content-type"
  | "json";

export interface RequestFault {
  requirement: string;
  cause: RejectionCause;
  place: string;
  constraint: Constraint;
  /** `history`: only other exchanges show the fault (an unknown id), so acceptance proves no violation. */
  basis: "request" | "history";
}

/** An unusual property of a valid request, and the requirement by which services must accept it. */
export interface Feature {
  what: "charset" | "scheme-case" | "no-field";
  requirement: string;
}

/** A part that a service may accept or reject (an empty text). */
export interface Doubt {
  place: string;
  behaviour: ObservedBehaviour | null;
  mustShow: boolean;
  broken?: RequestFault;
}

export interface Classification {
  /** `valid` means no fault and no doubt. `doubtful` requests may have faults, too. */
  kind: "valid" | "faulty" | "doubtful" | "undocumented";
  faults: RequestFault[];
  doubts: Doubt[];
  features: Feature[];
}

/** True if the request has this doubt and no fault. */
export function isDoubtfulBy(found: Classification, behaviour: ObservedBehaviour): boolean {
  return (
    found.kind === "doubtful" &&
    found.faults.length === 0 &&
    found.doubts.some((doubt) => doubt.behaviour === behaviour)
  );
}

/** True if the key is in doubt only because the client itself sent the rejected request again. */
export function isOfRepetition({ behaviour }: Doubt, { repeats }: { repeats?: number }): boolean {
  return behaviour === "keysAfterRejection" && repeats !== undefined;
}
