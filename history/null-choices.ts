import { isObject, sameJson } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Entry, isAccepted, requestJson, resourceIn } from "./entry.ts";
import type { OwnResource } from "./own-resource.ts";

/** The values that a service chose in this run for a field that a create sent as null. */
export class NullChoices {
  readonly #values = new Map<string, unknown[]>();

  constructor(create: Operation | undefined, entries: readonly Entry[]) {
    for (const entry of entries) {
      if (entry.operation !== create || create === undefined || !isAccepted(entry)) continue;
      const sent = requestJson(entry);
      const made = resourceIn(entry);
      if (!isObject(sent) || !made) continue;
      for (const [field, value] of Object.entries(sent))
        if (value === null && field in made) this.#add(field, made[field]);
    }
  }

  #add(field: string, value: unknown): void {
    const known = this.#values.get(field) ?? [];
    if (!known.some((each) => sameJson(each, value))) this.#values.set(field, [...known, value]);
  }

  /** True if null was sent last, and the service chose both values for null, at different times. */
  moved(resource: OwnResource, field: string, expected: unknown, shown: unknown): boolean {
    const chosen = this.#values.get(field) ?? [];
    if (chosen.length < 2 || lastSent(resource, field) !== null) return false;
    return [expected, shown].every((value) => chosen.some((each) => sameJson(each, value)));
  }
}

function lastSent({ writes, made }: OwnResource, field: string): unknown {
  const write = writes.findLast(({ outcome, sent }) => outcome !== "rejected" && field in sent);
  if (write) return write.outcome === "accepted" ? write.sent[field] : undefined;
  const sent = made && requestJson(made);
  return isObject(sent) ? sent[field] : undefined;
}
