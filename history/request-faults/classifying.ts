import type { Spec } from "../../spec/model/spec.ts";
import type { Findings } from "./findings.ts";
import type { Known } from "./known.ts";
import type { SentRequest } from "./sent-request.ts";

/** One request, with all that decides if it is faulty. Its faults, doubts and features are put into `findings`. */
export interface Classifying<Request extends SentRequest = SentRequest> {
  spec: Spec;
  sent: Request;
  known: Known;
  findings: Findings;
}
