import type { Trait } from "./report.ts";

/** Returns texts such as `POST /webhooks 409 (entry 812)`. */
export function evidenceInWords({ evidence }: Trait): string {
  return evidence
    .map(({ entry, method, path, status }) => `${method} ${path} ${status ?? "no answer"} (entry ${entry})`)
    .join(", ");
}
