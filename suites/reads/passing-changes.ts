import type { Answer } from "../../history/answers/answers.ts";
import type { History } from "../../history/history.ts";
import { asEvidence, type Violation } from "../../history/result.ts";
import { identityOf } from "../../spec/identity.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type NeededReads, SAME, violationOfChange } from "./read-decisions.ts";
import { type ReadPair, type ReadSeries, recordSeries, type ShownValue, seriesOf } from "./read-series.ts";

/** Two reads follow: a request of another check may have come just before the first of them. */
const READS_AFTER_CHANGE = 2;

/** Returns a violation if answers differ from equal ones before and after them. */
export function passingChange(history: History, operation: Operation): Violation | undefined {
  for (const { pairs } of partsAndPages(history, operation))
    for (const [index, { one, other, isChanged }] of pairs.entries()) {
      const back = isChanged ? nextChange(other, pairs.slice(index + 1)) : undefined;
      if (back && sameJson(back.value, one.value)) return differsOnce(one, other, back);
    }
  return undefined;
}

/** Returns the answer that differs next, if no write came before it. */
function nextChange(shown: ShownValue, pairs: readonly ReadPair[]): ShownValue | undefined {
  let latest = shown;
  for (const { one, other, isChanged } of pairs) {
    if (one !== latest) return undefined;
    if (isChanged) return other;
    latest = other;
  }
  return undefined;
}

/** Returns a read that shows if the only change is undone. */
export function readsIfChangePasses(history: History, operation: Operation): NeededReads[] {
  const part = partsAndPages(history, operation).find(
    ({ pairs }) => pairs.at(-1)?.isChanged && pairs.filter(({ isChanged }) => isChanged).length === 1,
  );
  const lastPair = part?.pairs.at(-1);
  return lastPair ? [{ again: lastPair.other.entry, way: "soon", times: READS_AFTER_CHANGE }] : [];
}

function partsAndPages(history: History, operation: Operation): ReadSeries[] {
  return [...seriesOf(history, operation, idsIn), ...recordSeries(history, operation)];
}

function idsIn({ spec }: History, { operation, page }: Answer): ReadonlyMap<string, unknown> {
  const identity = identityOf(spec, operation);
  return new Map(page ? [["the page", page.items.map((item) => String(item[identity])).sort()]] : []);
}

function differsOnce(one: ShownValue, other: ShownValue, back: ShownValue): Violation {
  const actual = "something else once, and then the same again";
  const violation = violationOfChange("suspected", "answers-differ", SAME, actual, [one, other, back]);
  const entries = [one, other, back].map(({ entry }) => entry);
  return { ...violation, shownBy: asEvidence(entries, other.entry, "/result") };
}
