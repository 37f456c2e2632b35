/** Rules: a rejected create leaves nothing behind (sections 4.2, 4.14 and 5). */

import { isSameBut, notAccepted, wronglyRejected } from "../../history/answers/rejected-creates.ts";
import { type Entry, isRejected, objectSent, requestJson } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { listedItems } from "../../history/lists/listed-items.ts";
import { listsOf, namedListsOf } from "../../history/lists/lists-of-creates.ts";
import { judged, type Violation, violationBy } from "../../history/result.ts";
import { tagsIn } from "../../history/values/tags.ts";
import { uniqueFields } from "../../spec/identity.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule } from "../shared/history-rule.ts";
import { listAround, rejectedCreates, reuseAfterRejection } from "./probes.ts";
import { createTargets } from "./targets.ts";

const CAUSES = [
  { requirement: "CREATE-NO-EFFECT", cause: "fault", what: "a rejected", former: "broken bodies" },
  { requirement: "AUTH-NO-EFFECT", cause: "token", what: "an unauthenticated", former: "created" },
] as const;

export const noEffect = CAUSES.map(({ requirement, cause, what, former }) =>
  historyRule({
    requirement,
    // A rejected create can only show in lists and unique fields.
    targets: (spec) =>
      createTargets(spec).flatMap(({ operation }) => {
        const unique = uniqueFields(spec, operation);
        const lists = [...listsOf(spec, operation), ...namedListsOf(spec, operation)];
        return unique.length > 0 || lists.length > 0 ? [{ operation, unique }] : [];
      }),
    title: ({ operation }) => `${what} ${operation.key} creates nothing`,
    probes: ({ operation, unique }) => [
      ...(unique.length > 0 ? [reuseAfterRejection(operation)] : []),
      rejectedCreates(operation, cause),
      listAround(operation),
    ],
    check(history, { operation, unique }) {
      const rejected = history.entries.filter(
        (entry) =>
          entry.operation === operation &&
          isRejected(entry) &&
          (entry.credential.kind === "token") === (cause === "fault"),
      );
      const reused = unique.map((field) =>
        reusedAfterRejection(history, operation, rejected, [field, ...unique]),
      );
      return judged(
        [...leftInLists(history, operation, rejected), ...reused.flatMap(({ taken }) => taken)],
        [...beforeLists(history, operation, rejected), ...reused.flatMap(({ free }) => free)],
        "nothing was rejected, so nothing can be left behind",
      );
    },
    formerDetails: ({ unique }) => ["the list", ...unique].map((by) => `${former}, by ${by}`),
  }),
);

/** Returns the violations that a list shows a resource of a rejected create. */
function leftInLists(history: History, create: Operation, rejected: Entry[]): Violation[] {
  return listedItems(history, create).flatMap(({ item, tags, page }): Violation[] => {
    const [sender] = tags
      .map((tag) => history.senders(tag))
      .filter((senders) => senders.every((entry) => entry.operation?.kind === "create" && isRejected(entry)))
      .flatMap((senders) => senders.find((entry) => rejected.includes(entry)) ?? []);
    if (!sender) return [];
    const expected = "no resource of the rejected create";
    const actual = `${describeValue(item)} in the list`;
    return [violationBy("proven", { difference: "changed", expected, actual }, sender, page)];
  });
}

/** Returns the rejected creates before the last list, which would show their resources. */
function beforeLists(history: History, create: Operation, rejected: Entry[]): Entry[] {
  const own = new Set(history.creates(create).accepted.map(({ id }) => id));
  const pages = listedItems(history, create).filter(({ id }) => own.has(id));
  const last = Math.max(...pages.map(({ page }) => page.begun));
  return rejected.filter(
    (entry) => entry.ended < last && tagsIn(history.head, requestJson(entry)).length > 0,
  );
}

/**
 * Returns creates with a unique value that rejected creates sent before. `taken`: rejected creates whose value
 * only rejected ones sent before. `free`: accepted creates with such a value.
 */
function reusedAfterRejection(
  history: History,
  create: Operation,
  rejected: Entry[],
  [field, ...unique]: [string, ...string[]],
): { taken: Violation[]; free: Entry[] } {
  const earlierSenders = (entry: Entry) =>
    history.context.filter(
      (other) =>
        other.operation === create && other.ended < entry.begun && sendsSameText(other, entry, field),
    );
  const wasRejected = (entry: Entry) => rejected.includes(entry);
  const isFreed = (entry: Entry) => earlierSenders(entry).some(wasRejected);
  const taken = wronglyRejected(history, create, (later, call) => isSameBut(later, call, unique))
    .map((pair) => pair.rejected)
    .filter(({ entry }) => isFreed(entry) && earlierSenders(entry).every(wasRejected))
    .map((call) => notAccepted(`${field} ${describeValue(call.sent[field])} of rejected calls`, call));
  const free = history.creates(create).accepted.map(({ entry }) => entry);
  return { taken, free: free.filter(isFreed) };
}

function sendsSameText(one: Entry, other: Entry, field: string): boolean {
  const [first, second] = [one, other].map((entry) => objectSent(entry)?.[field]);
  return typeof first === "string" && first === second;
}
