/** Creates (sections 4.2 and 4.14) over a whole run: each accepted one shows what it was sent. */

import { describeDifferences, echoDifferences } from "../../history/differences.ts";
import type { History } from "../../history/history.ts";
import { acceptedCreates, type Use } from "../../history/keys.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { isAction } from "../../spec/actions.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { suiteOf } from "../../trials/rule.ts";
import { historyRule } from "../history-rule.ts";
import { sightingsFit } from "../sighting-rules.ts";

function creates(spec: Spec): { operation: Operation; detail: string }[] {
  return spec.operations.flatMap((operation) =>
    operation.kind === "create" && operation.body && operation.resource && !isAction(spec, operation)
      ? [{ operation, detail: "in the whole run" }]
      : [],
  );
}

const echo = historyRule({
  requirement: "CREATE-ECHO",
  targets: creates,
  title: ({ operation }) => `every accepted ${operation.key} shows what was sent, and so do later reads`,
  probes: () => [],
  writes: true,
  check(history, { operation }) {
    const uses = acceptedCreates(history.spec, operation, history.head, history.entries);
    // A used key is answered with what its first use made.
    const first = uses.filter(
      ({ key, entry }) =>
        key === undefined || !uses.some((other) => other.key === key && other.entry.index < entry.index),
    );
    const plain = first.filter(
      ({ entry, sent }) => history.isOrdinary(entry) && history.isPlainlyValid(operation, sent),
    );
    const later = sightingsFit(history, { create: operation, duty: "made" });
    if (later.outcome === "violated") return later;
    return judged(
      plain.flatMap((use) => unshown(history, operation, use)),
      plain.map(({ entry }) => entry),
      notExercised("no-data", "no plain create was accepted"),
    );
  },
});

function unshown(history: History, operation: Operation, { entry, sent, made }: Use): Violation[] {
  const differences = echoDifferences(sent, made, {
    schemas: history.spec.schemas,
    sentSchema: operation.body ?? {},
    shownSchema: operation.resource ?? {},
    resolveReference: history.references(operation.body ?? {}),
  });
  if (differences.length === 0) return [];
  const offending = `/result${differences[0]?.pointer ?? ""}`;
  return [{ certainty: "proven", ...describeDifferences(differences), shownBy: [{ entry, offending }] }];
}

export const createRules = suiteOf("creates", echo);
