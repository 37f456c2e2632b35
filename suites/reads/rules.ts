/** Rules of reads (section 4). */

import { isOfNewResource } from "../../history/answers/outliers.ts";
import { showsNamed } from "../../history/answers/served.ts";
import { createsById } from "../../history/creates/keys.ts";
import {
  type Entry,
  hasSameCaller,
  isRejected,
  otherHeaders,
  pathId,
  resourceIn,
  responseJson,
} from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { idWithParents, type ResourceKind, resourceKinds } from "../../history/resource-kinds.ts";
import { judged, type Violation, violationBy, wrongStatus } from "../../history/result.ts";
import { identityOf } from "../../spec/identity.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById, operationsOf } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import { parentAfter } from "../creates/probes.ts";
import { firstPages } from "../shared/followed-lists.ts";
import { historyRule, type RuleTarget, suiteOf, targetsAt } from "../shared/history-rule.ts";
import { readsAroundAction } from "../updates/actions/probes.ts";
import { concurrentUpdates, walkOf } from "../updates/probes.ts";
import { sightingsFit } from "../updates/sighting-rules.ts";
import { recordRules } from "./record-rules.ts";
import { repeatedReads } from "./repeated-reads.ts";
import { sameInEachSize } from "./size-rules.ts";
import { sameAgain } from "./stable-rules.ts";
import { parentRules, unknownRules } from "./unknown-rules.ts";

const WHOLE_RUN = "in the whole run";

interface ViewTarget extends RuleTarget {
  kind: ResourceKind;
  update: Operation;
  /** Creates of the resource and its parent. */
  makers: Operation[];
}

/** Returns a target for each operation that shows resources of a kind, with the creates and updates that set them. */
function viewTargets(spec: Spec): ViewTarget[] {
  return resourceKinds(spec).flatMap((kind) =>
    [...kind.views.values()].flatMap(({ operation, shows }) => {
      const [update] = kind.updates;
      const above = kind.create?.outer.at(-1)?.madeBy;
      const makers = [
        ...(kind.create ? [kind.create] : []),
        ...(above === undefined ? [] : [operationById(spec, above)]),
      ];
      return update && shows !== "answer" ? [{ operation, kind, update, makers, detail: WHOLE_RUN }] : [];
    }),
  );
}

const stable = historyRule({
  requirement: "READ-STABLE",
  // A list is judged only if nothing reads the resource alone.
  targets: (spec) =>
    viewTargets(spec).filter(({ operation, update }) => operation.kind === "read" || !update.readBack?.read),
  title: ({ operation }) => `${operation.key} shows the same as long as nothing is written`,
  probes: ({ update, makers, kind: { actions } }) => [
    walkOf(update),
    ...makers.map(parentAfter),
    ...actions.map(readsAroundAction),
  ],
  writes: true,
  check: (history, { operation }) => sightingsFit(history, { view: operation, duty: "stable" }),
});

const stays = historyRule({
  requirement: "READ-ACCEPTED",
  targets: (spec) => viewTargets(spec).filter(({ operation }) => operation.kind === "read"),
  title: ({ operation }) => `${operation.key} still shows a resource that it has shown before`,
  probes: ({ update }) => [walkOf(update), concurrentUpdates(update)],
  writes: true,
  check(history, { operation }) {
    const reads = history.entries.filter(
      (entry) => entry.operation === operation && history.isOrdinary(entry) && history.answers.isValid(entry),
    );
    const isEarly = (entry: Entry) => isOfNewResource(history, entry);
    const again = reads.filter((entry, index) => reads.slice(0, index).some(shownBefore(entry)));
    const lost = again
      .filter((entry) => {
        const later = again.filter(
          (other) => other.index >= entry.index && placeOfRead(other) === placeOfRead(entry),
        );
        // Nothing deletes resources, but a copy may not have a new one yet.
        return later.length > 1 && later.every(isRejected) && !later.every(isEarly);
      })
      // Rejections without JSON may come from a gateway that had no service.
      .map((entry) =>
        goneViolation(history, entry, responseJson(entry) === undefined ? "suspected" : "proven"),
      );
    const missed = again
      .filter((entry) => {
        const later = again.filter(
          (other) => other.begun > entry.ended && placeOfRead(other) === placeOfRead(entry),
        );
        return isRejected(entry) && later.some(showsNamed) && !isEarly(entry);
      })
      .map((entry) => goneViolation(history, entry, "suspected"));
    const others = again.flatMap((entry) => otherResourceShown(history, entry) ?? []);
    return judged([...lost, ...others, ...missed], again.filter(showsNamed), "no resource was read twice");
  },
});

function isAlike(one: Entry, other: Entry): boolean {
  const names = ({ request: { headers } }: Entry) =>
    headers
      .map(([name]) => name)
      .sort()
      .join();
  return (
    one.request.url === other.request.url &&
    one.version === other.version &&
    hasSameCaller(one, other) &&
    names(one) === names(other)
  );
}

function placeOfRead(entry: Entry): string {
  return idWithParents(entry, pathId(entry) ?? "");
}

function shownBefore(entry: Entry): (earlier: Entry) => boolean {
  return (earlier) =>
    showsNamed(earlier) && placeOfRead(earlier) === placeOfRead(entry) && isAlike(earlier, entry);
}

/** Returns the violation that a read shows another resource, or `undefined`. Ids never change. */
function otherResourceShown(history: History, entry: Entry): Violation | undefined {
  const identity = identityOf(history.spec, entry.operation ?? {});
  const shown = resourceIn(entry)?.[identity];
  if (shown === undefined || showsNamed(entry)) return undefined;
  const expected = `the resource ${describeValue(pathId(entry))}, as before`;
  const facts = { expected, actual: `the resource ${describeValue(shown)}` };
  const wrong = { entry, offending: `/result/${identity}` };
  return violationBy("proven", facts, ...earlierReadOf(history, entry), wrong);
}

function goneViolation(history: History, entry: Entry, certainty: Violation["certainty"]): Violation {
  return { ...wrongStatus("the resource, as before", entry, earlierReadOf(history, entry)), certainty };
}

function earlierReadOf({ entries }: History, entry: Entry): Entry[] {
  const earlier = entries.findLast((other) => other.index < entry.index && shownBefore(entry)(other));
  return earlier ? [earlier] : [];
}

export const notEmptyBetween = historyRule({
  requirement: "READ-STABLE",
  targets: (spec) => targetsAt(operationsOf(spec, "list"), "not empty between"),
  title: ({ operation }) => `${operation.key} is not empty between two lists that show the same resources`,
  probes: ({ operation }) => [repeatedReads(operation)],
  check(history, { operation }) {
    const pages = firstPages(history, operation).filter(({ answer }) => answer === "shown");
    const own = pages.filter(({ entry }) => history.isOfRound(entry));
    const violations = own.flatMap((page) => emptyBetween(history, page, pages));
    const shown = own.filter(({ items }) => items.length > 0);
    const again = shown.filter((page) =>
      shown.some((other) => isBefore(other, page) && asksTheSame(other, page)),
    );
    return judged(
      violations,
      again.map(({ entry }) => entry),
      "no list that shows resources was read twice",
    );
  },
});

/**
 * Returns the violation that the page is empty, although pages before and after it show one item. Resources of
 * the run do not count, because lists may show them late.
 */
function emptyBetween(history: History, page: ListPage, pages: readonly ListPage[]): Violation[] {
  if (page.items.length > 0) return [];
  const alike = pages.filter((other) => other.items.length > 0 && asksTheSame(other, page));
  // A list may show resources only under some versions.
  if (!alike.some(({ entry }) => entry.version === page.entry.version)) return [];
  const before = alike.findLast((other) => isBefore(other, page));
  const written = new Set(history.journal.resources.map(({ ownId }) => ownId));
  const isOfRun = (id: string) => written.has(id) || createsById(history).has(id);
  const isShared = (id: string) => before?.ids.includes(id) && !isOfRun(id);
  const after = alike.find((other) => isBefore(page, other) && other.ids.some(isShared));
  if (!before || !after) return [];
  const expected = "the resources that the list shows before and after";
  const facts = { difference: "answers-differ", expected, actual: "an empty list" } as const;
  const wrong = { entry: page.entry, offending: "/result" };
  return [violationBy("suspected", facts, before.entry, wrong, after.entry)];
}

function isBefore(one: ListPage, other: ListPage): boolean {
  return one.entry.ended < other.entry.begun;
}

/** True if both pages were asked for by the same caller with the same filters. */
function asksTheSame({ entry, filters }: ListPage, other: ListPage): boolean {
  return (
    hasSameCaller(entry, other.entry) &&
    sameJson(
      [entry.path, filters, otherHeaders(entry)],
      [other.entry.path, other.filters, otherHeaders(other.entry)],
    )
  );
}

export const readRules = suiteOf(
  "reads",
  sameAgain,
  sameInEachSize,
  notEmptyBetween,
  ...recordRules,
  ...unknownRules,
  ...parentRules,
  stable,
  stays,
);
