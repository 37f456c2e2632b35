/** Creates (sections 4.2 and 4.14) over a whole run: each accepted one shows the sent values. */

import { describeDifferences, echoDifferences } from "../../history/differences.ts";
import { type Entry, endOf, isAccepted, responseJson } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { acceptedCreates, type Use } from "../../history/keys.ts";
import { isLastPage } from "../../history/lists.ts";
import { resourceKinds } from "../../history/resource-kinds.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import { isAction } from "../../spec/actions.ts";
import { isObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";
import { suiteOf } from "../../trials/rule.ts";
import { historyRule } from "../history-rule.ts";
import { sightingsFit } from "../sighting-rules.ts";
import { lastLook } from "../updates/probes.ts";

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
    // A used key is answered with the resource of its first use.
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

/** Creates with a list of their resources, if updates change these: the list is read whole at the end. */
function listedCreates(
  spec: Spec,
): { operation: Operation; list: Operation; update: Operation; detail: string }[] {
  return creates(spec).flatMap((at) =>
    resourceKinds(spec).flatMap(({ create, updates: [update], views }) => {
      const hasRead = [...views.values()].some(({ shows }) => shows === "read");
      const list = hasRead ? undefined : [...views.values()].find(({ shows }) => shows === "list")?.operation;
      return create === at.operation && list && update ? [{ ...at, list, update }] : [];
    }),
  );
}

/** No operation deletes a resource: it counts as gone if two whole lists in a row, and all later ones, lack it. */
const stays = historyRule({
  requirement: "CREATE-LISTED",
  targets: listedCreates,
  title: ({ operation, list }) => `${list.key} shows resources of ${operation.key} until the end of the run`,
  probes: ({ update }) => [lastLook(update)],
  writes: true,
  check(history, { operation, list }) {
    const { spec, head, entries } = history;
    const uses = acceptedCreates(spec, operation, head, entries);
    const lists = entries.filter((entry) => history.isOrdinary(entry) && isWholeList(list, entry));
    const due = ({ entry }: Use) =>
      lists.filter(
        (each) => each.space === entry.space && each.startedAt > endOf(entry) + head.consistencyTimeoutMs,
      );
    const seen = uses.map((use) => ({ use, later: due(use) })).filter(({ later }) => later.length > 1);
    const isMissing = (id: string) => (each: Entry) => !idsIn(list, each).includes(id);
    const gone = seen.filter(({ use, later }) => later.slice(-2).every(isMissing(use.id)));
    return judged(
      gone.map(({ use, later }) => ({
        certainty: "proven",
        expected: `the list to show ${use.id}`,
        actual: "two whole lists without it",
        shownBy: [use.entry, ...later.slice(-2)].map((entry) => ({ entry })),
      })),
      uses.filter(({ id, entry }) => isListedLast(lists, entry, isMissing(id))).map(({ entry }) => entry),
      notExercised("no-data", "no list was read whole after a create"),
    );
  },
});

/** True if the last whole list that was read after a create does not lack its resource. */
function isListedLast(lists: readonly Entry[], create: Entry, isMissing: (list: Entry) => boolean): boolean {
  const last = lists.findLast(({ space, begun }) => space === create.space && begun > create.ended);
  return last !== undefined && !isMissing(last);
}

/** True if a page is the whole list: the first page, without filters and without a next one. */
function isWholeList({ id, list }: Operation, entry: Entry): boolean {
  const isPlain = entry.request.query.every(([name]) => name === list?.limit?.name);
  return entry.operation?.id === id && isAccepted(entry) && isPlain && isLastPage(entry);
}

function idsIn({ list }: Operation, entry: Entry): string[] {
  const json = responseJson(entry);
  const items = isObject(json) && Array.isArray(json.result) ? json.result.filter(isObject) : [];
  return items.map((item) => String(item[list?.identity ?? "id"]));
}

/** A field with a default shows it if a create leaves the field out, whatever came before. */
const defaults = historyRule({
  requirement: "CREATE-DEFAULT",
  targets: (spec) =>
    creates(spec).flatMap((at) =>
      spec.schemas
        .fields(at.operation.body)
        .filter(([, { default: usual }]) => usual !== undefined)
        .map(([field]) => ({ ...at, field, detail: `${field} ${at.detail}` })),
    ),
  title: ({ operation, field }) => `${operation.key} without ${field} always uses the documented default`,
  probes: () => [],
  writes: true,
  check(history, { operation, field }) {
    const usual = history.spec.schemas.at(operation.body ?? {}, `/${field}`)?.default;
    const uses = acceptedCreates(history.spec, operation, history.head, history.entries);
    // A used key is answered with the resource of its first use, perhaps with later updates.
    const plain = uses.filter(
      ({ entry, sent, key }) =>
        !(field in sent) &&
        history.isOrdinary(entry) &&
        history.isPlainlyValid(operation, sent) &&
        !uses.some((other) => other.key === key && other.entry.index < entry.index),
    );
    return judged(
      plain
        .filter(({ made }) => !sameJson(made[field], usual))
        .map(({ entry, made }) => ({
          certainty: "proven",
          expected: `${field} ${describeValue(usual)}`,
          actual: describeValue(made[field]),
          shownBy: [{ entry, offending: `/result/${field}` }],
        })),
      plain.map(({ entry }) => entry),
      notExercised("no-data", `no accepted create left ${field} out`),
    );
  },
});

export const createRules = suiteOf("creates", echo, stays, defaults);
