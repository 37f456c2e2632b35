/** Rules: no write shows, changes or creates anything in another space (section 5). */

import { taggedField } from "../../client/relations.ts";
import type { Use } from "../../history/creates/keys.ts";
import { type Entry, idempotencyKeyIn, isAccepted, isRejected, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { type ListedItem, listedItems } from "../../history/lists/listed-items.ts";
import { listsOf, namedListsOf } from "../../history/lists/lists-of-creates.ts";
import {
  judged,
  notExercised,
  type Observed,
  type RuleResult,
  type Violation,
  violationBy,
} from "../../history/result.ts";
import { tagsIn } from "../../history/values/tags.ts";
import { identityOf } from "../../spec/identity.ts";
import type { Note } from "../../spec/model/note.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isUndocumented, operationsOf } from "../../spec/operations.ts";
import { historyRule, suiteOf, targetsAt } from "../shared/history-rule.ts";
import { lastLook, walkOf } from "../updates/probes.ts";
import { sightingsFit } from "../updates/sighting-rules.ts";
import { keysInOtherSpaces, listsInBothSpaces, updatesInOtherSpaces } from "./probes.ts";
import { isIn, notAsked, type OtherSpace, SPACE_NAMES, shownInOneSpace } from "./shown-in-spaces.ts";

const OTHERS: readonly OtherSpace[] = ["unknown", "second"];

const updates = OTHERS.map((where) =>
  historyRule({
    requirement: where === "unknown" ? "ISOLATION-UNKNOWN-SPACE" : "ISOLATION-WRITES",
    targets: (spec) =>
      targetsAt(operationsOf(spec, "update").filter(({ space, response }) => space && response)),
    title: ({ operation }) =>
      `${operation.key} in ${SPACE_NAMES[where]} neither shows nor changes a resource of the first`,
    probes: ({ operation }) => [walkOf(operation), updatesInOtherSpaces(operation), lastLook(operation)],
    check(history, { operation }) {
      const shown = shownInOneSpace(history, operation, where);
      if (shown.outcome !== "held") return shown;
      const counts = ({ write }: { write: Entry | null }) => write !== null && isIn(history, write, where);
      const changed = sightingsFit(history, { update: operation, duty: "no-effect", counts });
      if (changed.outcome !== "not-exercised" || !shown.evidence.some(isAccepted)) return changed;
      return notExercised(
        "control-rejected",
        "the update is accepted, but its answer does not show the resource",
        shown.evidence,
      );
    },
  }),
);

/** A service may accept or reject another space's key, but must not show its resource. */
const keys = OTHERS.map((where) =>
  historyRule({
    requirement: where === "unknown" ? "ISOLATION-UNKNOWN-SPACE" : "ISOLATION-KEYS",
    notes: where === "unknown" ? "keysInUnknownSpace" : "keysInAnotherSpace",
    targets: (spec) =>
      targetsAt(
        operationsOf(spec, "create").filter(
          ({ space, response, idempotencyKey }) => space && response && idempotencyKey,
        ),
      ),
    title: ({ operation }) =>
      `${operation.key} in ${SPACE_NAMES[where]} with an idempotency key of the first does not show the resource created there`,
    probes: ({ operation }) => [keysInOtherSpaces(operation)],
    check: (history, { operation }) => {
      const asked = new Set(withKeysOfFirst(history, operation, where));
      return shownInOneSpace(history, operation, where, (entry) => asked.has(entry));
    },
    observe: (history, { operation }) => observedKeyReuse(history, operation, where),
  }),
);

/** Returns the creates in the other space whose idempotency key the first space had accepted before. */
function withKeysOfFirst(history: History, operation: Operation, where: OtherSpace): Entry[] {
  const used = new Set<string>();
  return history.entries.filter((entry) => {
    const key = entry.operation === operation ? idempotencyKeyIn(entry) : undefined;
    if (key === undefined) return false;
    if (entry.space === history.head.spaces[0] && isAccepted(entry)) used.add(key);
    return used.has(key) && isIn(history, entry, where);
  });
}

/** Returns how the other space answered a key of the first one. */
function observedKeyReuse(history: History, operation: Operation, where: OtherSpace): Observed[] {
  // Only the first request counts, because later ones may have another token.
  const [by] = withKeysOfFirst(history, operation, where);
  const status = by && history.answers.answerIn(by)?.status;
  if (!by || status === undefined) return [];
  const behaviour = where === "unknown" ? "keysInUnknownSpace" : "keysInAnotherSpace";
  const note: Note = { requirement: "KEY-REUSE", operation: operation.key, behaviour, answer: { status } };
  return [{ by, note }];
}

const creates = historyRule({
  requirement: "ISOLATION-WRITES",
  targets: (spec) =>
    operationsOf(spec, "create")
      // The parent of a nested create does not exist in the other space.
      .filter(({ space, response, outer }) => space && response && outer.length === 0)
      .filter((operation) => taggedField(spec, operation) !== undefined)
      .flatMap((operation) => {
        const [list] = [...listsOf(spec, operation), ...namedListsOf(spec, operation)];
        return list ? [{ operation, list }] : [];
      }),
  title: ({ operation }) => `${operation.key} in the first space creates nothing in the second`,
  probes: ({ operation, list }) => [listsInBothSpaces(operation, list)],
  check(history, { operation, list }) {
    const made = history.creates(operation).accepted;
    const copies = listedItems(history, operation).flatMap((item) => copyIn(history, operation, made, item));
    return judged(copies, pagesAfterCreates(history, list, made), () => notListed(history, list));
  },
});

/** Returns the violation that a list of one space shows a resource whose texts were sent to the other space only. */
function copyIn(
  history: History,
  create: Operation,
  made: readonly Use[],
  { id, tags, page, space }: ListedItem,
): Violation[] {
  const { spaces } = history.head;
  const isSentToOther = ({ space: sentTo }: Entry) => sentTo !== space && spaces.includes(sentTo ?? "");
  const identity = identityOf(history.spec, create);
  const isOfAnother = (sender: Entry) => {
    const shown = resourceIn(sender)?.[identity];
    return isRejected(sender) || (shown !== undefined && String(shown) !== id);
  };
  const actual = `what was sent to ${create.key} in one space alone`;
  const facts = { difference: "other-space", expected: "nothing new in another space", actual } as const;
  const copies = tags.flatMap((tag): Violation[] => {
    const sent = history.senders(tag).filter(({ begun }) => begun < page.ended);
    const source = made.find(({ entry }) => isSentToOther(entry) && sent.includes(entry));
    const isCopy = source && sent.every((sender) => isSentToOther(sender) || isOfAnother(sender));
    return isCopy ? [violationBy("proven", facts, source.entry, page)] : [];
  });
  return copies.slice(0, 1);
}

/**
 * Returns the pages of the list that may show the created resources. Undocumented lists count only if they
 * show created resources in their own space.
 */
function pagesAfterCreates(history: History, list: Operation, made: readonly Use[]): Entry[] {
  const { head, lists } = history;
  const reads = lists.reads(list).filter(({ filters }) => filters.length === 0);
  const spaceOf = (read: (typeof reads)[number]) => read.pages[0]?.entry.space ?? "";
  const canShow =
    !isUndocumented(list) ||
    reads.some((read) =>
      made.some(({ id, entry }) => entry.space === spaceOf(read) && read.ids.includes(id)),
    );
  if (!canShow) return [];
  return reads
    .filter(({ end }) => end === "last-page")
    .filter((read) =>
      made.some(
        ({ entry, sent }) =>
          entry.space !== spaceOf(read) &&
          entry.ended < (read.pages[0]?.entry.begun ?? 0) &&
          tagsIn(head, sent).length > 0,
      ),
    )
    .flatMap(({ pages }) => pages.map(({ entry }) => entry));
}

function notListed(history: History, list: Operation): RuleResult {
  if (history.head.spaces.length < 2) return notAsked(history, "second");
  const isCut = history.lists.reads(list).some(({ end }) => end === "not-followed");
  return isCut
    ? notExercised("budget", `${list.key} is too long to read`)
    : notExercised("no-data", "its resources could not be recognised in a list");
}

export const isolationOfWrites = suiteOf("isolation", ...updates, ...keys, creates);
