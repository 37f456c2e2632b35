import type { Trait } from "./report.ts";

export function evidenceInWords({ evidence }: Trait): string {
  return evidence
    .map(({ entry, method, path, status }) => `${method} ${path} ${status ?? "no answer"} (entry ${entry})`)
    .join(", ");
}
