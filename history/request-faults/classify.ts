import type { Spec } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/operations.ts";
import type { Classification } from "../classification.ts";
import { type Credential, type Entry, header } from "../entry.ts";
import { classifyBody } from "./body.ts";
import { Findings } from "./findings.ts";
import { ALL_GOOD, type Known } from "./known.ts";
import { classifyHeaders, classifyPath, classifyQuery } from "./parameters.ts";
import type { SentRequest } from "./sent-request.ts";

type Request = Pick<Entry, "operation" | "path" | "version" | "space" | "credential" | "request"> &
  Partial<Pick<Entry, "begun" | "ended">>;

/** Returns faults, doubts and features of a request. Without `known`, all ids, cursors, keys and spaces exist. */
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

const REQUIREMENTS: Record<Exclude<Credential["kind"], "token">, string> = {
  none: "AUTH-MISSING",
  "empty-header": "AUTH-MISSING",
  "empty-token": "AUTH-EMPTY-TOKEN",
  unknown: "AUTH-UNKNOWN-TOKEN",
  altered: "AUTH-ALTERED-TOKEN",
  "other-scheme": "AUTH-OTHER-SCHEME",
  bare: "AUTH-BARE-TOKEN",
};

function classifyCredential(sent: SentRequest, findings: Findings): void {
  const { operation, credential } = sent;
  if (operation.open) return;
  const place = "header/authorization";
  if (credential.kind !== "token") {
    const requirement = REQUIREMENTS[credential.kind];
    findings.fault({ requirement, cause: "unauthenticated", place, constraint: "credential" });
    return;
  }
  const [scheme = "Bearer"] = header(sent.request.headers, "authorization")?.split(" ") ?? [];
  if (scheme !== "Bearer") findings.feature("scheme-case", "AUTH-SCHEME-CASE");
}
