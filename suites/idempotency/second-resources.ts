import { keyAndBody, type SentCreate, type Use, usesBy } from "../../history/creates/keys.ts";
import { type Entry, header, overlaps } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { listedItems } from "../../history/lists/listed-items.ts";
import { listsOf } from "../../history/lists/lists-of-creates.ts";
import { type Described, type Violation, violationBy } from "../../history/result.ts";
import { isOfNamed, tagsIn } from "../../history/values/tags.ts";
import { sameJson } from "../../spec/json.ts";
import type { KeyedCreate } from "./targets.ts";

export type UsedAgain = [first: Use, again: SentCreate];

/** Pairs accepted creates with later ones for which `shared` returns the same (the key). */
export function usedAgain(
  history: History,
  operation: KeyedCreate,
  shared: (call: SentCreate) => string | undefined,
): UsedAgain[] {
  const { sent, accepted } = history.creates(operation);
  return usesBy(sent, shared).flatMap((calls) => {
    const first = accepted.find(({ entry }) => calls.some((call) => call.entry === entry));
    const later = calls.filter(({ entry }) => first && entry.begun > first.entry.ended);
    return first ? later.map((again): UsedAgain => [first, again]) : [];
  });
}

/** Pairs accepted creates with earlier equal ones whose answer was lost, and which may have happened. */
export function repeatedAfterLoss(history: History, operation: KeyedCreate): UsedAgain[] {
  const { sent, accepted } = history.creates(operation);
  const lost = sent.filter(({ entry: { response } }) => "fault" in response && response.mayHaveHappened);
  return accepted.flatMap((use) =>
    lost
      .filter((call) => keyAndBody(call) !== undefined && keyAndBody(call) === keyAndBody(use))
      .filter((call) => call.entry.begun < use.entry.begun)
      .map((call): UsedAgain => [use, call]),
  );
}

/** Returns violations for keys that made a second resource, by answers and lists. */
export function secondResources(history: History, operation: KeyedCreate, pairs: UsedAgain[]): Violation[] {
  return [...otherResources(history, operation, pairs), ...listedTwice(history, operation, pairs)];
}

/** Returns violations for repeated creates whose answer shows another resource. */
export function otherResources(history: History, operation: KeyedCreate, pairs: UsedAgain[]): Violation[] {
  return pairs.flatMap(([first, { entry }]) => {
    const { accepted } = history.creates(operation);
    const again = accepted.find((use) => use.entry === entry);
    if (!again || again.id === first.id) return [];
    // Simultaneous calls may have made several resources, which KEY-PARALLEL reports.
    const isOfBurst = (use: Use) => use.key === first.key && overlaps(use.entry, first.entry);
    if (accepted.some((use) => use.id === again.id && use !== again && isOfBurst(use))) return [];
    const [expected, actual] = [`the resource ${first.id}`, `the resource ${again.id}`];
    return [contradiction({ difference: "other-resource", expected, actual }, first.entry, entry)];
  });
}

/** Returns a proven violation, because nobody else knows the keys of this run. */
export function contradiction(described: Described, ...entries: Entry[]): Violation {
  return { ...violationBy("proven", described, ...entries), holdsAmongOthers: true };
}

/** Returns the violations that a list shows a second resource with the texts of a create that was sent twice. */
export function listedTwice(history: History, operation: KeyedCreate, pairs: UsedAgain[]): Violation[] {
  const items = listedItems(history, operation);
  const { accepted } = history.creates(operation);
  return pairs.flatMap(([use, again]) => {
    const ofOtherBody = new Set(accepted.filter(({ sent }) => !sameJson(sent, use.sent)).map(({ id }) => id));
    // No other key was sent with these texts.
    const tags = tagsIn(history.head, use.sent).filter((tag) =>
      history
        .senders(tag)
        .every(({ request }) => header(request.headers, operation.idempotencyKey.name) === use.key),
    );
    const shown = items.filter(
      ({ id, item, space, tags: own }) =>
        space === use.entry.space &&
        own.some((tag) => tags.includes(tag) && (id === use.id || !isOfNamed(item, tag, [use.id]))),
    );
    const copy = shown.find(({ id }) => id !== use.id && !ofOtherBody.has(id));
    if (!copy || !shown.some(({ id }) => id === use.id)) return [];
    const expected = `the resource ${use.id} alone in the list`;
    const actual = `also ${copy.id} with the same texts`;
    const entries = [use.entry, again.entry, copy.page];
    return [contradiction({ difference: "repeated", expected, actual }, ...entries)];
  });
}

/** Returns a function: true if a list after the entry shows the resource, or if no list exists. */
export function listedAfter(history: History, operation: KeyedCreate): (use: Use, entry: Entry) => boolean {
  if (listsOf(history.spec, operation).length === 0) return () => true;
  const items = listedItems(history, operation);
  return ({ id }, { ended }) => items.some((item) => item.id === id && item.page.begun > ended);
}
