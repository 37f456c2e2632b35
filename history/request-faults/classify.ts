import type { Spec } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/operations.ts";
import type { Classification } from "../classification.ts";
import type { Entry } from "../entry.ts";
import { classifyBody } from "./body.ts";
import { classifyCredential } from "./credential.ts";
import { Findings } from "./findings.ts";
import { classifyHeaders } from "./headers.ts";
import { ALL_GOOD, type Known } from "./known.ts";
import { classifyPath } from "./path.ts";
import { classifyQuery } from "./query.ts";

type Request = Pick<Entry, "operation" | "path" | "version" | "space" | "credential" | "request"> &
  Partial<Pick<Entry, "begun" | "ended">>;

/**
 * Returns the faults, doubts and features of a request. Without `known`, all ids, cursors, keys and spaces
 * count as existing.
 */
export function classify(spec: Spec, request: Request, known: Known = ALL_GOOD): Classification {
  const { operation } = request;
  const findings = new Findings(spec);
  if (!operation) return findings.undocumented;
  const sent = { ...request, operation };
  const classifying = { spec, sent, known, findings };
  classifyCredential(sent, findings);
  if (isUndocumented(operation)) return findings.undocumented;
  classifyHeaders(classifying);
  classifyPath(classifying);
  classifyQuery(classifying);
  if (operation.body) classifyBody({ ...classifying, sent: { ...sent, body: operation.body } });
  return findings.classification;
}
