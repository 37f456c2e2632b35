import type { ObservedBehaviour } from "../spec/model/note.ts";
import type { RejectionCause } from "../spec/model/profile.ts";
import type { Level } from "../spec/model/spec.ts";
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
  level: Level;
  cause: RejectionCause;
  place: string;
  constraint: Constraint;
  /**
   * `request`: the request alone shows the fault. `history`: only other exchanges show it (an id that no answer
   * showed), so accepting the request is only a suspected violation.
   */
  basis: "request" | "history";
}

/** A property of a request that a requirement names (a null, a cursor, a value at its limit). */
export interface Feature {
  place: string;
  what:
    | "version"
    | "inside-edge"
    | "null"
    | "listed-value"
    | "text"
    | "left-out"
    | "charset"
    | "scheme-case"
    | "cursor"
    | "service-value";
  detail: string;
  requirement: string;
}

/** A part of a request that a service may accept or reject (an empty text, an undocumented field). */
export interface Doubt {
  place: string;
  behaviour: ObservedBehaviour | null;
  mustShow: boolean;
  broken?: RequestFault;
}

export type Classification =
  | { kind: "valid"; features: Feature[] }
  | { kind: "faulty"; faults: RequestFault[]; features: Feature[] }
  | { kind: "doubtful"; doubts: Doubt[]; faults: RequestFault[]; features: Feature[] }
  | { kind: "undocumented"; faults: RequestFault[] };

/** True if the request has no fault, but a part on which the specification is silent in this way. */
export function isDoubtfulBy(found: Classification, behaviour: ObservedBehaviour): boolean {
  return (
    found.kind === "doubtful" &&
    found.faults.length === 0 &&
    found.doubts.some((doubt) => doubt.behaviour === behaviour)
  );
}
