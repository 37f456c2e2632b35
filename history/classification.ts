/** What the specification says of a request: whether it breaks a rule, and what is special about it if it breaks none. */

import type { NotedPractice } from "../spec/model/note.ts";
import type { RejectionCause } from "../spec/model/profile.ts";
import type { Level } from "../spec/model/spec.ts";
import type { Keyword } from "../spec/schema/keywords.ts";

/** What is wrong at a place: a keyword that is broken, or what no schema can say. */
type Constraint =
  | Keyword
  | "credential"
  | "unknown"
  | "used-with-another-body"
  | "taken"
  | "content-type"
  | "json";

/** One way in which a request breaks the specification. */
export interface RequestFault {
  requirement: string;
  level: Level;
  cause: RejectionCause;
  /** `body/name`, `path/id`, `query/limit`, `header/idempotency-key`. */
  place: string;
  constraint: Constraint;
  /** `history`: other exchanges say so, and a violation is only suspected. */
  basis: "request" | "history";
}

/** What is special about a request that breaks no rule. An accepted request proves its features. */
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

/** What the specification leaves open. Whether it is accepted decides nothing. */
export interface Doubt {
  place: string;
  /** What profiles and observations call it; null if they have no word for it. */
  practice: NotedPractice | null;
  /** Whether the value must be shown as it was sent, if it is accepted. */
  mustShow: boolean;
}

export type Classification =
  | { kind: "valid"; features: Feature[] }
  | { kind: "faulty"; faults: RequestFault[]; features: Feature[] }
  | { kind: "doubtful"; doubts: Doubt[]; faults: RequestFault[]; features: Feature[] }
  | { kind: "undocumented"; faults: RequestFault[] };
