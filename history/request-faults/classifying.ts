import type { Spec } from "../../spec/model/spec.ts";
import type { Asked } from "./asked.ts";
import type { Findings } from "./findings.ts";
import type { Known } from "./known.ts";

export interface Classifying<Request extends Asked = Asked> {
  spec: Spec;
  asked: Request;
  known: Known;
  findings: Findings;
}
