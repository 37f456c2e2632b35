/** Rules: one key and body make one resource, whatever comes between (sections 4 and 8). */

import { type KeyVariation, keyVariations, variationBetween } from "../../generators/keys.ts";
import { isExplainedByState } from "../../history/answers/actions-done.ts";
import { notAccepted, wronglyRejected } from "../../history/answers/rejected-creates.ts";
import { mayBeDeleted } from "../../history/creates/deletions.ts";
import {
  isLater,
  isReplay,
  keyAndBody,
  keyInPath,
  overlapping,
  type SentCreate,
  type Use,
  usesBy,
} from "../../history/creates/keys.ts";
import { isAccepted, isRejected, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { listsOf } from "../../history/lists/lists-of-creates.ts";
import { judged, notExercised, type Violation, violationBy } from "../../history/result.ts";
import { isAction } from "../../spec/operations.ts";
import { listAround } from "../creates/probes.ts";
import { historyRule, observedRejections, suiteOf } from "../shared/history-rule.ts";
import { walksWith } from "./key-walk.ts";
import { bursts, differentKeys, otherBodies, repeatedAfterHangUp, replays } from "./probes.ts";
import {
  contradiction,
  listedAfter,
  listedTwice,
  otherResources,
  repeatedAfterLoss,
  secondResources,
  type UsedAgain,
  usedAgain,
} from "./second-resources.ts";
import { type KeyedCreate, keyedCreates } from "./targets.ts";
import { keyReuse, longestAccepted, wrongKeysRejected } from "./value-rules.ts";

const WHOLE_RUN = "in the whole run";

const KEY_PARTS: Readonly<Record<KeyVariation, string>> = {
  unlike: "several characters",
  "last character": "the last character",
  "first character": "the first character",
  casing: "casing",
  hyphens: "hyphens",
  "any keys": "any character",
};

const replay = historyRule({
  requirement: "KEY-REPLAY",
  notes: "idempotencyReplay",
  targets: keyedCreates,
  title: ({ operation }) =>
    `the same key and body to ${operation.key} makes one resource, whatever came between`,
  probes: ({ operation }, spec) => [
    replays(operation),
    ...(listsOf(spec, operation).length > 0 ? [repeatedAfterHangUp(operation)] : []),
    ...walksWith(spec, operation),
    listAround(operation),
  ],
  check(history, { operation }) {
    const pairs = usedAgain(history, operation, keyAndBody);
    const isListedAfter = listedAfter(history, operation);
    return judged(
      [
        ...secondResources(history, operation, pairs),
        ...listedTwice(history, operation, repeatedAfterLoss(history, operation)),
      ],
      pairs
        .filter(([first, { entry }]) => history.isOrdinary(entry) && isListedAfter(first, entry))
        .map(([, { entry }]) => entry),
      "no accepted create was sent again with its key and appears in its list",
    );
  },
  observe(history, { operation }) {
    const about = { requirement: "KEY-REUSE", operation: operation.key } as const;
    return usedAgain(history, operation, keyAndBody).map(([, { entry: by }]) => ({
      by,
      note: { ...about, behaviour: "idempotencyReplay", answer: { status: statusOf(by) ?? 0 } },
    }));
  },
  formerDetails: () => [WHOLE_RUN, "after other keys", "longest key"],
});

const otherBody = historyRule({
  requirement: "KEY-OTHER-BODY",
  cause: "idempotency-conflict",
  targets: keyedCreates,
  title: ({ operation }) => `${operation.key} rejects a used key with another body, whatever came between`,
  probes: ({ operation }, spec) => [otherBodies(operation), ...walksWith(spec, operation)],
  check(history, { operation }) {
    const reuses = reusedKeys(history, operation);
    return judged(
      reuses
        .filter(([, { entry }]) => isAccepted(entry))
        .map(([{ entry }, again]) => {
          const expected = "a rejection of the used key with another body";
          const actual = `status ${statusOf(again.entry)}`;
          return contradiction({ difference: "accepted", expected, actual }, entry, again.entry);
        }),
      reuses.map(([, { entry }]) => entry).filter(isRejected),
      "no used key was sent with another body",
    );
  },
  observe(history, { operation }) {
    // A service may reject a faulty body for its fault.
    const isValidAlone = ({ entry }: SentCreate) =>
      !history.answers.classification(entry).faults.some(({ place }) => place.startsWith("body"));
    const calls = reusedKeys(history, operation).map(([, call]) => call);
    return observedRejections(calls.filter(isValidAlone), () => "key with another body");
  },
  formerDetails: () => [WHOLE_RUN],
});

function reusedKeys(history: History, operation: KeyedCreate): UsedAgain[] {
  return usedAgain(history, operation, keyInPath).filter(([first, { body }]) => first.body !== body);
}

const parallel = historyRule({
  requirement: "KEY-PARALLEL",
  targets: keyedCreates,
  title: ({ operation }) => `concurrent calls of ${operation.key} with one key create one resource`,
  probes: ({ operation }) => [bursts(operation), replays(operation), listAround(operation)],
  check(history, { operation }) {
    // KEY-REPLAY reports calls that are not concurrent.
    if (otherResources(history, operation, usedAgain(history, operation, keyAndBody)).length > 0)
      return notExercised(
        "control-rejected",
        "the key also makes a second resource if the calls are not concurrent",
      );
    const pairs = usesBy(history.creates(operation).accepted, keyAndBody).flatMap(overlapping);
    return judged(
      secondResources(history, operation, pairs),
      concurrentGroups(history, operation).flatMap(({ accepted }) => accepted.map(({ entry }) => entry)),
      notExercised("control-rejected", "none of the simultaneous calls was accepted"),
    );
  },
});

/** Returns the simultaneous creates with the same key and body, together with those of them that were accepted. */
function concurrentGroups(
  history: History,
  operation: KeyedCreate,
): { calls: SentCreate[]; accepted: Use[] }[] {
  const { sent, accepted } = history.creates(operation);
  return usesBy(sent, keyAndBody)
    .filter((calls) => overlapping(calls).length > 0)
    .map((calls) => ({
      calls,
      accepted: accepted.filter(({ entry }) => calls.some((call) => call.entry === entry)),
    }));
}

const oneSucceeds = historyRule({
  requirement: "KEY-ONE-SUCCEEDS",
  targets: keyedCreates,
  title: ({ operation }) => `at least one of concurrent calls of ${operation.key} with one key succeeds`,
  probes: ({ operation }) => [bursts(operation)],
  check(history, { operation }) {
    const groups = concurrentGroups(history, operation);
    const isExplained = isExplainedByState(history, operation);
    // If an equal body is accepted later, the body is not the reason.
    const isAcceptedAlone = (calls: SentCreate[]) =>
      history
        .creates(operation)
        .accepted.some((use) => calls.every((call) => use.body === call.body && isLater(use, call)));
    return judged(
      groups
        .filter(({ accepted }) => accepted.length === 0)
        .filter(({ calls }) => isAcceptedAlone(calls) && !calls.some(({ entry }) => isExplained(entry)))
        .map(({ calls }) => {
          const expected = `one of ${calls.length} concurrent calls to succeed`;
          const shownBy = calls.slice(0, 2).map(({ entry }) => ({ entry, offending: "status" }));
          return violationBy("suspected", { expected, actual: `all ${calls.length} rejected` }, ...shownBy);
        }),
      groups.flatMap(({ accepted }) => accepted.map(({ entry }) => entry)),
      notExercised("control-rejected", "neither simultaneous calls nor a single one was accepted"),
    );
  },
});

const distinct = historyRule({
  requirement: "KEY-DISTINCT",
  targets: (spec) =>
    keyedCreates(spec)
      .filter(({ operation }) => !isAction(spec, operation))
      .flatMap(({ operation }) =>
        keyVariations(operation.idempotencyKey).map((variation) => ({
          operation,
          variation,
          detail: variation,
        })),
      ),
  title: ({ operation, variation }) =>
    `keys to ${operation.key} that differ in ${KEY_PARTS[variation]} create different resources`,
  probes: ({ operation }) => [differentKeys(operation)],
  check(history, { operation, variation }) {
    const { accepted } = history.creates(operation);
    const pairs = accepted.flatMap((use) =>
      variedBefore(accepted, use, variation).map((earlier): [Use, Use] => [earlier, use]),
    );
    // A service may give the id of a deleted resource to the next one.
    const shared = pairs.filter(
      ([one, other]) => one.place === other.place && !mayBeDeleted(history, one.entry, one.id, other.entry),
    );
    const different = pairs.filter(([one, other]) => one.place !== other.place);
    return judged(
      [
        ...shared.map(([one, other]) => {
          const expected = "another resource under another key";
          const actual = `the same, ${one.id}`;
          return contradiction({ difference: "same-resource", expected, actual }, one.entry, other.entry);
        }),
        ...variedKeysRejected(history, operation, variation),
      ],
      [...new Set(different.map(([, { entry }]) => entry))],
      "no two accepted creates had keys that differ so",
    );
  },
  otherDetails: ({ variation }) => (variation === "unlike" ? [WHOLE_RUN] : []),
});

function variedBefore(accepted: readonly Use[], call: SentCreate, variation: KeyVariation): Use[] {
  return accepted.filter(
    ({ entry, key = "" }) =>
      entry.index < call.entry.index &&
      entry.space === call.entry.space &&
      variationBetween(key, call.key ?? "") === variation,
  );
}

/**
 * Returns the violations that creates with this variation of keys were rejected. A rejected key is wrong if
 * its body is accepted later under another, unless its length explains that.
 */
function variedKeysRejected(history: History, operation: KeyedCreate, variation: KeyVariation): Violation[] {
  const { accepted } = history.creates(operation);
  // A repetition of an earlier create shows nothing: its values may be taken by now.
  const isOtherKey = (use: Use, call: SentCreate) =>
    use.body === call.body && use.key !== call.key && !isReplay(use, accepted);
  return wronglyRejected(history, operation, isOtherKey).flatMap(({ rejected }) => {
    const length = rejected.key?.length ?? 0;
    const [earlier] = variedBefore(accepted, rejected, variation);
    const isTooLong = accepted.every(({ key = "" }) => key.length < length);
    // Another write may be in the way of the first call with the key.
    const isAcceptedAgain = accepted.some(({ key }) => key === rejected.key);
    const what = `a key that differs in ${KEY_PARTS[variation]} from an earlier one`;
    return earlier && !isTooLong && !isAcceptedAgain ? [notAccepted(what, rejected, earlier.entry)] : [];
  });
}

export const idempotencyRules = suiteOf(
  "idempotency",
  wrongKeysRejected,
  longestAccepted,
  replay,
  otherBody,
  parallel,
  oneSucceeds,
  distinct,
  ...keyReuse,
);
