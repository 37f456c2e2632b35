/** Rules: answers and lists show accepted creates (sections 4.2 and 4.14). */

import { mayBeDeleted } from "../../history/creates/deletions.ts";
import type { Use } from "../../history/creates/keys.ts";
import type { History } from "../../history/history.ts";
import { hiddenByRejection } from "../../history/lists/hidden-resources.ts";
import { listedItems } from "../../history/lists/listed-items.ts";
import type { ListRead } from "../../history/lists/lists.ts";
import { lackingViolation, readsAfter, wholeReads } from "../../history/lists/whole-reads.ts";
import { judged, notExercised, type Violation, violationBy } from "../../history/result.ts";
import { sameJson } from "../../spec/json.ts";
import { lackIn } from "../../spec/model/difference.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";
import { historyRule, noteRule, suiteOf } from "../shared/history-rule.ts";
import { isShown, unshown } from "../shared/sent-values.ts";
import { switchesOf } from "../shared/update-fields.ts";
import { changeOfParent } from "../updates/actions/change-of-parent.ts";
import { readsAroundAction } from "../updates/actions/probes.ts";
import { lastLook } from "../updates/probes.ts";
import { sightingsFit } from "../updates/sighting-rules.ts";
import { noEffect } from "./effect-rules.ts";
import { creationsOfRun, listAround, parentAfter, severalListed, wholeList } from "./probes.ts";
import { plainUses, unshownInLists, withFixedValues } from "./shown.ts";
import { createTargets, fieldsOf, listedCreates } from "./targets.ts";

const WHOLE_RUN = "in the whole run";

const echo = historyRule({
  requirement: "CREATE-ECHO",
  targets: (spec) =>
    createTargets(spec).map(({ operation }) => ({ operation, switches: switchesOf(spec, operation) })),
  title: ({ operation }) =>
    `the answer to every accepted ${operation.key} and later reads show the sent values`,
  probes: ({ operation }) => [creationsOfRun(operation), listAround(operation), parentAfter(operation)],
  check(history, { operation }) {
    const later = sightingsFit(history, { create: operation, duty: "made" });
    if (later.outcome === "violated") return later;
    const plain = plainUses(history, operation);
    return judged(
      [
        ...plain.flatMap(({ entry, sent, made }) =>
          unshown(history, { operation, sent, shown: made }, [entry]),
        ),
        ...unshownInLists(history, operation, withFixedValues(history, operation, plain)),
        ...borrowedFields(history, operation, plain),
      ],
      plain.map(({ entry }) => entry),
      "no plain create was accepted",
    );
  },
  formerDetails: ({ switches }) => [
    WHOLE_RUN,
    "minimal",
    "full",
    "every call",
    "at the limits",
    "empty list",
    "null",
    "each value",
    "in the list",
    ...switches.flatMap((field) => [`${field} true`, `${field} false`]),
  ],
});

/** The suite deletes nothing, so whole lists must show all. */
const listed = historyRule({
  requirement: "CREATE-LISTED",
  targets: listedCreates,
  title: ({ operation, list }) =>
    `${list.key} shows resources created by ${operation.key} until the end of the run`,
  probes: ({ operation, list, updates, actions, ofParents }) => [
    severalListed(operation, list),
    ...updates.map(lastLook),
    ...actions.map(readsAroundAction),
    ...ofParents.map(changeOfParent),
    wholeList(operation, list),
  ],
  check(history, { operation, list }) {
    const { accepted } = history.creates(operation);
    const whole = wholeReads(history, list);
    const listedIds = new Set(listedItems(history, operation).map(({ id }) => id));
    const isInLast = (use: Use) => readsAfter(whole, use, 0).at(-1)?.ids.includes(use.id) ?? true;
    const shown = accepted.filter((use) => listedIds.has(use.id) && isInLast(use));
    const versionOf = ({ pages: [page] }: ListRead) => page?.entry.version;
    const versions = [...new Set(whole.map(versionOf))];
    const due = (use: Use, version?: string | null) =>
      readsAfter(whole, use, history.head.consistencyTimeoutMs).filter((read) => versionOf(read) === version);
    const isLasting = ({ entry, id }: Use) =>
      !whole.some(({ pages: [page] }) => page && mayBeDeleted(history, entry, id, page.entry));
    // UPDATE-NO-EFFECT reports these.
    const hidden = new Set(hiddenByRejection(history, operation).map(({ use }) => use.id));
    return judged(
      accepted
        .filter((use) => isLasting(use) && !hidden.has(use.id))
        .flatMap((use) => versions.flatMap((version) => missingIn(use, due(use, version)))),
      shown.map(({ entry }) => entry),
      notExercised("budget", "no list shows the created resources, or none could be read to its end"),
    );
  },
  formerDetails: () => [WHOLE_RUN, "several"],
});

/** Returns the violation that two list reads in a row lack the created resource. A replica may be late. */
function missingIn({ id, entry }: Use, reads: readonly ListRead[]): Violation[] {
  const isLacking = (read: ListRead | undefined) => read !== undefined && !read.ids.includes(id);
  const lastLacking = reads.findLastIndex((read, index) => isLacking(read) && isLacking(reads[index - 1]));
  if (lastLacking === -1) return [];
  const lacking = reads.slice(lastLacking - 1, lastLacking + 1);
  return [lackingViolation(lacking, `the list to show ${id}`, [entry])];
}

const defaults = historyRule({
  requirement: "CREATE-DEFAULT",
  targets: (spec) =>
    fieldsOf(spec, "body", ({ default: defaultValue }) => defaultValue !== undefined).filter(
      ({ operation, field }) => spec.schemas.at(operation.resource, `/${field}`) !== undefined,
    ),
  title: ({ operation, field }) => `${operation.key} without ${field} always uses the documented default`,
  probes: ({ operation }) => [creationsOfRun(operation)],
  check(history, { operation, field }) {
    const defaultValue = history.spec.schemas.at(operation.body, `/${field}`)?.default;
    const uses = plainUses(history, operation).filter(({ sent }) => !(field in sent));
    return judged(
      uses
        .filter(({ made }) => !isShown(history, { operation, sent: { [field]: defaultValue }, shown: made }))
        .map((use) => wrongField(use, field, `${field} ${describeValue(defaultValue)}`)),
      uses.map(({ entry }) => entry),
      `no accepted create left ${field} out`,
    );
  },
  formerDetails: () => [WHOLE_RUN],
});

function wrongField({ entry, made }: Use, field: string, expected: string): Violation {
  const facts = { ...lackIn(made[field]), expected, actual: describeValue(made[field]) };
  return violationBy("proven", facts, { entry, offending: `/result/${field}` });
}

const noOtherNull = historyRule({
  targets: (spec) =>
    createTargets(spec).flatMap(({ operation }) => {
      const requirement = spec.schemas.flatten(operation.resource)["x-requirements"]?.fields;
      const fields = spec.schemas.fields(operation.resource).filter(([, schema]) => schema["x-null-echo"]);
      const names = fields.map(([name]) => name);
      return requirement === undefined || names.length === 0
        ? []
        : [{ operation, detail: "null that was not sent", requirement, names }];
    }),
  title: ({ operation, names }) =>
    `${operation.key} shows no null for ${names.join(" and ")} unless null was sent`,
  probes: ({ operation }) => [creationsOfRun(operation)],
  check(history, { operation, names }) {
    const uses = plainUses(history, operation);
    return judged(
      uses.flatMap((use) =>
        names
          .filter((name) => use.sent[name] !== null && use.made[name] === null)
          .map((name) => wrongField(use, name, `no null for ${name}: none was sent`)),
      ),
      uses.map(({ entry }) => entry),
      "no plain create was accepted",
    );
  },
});

const initial = noteRule({
  notes: "initialValue",
  targets: (spec) =>
    fieldsOf(spec, "resource", (schema) => schema["x-initial"] !== undefined).map(({ operation, field }) => {
      const requirement = spec.schemas.at(operation.resource, `/${field}`)?.["x-initial"] ?? "";
      return { operation, field, requirement };
    }),
  title: ({ operation, field }) => `the initial ${field} of a resource created by ${operation.key}`,
  probes: ({ operation }) => [creationsOfRun(operation)],
  seen: (history, { operation, field }) =>
    plainUses(history, operation)
      .slice(0, 1)
      .map(({ made, entry }) => ({ field, answer: { shows: made[field] }, shownBy: entry })),
  unseen: () => notExercised("control-rejected", "no plain create was accepted"),
});

/** Returns violations for unsent fields that show a tagged text of an earlier create. */
function borrowedFields(history: History, operation: Operation, uses: readonly Use[]): Violation[] {
  const { runTag } = history.head;
  const names = history.spec.schemas.fieldNames(operation.body);
  return uses.flatMap((use, index) => {
    const own = JSON.stringify(use.sent);
    return names.flatMap((name): Violation[] => {
      const text = JSON.stringify(use.made[name]);
      const isUnique = runTag !== null && text?.includes(runTag);
      if (name in use.sent || !isUnique || own.includes(text)) return [];
      const lender = uses.slice(0, index).find(({ sent }) => sameJson(sent[name], use.made[name]));
      if (!lender) return [];
      const expected = `no ${name}, which was not sent`;
      const actual = `${name} ${describeValue(use.made[name])} of an earlier create`;
      const wrong = { entry: use.entry, offending: `/result/${name}` };
      return [violationBy("proven", { difference: "must-be-absent", expected, actual }, lender.entry, wrong)];
    });
  });
}

export const createRules = suiteOf("creates", echo, listed, defaults, noOtherNull, initial, ...noEffect);
