import type { Entry } from "../../history/entry.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import { isUndecided, type ListComparison, type ListPair } from "../../history/lists/pairs.ts";
import { asEvidence, notExercised, type RuleResult, type Violation } from "../../history/result.ts";

/** Returns violations of lists that did not change between the reads. */
export function violationsOf<D>(
  compared: readonly ListComparison<D>[],
  violationOf: (difference: D, pair: ListPair) => Violation,
): Violation[] {
  return compared.flatMap(({ verdict, difference, pair }) =>
    verdict === "differs" && difference !== null ? [violationOf(difference, pair)] : [],
  );
}

/** Returns the last page of each read that agrees. */
export function agreeingPages(compared: readonly ListComparison<unknown>[]): Entry[] {
  return compared.flatMap(({ verdict, pair }) => (verdict === "agrees" ? lastPage(pair.read) : []));
}

/** Returns the drift as reason if a comparison is undecided, and `otherwise` if none is. */
export function driftUnlessDecided(
  compared: readonly ListComparison<unknown>[],
  otherwise: RuleResult,
): RuleResult {
  const isMoving = compared.some(isUndecided);
  return isMoving ? notExercised("drift", "the list changed each time it was read") : otherwise;
}

export function lastPage({ pages }: ListRead): Entry[] {
  return pages.slice(-1).map(({ entry }) => entry);
}

/** Returns the last three entries of each read, as evidence. */
export function pagesOf(...reads: ListRead[]): Violation["shownBy"] {
  const entries = reads.flatMap(({ pages, rejected }) =>
    [...pages.map(({ entry }) => entry), ...(rejected ? [rejected] : [])].slice(-3),
  );
  return asEvidence(entries);
}
