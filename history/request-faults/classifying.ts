import type { Spec } from "../../spec/model/spec.ts";
import type { Findings } from "./findings.ts";
import type { Known } from "./known.ts";
import type { SentRequest } from "./sent-request.ts";

export interface Classifying<Request extends SentRequest = SentRequest> {
  spec: Spec;
  sent: Request;
  known: Known;
  findings: Findings;
}
