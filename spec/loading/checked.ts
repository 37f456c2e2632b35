/** The build saves the validated edition, because validating takes long. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { JsonObject } from "../json.ts";
import type { Requirement } from "../model/spec.ts";

export interface CheckedEdition {
  sha256: string;
  document: JsonObject;
  requirements: Requirement[];
}

export const CHECKED_EDITION = new URL("./checked-edition.json", import.meta.url);

let kept: CheckedEdition | null | undefined;

/** Returns the facts that the build stored about the edition of the package, or undefined for another edition. */
export function checkedEdition(sha256: string): CheckedEdition | undefined {
  if (kept === undefined) kept = readKept();
  return kept?.sha256 === sha256 ? kept : undefined;
}

/** Returns the SHA-256 by which reports name the edition. */
export function fingerprint(openapi: string, requirements: string): string {
  return createHash("sha256").update(openapi).update("\0").update(requirements).digest("hex");
}

function readKept(): CheckedEdition | null {
  try {
    return JSON.parse(readFileSync(CHECKED_EDITION, "utf8")) as CheckedEdition;
  } catch {
    return null;
  }
}
