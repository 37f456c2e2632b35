import type { Trait } from "./report.ts";

/** Returns the exchanges as `POST /webhooks 409 (entry 812)`. The entry is a line of the written history. */
export function evidenceInWords({ evidence }: Trait): string {
  return evidence
    .map(({ entry, method, path, status }) => `${method} ${path} ${status ?? "no answer"} (entry ${entry})`)
    .join(", ");
}
