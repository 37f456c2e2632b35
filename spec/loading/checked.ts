/**
 * The package's own edition, read and checked when the package is built. Parsing and checking it takes longer than
 * anything else at the start of a run, and always ends the same.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { JsonObject } from "../json.ts";
import type { Requirement } from "../model/spec.ts";

/** What is read from the two texts of an edition, with no fault in it. */
export interface CheckedEdition {
  sha256: string;
  document: JsonObject;
  requirements: Requirement[];
}

/** Beside the compiled code; there is none beside the sources. */
export const CHECKED_EDITION = new URL("./checked-edition.json", import.meta.url);

let kept: CheckedEdition | null | undefined;

/** The edition whose texts have this fingerprint, when it is the one that the package was built with. */
export function checkedEdition(sha256: string): CheckedEdition | undefined {
  if (kept === undefined) kept = readKept();
  return kept?.sha256 === sha256 ? kept : undefined;
}

/** Of the texts of both files, in hexadecimal digits. */
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
