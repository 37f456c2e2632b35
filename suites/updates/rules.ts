/** Rules of updates (sections 4.5, 4.7 and 4.15). */

import { type Entry, isRejected, pathId } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { mayChangeByItself, mustKeepUnsent } from "../../history/journal/field-changes.ts";
import type { Sighting } from "../../history/journal/sightings.ts";
import { hiddenByRejection } from "../../history/lists/hidden-resources.ts";
import { lackingViolation } from "../../history/lists/whole-reads.ts";
import { kindOfUpdate, resourceKinds, shownBy } from "../../history/resource-kinds.ts";
import { judged, type Violation, violationBy } from "../../history/result.ts";
import type { Stray } from "../../history/values/tags.ts";
import { fixedFields } from "../../spec/identity.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { type FieldTarget, historyRule, suiteOf } from "../shared/history-rule.ts";
import { updatableFields, updatesOf } from "../shared/update-fields.ts";
import { postsOn, readsAroundAction, updateAfterPost } from "./actions/probes.ts";
import { REJECTIONS, rejectedActionRules } from "./actions/rejected-rules.ts";
import { actionRules } from "./actions/rules.ts";
import { updatesInTurn } from "./concurrent/probes.ts";
import { concurrentUpdates, lastLook, rejectedBatch, walkOf } from "./probes.ts";
import { readerOf } from "./read-back.ts";
import { sightingsFit, unlessOnlyAfterUpdates } from "./sighting-rules.ts";

function fieldsSent(spec: Spec): FieldTarget[] {
  return updatesOf(spec).flatMap(({ operation }) => {
    const shown = spec.schemas.flatten(operation.resource).properties ?? {};
    return updatableFields(spec, operation)
      .filter((field) => shown[field] !== undefined && !spec.schemas.holdsSecret(shown[field]))
      .map((field) => ({ operation, field, detail: field }));
  });
}

const echo = historyRule({
  requirement: "UPDATE-ECHO",
  targets: fieldsSent,
  title: ({ operation, field }) => `the answer to ${operation.key} shows the ${field} that was sent`,
  probes: ({ operation }) => [walkOf(operation)],
  check: (history, { operation, field }) => sightingsFit(history, { update: operation, duty: "echo", field }),
});

const stored = historyRule({
  requirement: "UPDATE-STORED",
  targets: (spec) => fieldsSent(spec).filter(({ operation }) => readerOf(spec, operation) !== undefined),
  title: ({ operation, field }) => `reads after ${operation.key} show the ${field} that was sent`,
  probes: ({ operation }) => [
    walkOf(operation),
    concurrentUpdates(operation),
    updatesInTurn(operation),
    lastLook(operation),
  ],
  check: (history, { operation, field }) =>
    sightingsFit(history, { update: operation, duty: "stored", field }),
});

/** Returns a target for each field that an update must keep if it does not send it. */
function fieldsKept(spec: Spec) {
  return resourceKinds(spec).flatMap((kind) =>
    kind.updates.flatMap((operation) => {
      const fixed = fixedFields(spec, operation);
      const taken = spec.schemas.fieldNames(operation.body);
      const keepsAll = operation.readBack?.keeps === "all";
      return spec.schemas
        .fieldNames(operation.resource)
        .filter((field) => !fixed.includes(field))
        .filter(
          (field) => !mayChangeByItself(spec, kind, field) || mustKeepUnsent(spec, kind, field, operation),
        )
        .map((field) => ({
          operation,
          field,
          actions: kind.actions,
          detail: spec.schemas.field(operation.body, field)["x-consumes"] ? `${field} not sent` : field,
          requirement: keepsAll && !taken.includes(field) ? "UPDATE-KEEPS-REST" : "UPDATE-KEEPS",
        }));
    }),
  );
}

const keeps = historyRule({
  targets: fieldsKept,
  title: ({ operation, field }) => `${operation.key} keeps ${field} if it is not sent`,
  probes: ({ operation, actions }, spec) => [
    walkOf(operation),
    ...actions.map(readsAroundAction),
    ...postsOn(spec, operation).map((post) => updateAfterPost(operation, post)),
    lastLook(operation),
  ],
  mayBeExcused: true,
  check(history, { operation, field }) {
    const result = sightingsFit(history, { update: operation, duty: "kept", field });
    return unlessOnlyAfterUpdates(history, result, operation, field);
  },
});

/** Returns the violation that a resource shows a text which was sent to another one. */
function strayViolation({ text, sender, shownBy: shower, id }: Stray, expected: string): Violation {
  const facts = {
    difference: "changed",
    expected: `${id} ${expected}`,
    actual: JSON.stringify(text),
  } as const;
  return violationBy("proven", facts, sender, shower);
}

const othersKept = historyRule({
  requirement: "UPDATE-KEEPS",
  targets: (spec) => updatesOf(spec).map(({ operation }) => ({ operation, detail: "other resources" })),
  title: ({ operation }) => `values sent by ${operation.key} show in no other resource`,
  probes: ({ operation }) => [walkOf(operation)],
  check(history, { operation }) {
    const sent = history.updates(operation).find(({ accepted, answer }) => accepted && answer)?.entry;
    const kind = kindOfUpdate(history.spec, operation);
    const showsAnother = (entry: Entry) =>
      kind !== undefined &&
      shownBy(history.spec, kind, entry).some(({ id }) => id !== (sent && pathId(sent)));
    const later = history.entries.filter((entry) => sent && entry.begun > sent.ended && showsAnother(entry));
    const violations = history.strays.spills
      .filter(({ sender }) => sender.operation === operation)
      .map((spill) => strayViolation(spill, `without what was sent to ${pathId(spill.sender)} alone`));
    return judged(violations, later, "nothing showed another resource after an accepted update");
  },
});

/** Returns the violations that an answer shows another id than the path. */
function differentIds(history: History, update: Operation): Violation[] {
  const wrong = history.journal.wrongIds.filter(({ entry }) => entry.operation === update);
  return wrong.map(({ entry, shown }) => {
    const expected = `the resource ${pathId(entry)} that the path names`;
    const facts = { expected, actual: `the resource ${shown}` };
    return violationBy("proven", facts, { entry, offending: "/result/id" });
  });
}

const identity = historyRule({
  requirement: "UPDATE-IDENTITY",
  targets: (spec) =>
    updatesOf(spec).filter(
      ({ operation }) => spec.schemas.flatten(operation.resource)["x-fixed"] !== undefined,
    ),
  title: ({ operation }) => `${operation.key} never changes the id or another fixed field`,
  probes: ({ operation }) => [walkOf(operation)],
  check(history, { operation }) {
    const fixed = fixedFields(history.spec, operation);
    const counts = ({ field }: Sighting) => fixed.includes(field);
    const kept = sightingsFit(history, { update: operation, duty: "kept", counts });
    return judged(differentIds(history, operation), [], kept);
  },
});

const keepsRest = historyRule({
  requirement: "UPDATE-KEEPS-REST",
  targets: (spec) =>
    updatesOf(spec).filter(
      ({ operation }) =>
        operation.readBack?.keeps === "all" &&
        !fieldsKept(spec).some((at) => at.operation === operation && at.requirement === "UPDATE-KEEPS-REST"),
    ),
  title: ({ operation }) => `${operation.key} changes only fields that it accepts`,
  probes: ({ operation }) => [walkOf(operation)],
  check(history, { operation }) {
    const taken = history.spec.schemas.fieldNames(operation.body);
    const counts = ({ field }: Sighting) => !taken.includes(field);
    return sightingsFit(history, { update: operation, duty: "kept", counts });
  },
});

const noEffect = REJECTIONS.map(({ requirement, isFor, why }) =>
  historyRule({
    requirement,
    targets: updatesOf,
    title: ({ operation }) => `${why} ${operation.key} changes nothing`,
    probes: ({ operation }) => [walkOf(operation), rejectedBatch(operation), lastLook(operation)],
    check(history, { operation }) {
      const found = sightingsFit(history, {
        update: operation,
        duty: "no-effect",
        counts: ({ write }) => write !== null && isRejected(write) && isFor(write.credential.kind),
      });
      const leaked = history.strays.leaks
        .filter(({ sender }) => sender.operation === operation && isFor(sender.credential.kind))
        .map((leak) => strayViolation(leak, "without what only rejected updates sent"));
      const create = kindOfUpdate(history.spec, operation)?.create;
      const hidden = (create ? hiddenByRejection(history, create) : [])
        .filter(({ update }) => update.operation === operation && isFor(update.credential.kind))
        .map(({ use, before, update, lacking }) => {
          const expected = `the list to show ${use.id}, as before the rejected update`;
          return lackingViolation(lacking, expected, [use.entry, before, update]);
        });
      return found.outcome === "violated" ? found : judged([...leaked, ...hidden], [], found);
    },
  }),
);

const listAgrees = historyRule({
  targets: (spec) =>
    updatesOf(spec).flatMap(({ operation: update }) => {
      const read = update.readBack?.read;
      const operation = read === undefined ? undefined : operationById(spec, read);
      const requirement = operation?.sameRecord?.requirement;
      return operation && requirement
        ? [{ operation, update, requirement, detail: `after ${update.key}` }]
        : [];
    }),
  title: ({ operation, update }) =>
    `${operation.key} and the list show the same resource after ${update.key}`,
  probes: ({ update }) => [walkOf(update)],
  writes: true,
  check: (history, { update }) => sightingsFit(history, { update, duty: "agrees" }),
});

export const updateRules = suiteOf(
  "updates",
  echo,
  stored,
  keeps,
  othersKept,
  keepsRest,
  identity,
  ...noEffect,
  listAgrees,
  ...actionRules,
  ...rejectedActionRules,
);
