import type { Spec } from "../../spec/model/spec.ts";
import { isInvented } from "../creates/invented-names.ts";
import { type Entry, isAccepted, objectSent, resourceIn } from "../entry.ts";

/** Returns keys of accepted list members. A service may accept other values only once. */
export function acceptedMembersOf(spec: Spec, entry: Entry): string[] {
  if (!entry.operation?.body || !isAccepted(entry)) return [];
  const [sent, shown] = [objectSent(entry), resourceIn(entry)];
  if (!sent || !shown) return [];
  return spec.schemas.fields(entry.operation.body).flatMap(([name, { "x-values-from": from }]) => {
    const [members, showed] = [sent[name], shown[name]];
    if (!from || !Array.isArray(members) || !Array.isArray(showed)) return [];
    const taken = members.filter((member) => showed.includes(member) && !isInvented(member));
    return taken.map((member) => memberKey(from.fixture, member));
  });
}

/** Returns which values of fixtures the service accepted in a list, by `memberKey`. */
export function acceptedMembersIn(spec: Spec, entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => acceptedMembersOf(spec, entry)));
}

export function memberKey(fixture: string, value: unknown): string {
  return JSON.stringify([fixture, value]);
}
