import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { Violation } from "../../history/result.ts";
import { type Difference, describeDifferences, echoDifferences } from "../../history/values/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";

export interface SentAndShown {
  operation: Operation;
  sent: JsonObject;
  shown: JsonObject;
}

/** Returns a proven violation if sent values are not shown. The first entry sent them. */
export function unshown(
  history: History,
  at: SentAndShown,
  entries: [sender: Entry, ...pages: Entry[]],
  by = at.operation,
): Violation[] {
  return violationOf(echoDifferencesOf(history, at, by), entries);
}

export function isShown(history: History, at: SentAndShown): boolean {
  return echoDifferencesOf(history, at, at.operation).length === 0;
}

/** Finds lists in another order and mail addresses in another letter case. */
export function respelledValues(history: History, at: SentAndShown, sender: Entry): Violation[] {
  const lacking = new Set(echoDifferencesOf(history, at, at.operation).map(({ pointer }) => pointer));
  const exact = echoDifferencesOf(history, at, at.operation, { exact: true });
  return violationOf(
    exact.filter(({ pointer }) => !lacking.has(pointer)),
    [sender],
  );
}

/** Returns the differences between the sent values and the values that the operation `by` shows. Lists may have another order. */
export function echoDifferencesOf(
  history: History,
  { operation, sent, shown }: SentAndShown,
  by: Operation,
  { exact = false } = {},
): Difference[] {
  return echoDifferences(sent, shown, {
    schemas: history.spec.schemas,
    sentSchema: operation.body ?? {},
    shownSchema: by.resource ?? {},
    resolveReference: history.references(operation.body ?? {}),
    exact,
  });
}

function violationOf(found: Difference[], [sender, ...pages]: [Entry, ...Entry[]]): Violation[] {
  if (found.length === 0) return [];
  const offending = pages.length === 0 ? { offending: `/result${found[0]?.pointer ?? ""}` } : {};
  const shownBy = [{ entry: sender, ...offending }, ...pages.map((entry) => ({ entry }))];
  return [{ certainty: "proven", ...describeDifferences(found), shownBy }];
}
