/** Finds traits. The report lists them, and no rule reads them. */

import type { Trait } from "../../spec/model/result.ts";
import { isRateLimited, statusOf } from "../entry.ts";
import type { History } from "../history.ts";
import { briefRejections } from "./brief-rejections.ts";
import { changesWithoutWrites } from "./changes.ts";
import { declinedValues } from "./declined-values.ts";
import { lateReads } from "./late-reads.ts";
import { quotas } from "./quotas.ts";
import { readOnlyTokens } from "./read-only-tokens.ts";
import { type FoundTrait, reported } from "./trait.ts";

/** Returns all unusual behaviour that the history shows. */
export function traitsOf(history: History): Trait[] {
  return [
    ...lateReads(history),
    ...rateLimit(history),
    ...readOnlyTokens(history),
    ...quotas(history),
    ...briefRejections(history),
    ...declinedValues(history),
    ...changesWithoutWrites(history),
  ].map(reported);
}

function rateLimit({ context }: History): FoundTrait[] {
  const limited = context.filter(isRateLimited);
  if (limited.length === 0) return [];
  const others = limited.some((entry) => statusOf(entry) !== 429);
  const statement = `The service limits requests: it answered ${limited.length} of ${context.length} with 429${others ? ", or with 403 and Retry-After" : ""}.`;
  return [{ trait: "rate-limit", subject: "all operations", statement, shownBy: limited }];
}
