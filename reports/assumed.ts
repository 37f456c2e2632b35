import type { Trait } from "./report.ts";

/** Returns `POST /webhooks 409 (entry 812)`: line 812 of history.ndjson. */
export function evidenceInWords({ evidence }: Trait): string {
  return evidence
    .map(({ entry, method, path, status }) => `${method} ${path} ${status ?? "no answer"} (entry ${entry})`)
    .join(", ");
}
