import type { ValueSource } from "../../generators/values.ts";
import { spec } from "../spec/package-spec.ts";

const KNOWN: Record<string, string[]> = {
  currency: ["GHS", "USD", "XOF"],
  eventNames: ["payment.completed", "payout.failed"],
  alertEmails: ["alerts@example.com", "on-call@example.com", "ops@example.org"],
  webhookUrl: ["https://hooks.example.com/in?x=1"],
};

const PROVIDERS = Array.from({ length: 14 }, (_, n) => `prv_${n}`);

/**
 * A source of values for tests. Each unique text differs from all before. `knowing` says if it has values that
 * only the service or the user knows, such as provider codes.
 */
export function exampleSource(knowing: "all" | "nothing" = "all"): ValueSource {
  let texts = 0;
  return {
    schemas: spec.schemas,
    unique: () => `pc-1a2b3c4d-${(texts++).toString(36).padStart(4, "0")}`,
    known: (fixture) => (knowing === "all" ? (KNOWN[fixture] ?? []) : []),
    references: () => (knowing === "all" ? PROVIDERS : []),
    seed: 1,
  };
}
