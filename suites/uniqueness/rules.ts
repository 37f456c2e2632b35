/** Unique values (section 4.2) over a whole run: whatever came between, one value makes one resource in a space. */

import { overlaps } from "../../history/entry.ts";
import { acceptedCreates, rejectedCreates, type SentCreate, usesBy } from "../../history/keys.ts";
import { judged, notExercised } from "../../history/result.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { suiteOf } from "../../trials/rule.ts";
import { historyRule } from "../history-rule.ts";
import { keyWalkOf } from "../idempotency/key-walk.ts";

function uniqueFields(spec: Spec): { operation: Operation; field: string; detail: string }[] {
  return spec.operations
    .filter(({ kind }) => kind === "create")
    .flatMap((operation) =>
      spec.schemas
        .fields(operation.body)
        .filter(([, schema]) => schema["x-unique"]?.scope === "space")
        .map(([field]) => ({ operation, field, detail: `${field} in the whole run` })),
    );
}

const oneHolder = historyRule({
  requirement: "UNIQUE-REJECTED",
  targets: uniqueFields,
  title: ({ operation, field }) => `${operation.key} rejects a ${field} that is taken, whatever came between`,
  probes: ({ operation }) => (operation.idempotencyKey ? [keyWalkOf(operation)] : []),
  writes: true,
  check(history, { operation, field }) {
    const uses = acceptedCreates(history.spec, operation, history.head, history.entries);
    const value = ({ sent }: (typeof uses)[number]) => {
      const text = sent[field];
      return typeof text === "string" && text !== "" ? text : undefined;
    };
    const violations = usesBy(uses, value).flatMap(([first, ...others]) =>
      others.flatMap((other) =>
        first && other.id !== first.id && other.key !== first.key && !overlaps(first.entry, other.entry)
          ? [
              {
                certainty: "proven" as const,
                expected: `a rejection: ${field} is taken by ${first.id}`,
                actual: `the resource ${other.id}`,
                shownBy: [{ entry: first.entry }, { entry: other.entry }],
              },
            ]
          : [],
      ),
    );
    const isTaken = ({ sent, entry }: SentCreate) =>
      uses.some(
        (use) => use.entry.ended < entry.begun && use.sent[field] === sent[field] && sent[field] != null,
      );
    const rejected = rejectedCreates(operation, history.head, history.entries).filter(isTaken);
    return judged(
      violations,
      rejected.map(({ entry }) => entry),
      notExercised("no-data", `no taken ${field} was sent again`),
    );
  },
});

export const uniquenessRules = suiteOf("uniqueness", oneHolder);
