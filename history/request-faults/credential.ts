import type { Credential } from "../entry.ts";
import type { Findings } from "./findings.ts";
import { headerOf, type SentRequest } from "./sent-request.ts";

const REQUIREMENTS: Record<Exclude<Credential["kind"], "token">, string> = {
  none: "AUTH-MISSING",
  "empty-header": "AUTH-MISSING",
  "empty-token": "AUTH-EMPTY-TOKEN",
  unknown: "AUTH-UNKNOWN-TOKEN",
  altered: "AUTH-ALTERED-TOKEN",
  "other-scheme": "AUTH-OTHER-SCHEME",
  bare: "AUTH-BARE-TOKEN",
};

export function classifyCredential(sent: SentRequest, findings: Findings): void {
  const { operation, credential } = sent;
  if (operation.open) return;
  const place = "header/authorization";
  if (credential.kind !== "token") {
    const requirement = REQUIREMENTS[credential.kind];
    findings.fault({ requirement, cause: "unauthenticated", place, constraint: "credential" });
    return;
  }
  const header = headerOf(sent, "authorization");
  if (header !== undefined && !header.startsWith("Bearer "))
    findings.feature(place, "scheme-case", header.split(" ")[0] ?? "", "AUTH-SCHEME-CASE");
}
