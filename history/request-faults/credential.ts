import { type Credential, header } from "../entry.ts";
import type { Findings } from "./findings.ts";
import type { SentRequest } from "./sent-request.ts";

const REQUIREMENTS: Record<Exclude<Credential["kind"], "token">, string> = {
  none: "AUTH-MISSING",
  "empty-header": "AUTH-MISSING",
  "empty-token": "AUTH-EMPTY-TOKEN",
  unknown: "AUTH-UNKNOWN-TOKEN",
  altered: "AUTH-ALTERED-TOKEN",
  "other-scheme": "AUTH-OTHER-SCHEME",
  bare: "AUTH-BARE-TOKEN",
};

/** Finds a missing, unknown or misspelled token. */
export function classifyCredential(sent: SentRequest, findings: Findings): void {
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
