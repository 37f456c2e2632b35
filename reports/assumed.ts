import type { Trait } from "./report.ts";

/** Returns, for example, `POST /webhooks 409 (entry 812)`. The entry is in history.ndjson. */
export function evidenceInWords({ evidence }: Trait): string {
  return evidence
    .map(({ entry, method, path, status }) => `${method} ${path} ${status ?? "no answer"} (entry ${entry})`)
    .join(", ");
}
