import type { Trait } from "./report.ts";

/** `POST /webhooks 409 (entry 812)` for each exchange: entry 812 is that line of the written history. */
export function evidenceInWords({ evidence }: Trait): string {
  return evidence
    .map(({ entry, method, path, status }) => `${method} ${path} ${status ?? "no answer"} (entry ${entry})`)
    .join(", ");
}
