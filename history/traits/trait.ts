import type { Trait, TraitEvidence } from "../../spec/model/result.ts";
import { type Entry, inOrder, statusOf } from "../entry.ts";

export interface FoundTrait extends Omit<Trait, "evidence"> {
  shownBy: readonly Entry[];
}

const MOST_SHOWN = 3;

/** Returns the trait as reports show it, without values of the service, which may be secret. */
export function reported({ trait, subject, statement, shownBy }: FoundTrait): Trait {
  const evidence = inOrder(shownBy).slice(0, MOST_SHOWN).map(evidenceOf);
  return { trait, subject, statement, evidence };
}

/** Returns the entry as evidence of a trait, with the documented path: the real one may hold personal data. */
function evidenceOf(entry: Entry): TraitEvidence {
  const { index, operation, request } = entry;
  const path = operation?.path ?? "an undocumented path";
  return { entry: index, method: request.method, path, status: statusOf(entry) ?? null };
}

/** Returns equal texts for equal requests. */
export function textOf({ request, version, space, credential }: Entry): string {
  const { method, url, body } = request;
  return JSON.stringify([method, url, body?.text, version, space, credential.token]);
}
