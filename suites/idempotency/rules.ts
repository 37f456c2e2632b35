/** Idempotency keys (section 4) over a whole run: whatever came between, one key and body make one resource. */

import { type Entry, overlaps } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { acceptedCreates, rejectedCreates, type SentCreate, type Use, usesBy } from "../../history/keys.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { isAction } from "../../spec/actions.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { suiteOf } from "../../trials/rule.ts";
import { historyRule, type RuleTarget } from "../history-rule.ts";
import { replaysOf } from "../updates/probes.ts";
import { keyWalkOf } from "./key-walk.ts";

const WHOLE_RUN = "in the whole run";

interface KeyTarget extends RuleTarget {
  probes: ReturnType<typeof replaysOf>;
}

function createsWithKey(spec: Spec): KeyTarget[] {
  return spec.operations.flatMap((operation) =>
    operation.kind === "create" && operation.idempotencyKey && operation.body && !isAction(spec, operation)
      ? [{ operation, detail: WHOLE_RUN, probes: keyProbes(spec, operation) }]
      : [],
  );
}

/** A resource that updates change meets its key in the walks of these updates. */
function keyProbes(spec: Spec, create: Operation): KeyTarget["probes"] {
  const walks = replaysOf(spec, create);
  return walks.length > 0 ? walks : [keyWalkOf(create)];
}

function usesOf(history: History, create: Operation): Use[] {
  return acceptedCreates(history.spec, create, history.head, history.entries);
}

/** Pairs of neighbours that do not overlap. */
function inTurn(uses: Use[]): [Use, Use][] {
  return uses.flatMap((use, index): [Use, Use][] => {
    const before = uses[index - 1];
    return before && !overlaps(before.entry, use.entry) ? [[before, use]] : [];
  });
}

function contradiction(expected: string, actual: string, entries: Entry[]): Violation {
  // Nobody else has the keys of a client.
  const shownBy = entries.map((entry) => ({ entry }));
  return { certainty: "proven", expected, actual, shownBy, holdsAmongOthers: true };
}

const replay = historyRule({
  requirement: "KEY-REPLAY",
  targets: createsWithKey,
  title: ({ operation }) =>
    `the same key and body to ${operation.key} makes one resource, whatever came between`,
  probes: ({ probes }) => probes,
  writes: true,
  check(history, { operation }) {
    const repeated = usesBy(usesOf(history, operation), ({ key, body }) => key && body && `${key} ${body}`);
    const pairs = repeated.flatMap(inTurn);
    return judged(
      pairs
        .filter(([one, other]) => one.id !== other.id)
        .map(([one, other]) =>
          contradiction(`the resource ${one.id}`, `the resource ${other.id}`, [one.entry, other.entry]),
        ),
      pairs.map(([, { entry }]) => entry),
      notExercised("no-data", "no accepted create was sent again with its key"),
    );
  },
});

const distinct = historyRule({
  requirement: "KEY-DISTINCT",
  targets: createsWithKey,
  title: ({ operation }) => `different keys to ${operation.key} make different resources`,
  probes: ({ probes }) => probes,
  writes: true,
  check(history, { operation }) {
    const uses = usesOf(history, operation);
    const shared = usesBy(uses, ({ id }) => id).flatMap(([first, ...others]) =>
      first ? others.filter(({ key }) => key !== first.key).map((other): [Use, Use] => [first, other]) : [],
    );
    return judged(
      shared.map(([one, other]) =>
        contradiction("another resource for another key", `the resource ${one.id} again`, [
          one.entry,
          other.entry,
        ]),
      ),
      uses.map(({ entry }) => entry),
      notExercised("no-data", "no create was accepted"),
    );
  },
});

const otherBody = historyRule({
  requirement: "KEY-OTHER-BODY",
  targets: createsWithKey,
  title: ({ operation }) => `${operation.key} rejects a used key with another body, whatever came between`,
  probes: ({ probes }) => probes,
  writes: true,
  check(history, { operation }) {
    const uses = usesOf(history, operation);
    const pairs = usesBy(uses, ({ key }) => key).flatMap(inTurn);
    const isReuse = ({ key, body, entry }: SentCreate) =>
      uses.some((use) => use.key === key && use.body !== body && use.entry.ended < entry.begun);
    const rejected = rejectedCreates(operation, history.head, history.entries).filter(isReuse);
    const violations = pairs
      .filter(([one, other]) => one.body !== other.body)
      .map(([one, other]) => contradiction("a rejection", "status 200", [one.entry, other.entry]));
    return judged(
      violations,
      rejected.map(({ entry }) => entry),
      notExercised("no-data", "no used key was sent with another body"),
    );
  },
});

export const idempotencyRules = suiteOf("idempotency", replay, distinct, otherBody);
