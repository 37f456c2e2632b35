import { Untestable } from "../../client/check.ts";
import type { Probe, Seen, Target } from "../../client/target.ts";
import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { Observed, RuleResult } from "../../history/result.ts";
import type { CheckFacts } from "../../spec/model/check.ts";
import type { Note } from "../../spec/model/note.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** A check that notes a promised practice. */
export interface Source extends CheckFacts {
  verdict?(history: History): RuleResult;
  observed?(history: History): Observed[];
}

/** Runs other checks, because a promise is about their requests. `what` names these requests. */
export function callsOf(operation: Operation, what: string, sources: readonly Source[]): Probe {
  return {
    id: `promised ${operation.id} ${what}`,
    stage: "finish",
    async run(target) {
      const told = await Promise.all(sources.map((source) => target.observedBy(source)));
      for (const [index, { seen }] of told.entries()) if (!sources[index]?.verdict) keep(target, seen);
      const skipped = told.map(({ result }) => result).find(({ outcome }) => outcome === "skip");
      if (skipped)
        throw new Untestable(skipped.reason ?? "no-data", skipped.message ?? skipped.title, skipped.evidence);
    },
  };
}

/**
 * Notes of checks that send and judge in one step, by the entry that shows them. Once none is left, this map,
 * `keep` and `notesOfOldRules` are to be deleted.
 */
const kept = new WeakMap<Entry, Set<Note>>();

function keep(target: Target, seen: readonly Seen[]): void {
  for (const { note, evidence } of seen) {
    const [shown] = evidence.slice(-1);
    const isShown = (entry: Entry) => {
      const { startedAt, request } = target.exchangeOf(entry);
      return startedAt === shown?.startedAt && request.url === shown.request.url;
    };
    const { entries } = target.history();
    const by =
      entries.findLast(isShown) ?? entries.findLast(({ operation }) => operation?.key === note.operation);
    if (by) kept.set(by, new Set([...(kept.get(by) ?? []), note]));
  }
}

export function notesOfOldRules({ entries }: History): { note: Note; shownBy: { entry: Entry }[] }[] {
  return entries.flatMap((entry) =>
    [...(kept.get(entry) ?? [])].map((note) => ({ note, shownBy: [{ entry }] })),
  );
}
