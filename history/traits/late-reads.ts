import { counted } from "../../spec/counted.ts";
import { groupedBy } from "../../spec/grouped.ts";
import { identityOf } from "../../spec/identity.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Entry, endOf, isAccepted, resourceIn } from "../entry.ts";
import type { History } from "../history.ts";
import { changesOnlyIfSent } from "../journal/field-changes.ts";
import type { ListRead } from "../lists/lists.ts";
import { listsOf } from "../lists/lists-of-creates.ts";
import type { FoundTrait } from "./trait.ts";

interface LateRead {
  operation: string;
  write: Entry;
  read: Entry;
}

/** Finds reads that showed a write late. */
export function lateReads(history: History): FoundTrait[] {
  const late = [...lateUpdates(history), ...lateCreates(history)];
  return [...groupedBy(late, ({ operation }) => operation)].map(([operation, members]) => {
    const latest = members.reduce((one, other) => (delayOf(other) > delayOf(one) ? other : one));
    const reads = new Set(members.map(({ read }) => read)).size;
    const statement = `${operation} shows writes late: ${counted(reads, "answer")} did not show one that later answers showed, up to ${delayOf(latest)} ms after it.`;
    return { trait: "late-reads", subject: operation, statement, shownBy: [latest.write, latest.read] };
  });
}

function delayOf({ read, write }: LateRead): number {
  return Math.max(0, Math.round(read.startedAt - endOf(write)));
}

/** Returns the reads that show a value from before an update. Volatile fields may return to older values. */
function lateUpdates({ spec, journal }: History): LateRead[] {
  return journal.sightings.flatMap(({ standing, write, by, view, kind, field }) =>
    standing === "late" && write && changesOnlyIfSent(spec, kind, field)
      ? [{ operation: view.operation.key, write, read: by }]
      : [],
  );
}

function lateCreates(history: History): LateRead[] {
  const { spec, entries } = history;
  return spec.operations.flatMap((create) => {
    if (create.kind !== "create") return [];
    const made = firstAnswers(
      entries.filter((entry) => entry.operation === create && isAccepted(entry)),
      identityOf(spec, create),
    );
    return listsOf(spec, create).flatMap((list) => missedIn(history, list, made));
  });
}

function firstAnswers(creates: readonly Entry[], identity: string): Map<string, Entry> {
  const made = new Map<string, Entry>();
  for (const entry of creates) {
    const id = resourceIn(entry)?.[identity];
    if (id !== undefined && !made.has(String(id))) made.set(String(id), entry);
  }
  return made;
}

/** Returns the reads of this list that began after a create and miss its resource, although a later read shows it. */
function missedIn({ lists }: History, list: Operation, made: ReadonlyMap<string, Entry>): LateRead[] {
  const reads = lists.reads(list).filter(({ filters }) => filters.length === 0);
  const seen = reads.map((read) => ({ ...read, first: firstOf(read), ids: new Set(read.ids) }));
  return [...made].flatMap(([id, write]) => {
    const own = seen.filter(({ first }) => first?.space === write.space && hasSameParents(first, write));
    const shown = own.findLast(({ ids }) => ids.has(id))?.first;
    return own.flatMap(({ first, end, ids }) => {
      const isMissed = end === "last-page" && !ids.has(id) && isAfter(first, write);
      return first && isMissed && isAfter(shown, first) ? [{ operation: list.key, write, read: first }] : [];
    });
  });
}

function hasSameParents({ path }: Entry, write: Entry): boolean {
  return Object.entries(path).every(([name, id]) => (write.path[name] ?? id) === id);
}

function firstOf(read: ListRead | undefined): Entry | undefined {
  return read?.pages[0]?.entry;
}

function isAfter(one: Entry | undefined, other: Entry): boolean {
  return one !== undefined && one.begun > other.ended;
}
