/** One-way changes (section 3): cancelling a payment code, alone and with other fields. */

import { describeDifferences } from "../../history/differences.ts";
import { isWithoutWriter } from "../../history/duties.ts";
import { type Entry, endOf, isRejected, requestJson, resourceIn, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { ListRead } from "../../history/lists.ts";
import { pathId } from "../../history/resource-kinds.ts";
import { judged, notExercised, noted, wrongStatus } from "../../history/result.ts";
import { recordDifferences } from "../../history/same-record.ts";
import type { OneWayChange, Sighting } from "../../history/sightings.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Note } from "../../spec/model/note.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { historyRule } from "../shared/history-rule.ts";
import { suiteOf } from "../shared/rule.ts";
import { judgedSightings } from "../updates/sighting-rules.ts";
import { requiredAnd } from "../updates/updating.ts";
import { lastLookAfter, listedAfterwards, oneWayChange, updatedAfterwards } from "./probes.ts";
import {
  type Form,
  fixturesOf,
  type OneWay,
  oneWayForms,
  oneWays,
  type ShownTarget,
  shownBySingleAndList,
  shownUnderFilter,
} from "./targets.ts";

const USES_UP = { consumes: true, writes: true } as const;

type Reason = "fault" | "token" | "unknown space" | "second space";

/** Why a request must be rejected, if it asks for a change that would be accepted otherwise. */
function reasonOf({ spec, head }: History, { operation, credential, space }: Entry): Reason {
  if (credential.kind !== "token") return "token";
  const schema = operation?.space?.schema;
  const isFaulty = space === null || !schema || spec.schemas.validate(schema, space).length > 0;
  if (isFaulty || space === head.spaces[0]) return "fault";
  return space === head.spaces[1] ? "second space" : "unknown space";
}

const REJECTED: {
  reason: Reason;
  requirement: string;
  what: string;
  isDue?(operation: Operation): boolean;
}[] = [
  { reason: "fault", requirement: "UPDATE-NO-EFFECT", what: "with a fault" },
  {
    reason: "token",
    requirement: "AUTH-NO-EFFECT",
    what: "without authentication",
    isDue: ({ open }) => !open,
  },
  {
    reason: "unknown space",
    requirement: "ISOLATION-UNKNOWN-SPACE",
    what: "in a space that does not exist",
    isDue: ({ space }) => space !== undefined,
  },
  {
    reason: "second space",
    requirement: "ISOLATION-WRITES",
    what: "in another space",
    isDue: ({ space }) => space !== undefined,
  },
];

const changesNothing = REJECTED.map(({ reason, requirement, what, isDue = () => true }) =>
  historyRule({
    ...USES_UP,
    requirement,
    targets: (spec) =>
      oneWays(spec)
        .filter(({ operation }) => isDue(operation))
        .map((at) => ({ ...at, detail: `${at.name} ${what}` })),
    title: ({ operation, name, value }) =>
      `a rejected ${operation.key} with ${name} ${value}, ${what}, changes nothing`,
    probes: (at) => [oneWayChange(at)],
    check(history, at) {
      const isMeant = (entry: Entry) => asksFor(at, entry) && reasonOf(history, entry) === reason;
      const seen = history.sightings("no-effect").filter(({ write }) => write && isMeant(write));
      // Another space may get a success that changes nothing, which other rules judge.
      const counted = seen.filter(({ write, fits }) => !fits || (write && isRejected(write)));
      return judgedSightings(history, counted, () =>
        reason === "second space" && history.head.spaces.length < 2
          ? notExercised("no-second-space", "give --second-space to test this")
          : notExercised("no-data", `nothing was rejected ${what}`),
      );
    },
  }),
);

function asksFor({ operation, name, value }: OneWay, entry: Entry): boolean {
  const sent = requestJson(entry);
  return entry.operation === operation && isObject(sent) && sent[name] === value;
}

/** What answers show of resources after the change that a target names. */
function sightingsAfter(history: History, { operation, name }: OneWay): Sighting[] {
  return history.oneWaySightings.filter(
    ({ oneWay }) => oneWay?.entry.operation === operation && oneWay.field === name,
  );
}

function isOfChange({ write, oneWay }: Sighting): boolean {
  return write === oneWay?.entry;
}

/** True if an update of the same resource after the change may have caused what is shown. */
function isOfLater({ write, oneWay, duty }: Sighting): boolean {
  if (!write || !oneWay || (duty !== "kept" && duty !== "no-effect")) return false;
  return write.begun > oneWay.entry.ended && pathId(write) === pathId(oneWay.entry);
}

/** Wrong values in answers, and all values in reads: an answer alone does not show what is stored. */
function isEvidence({ view, duty, fits }: Sighting): boolean {
  return view.shows === "answer" ? !fits : duty !== "agrees";
}

const status = historyRule<Form>({
  ...USES_UP,
  targets: oneWayForms,
  title: ({ operation, name, value, isAlone }) =>
    `${operation.key} with ${name} ${value}${isAlone ? " alone" : ""} sets the ${name} to ${value}`,
  probes: (at) => [oneWayChange(at), lastLookAfter(at)],
  check(history, at) {
    const isOfForm = (sent: JsonObject) => isBare(history, at, sent) === at.isAlone;
    const seen = sightingsAfter(history, at).filter(
      (each) =>
        each.field === at.name && !isOfLater(each) && isEvidence(each) && isOfForm(each.oneWay?.sent ?? {}),
    );
    const rejected = rejectedChanges(history, at, isOfForm);
    return judgedSightings(history, seen, () =>
      judged(
        rejected.map((entry) => wrongStatus(`${at.name} ${at.value} to be accepted`, entry)),
        [],
        at.isAlone && fixturesOf(at, history.head.fixtures).length < 2
          ? notExercised(
              "no-fixture",
              `give a second --fixture ${at.consumes.fixture}=ID to test the change without another field`,
            )
          : notExercised("no-data", `nothing shows a resource before and after it became ${at.value}`),
      ),
    );
  },
});

/** True if the body holds only the change and required fields. */
function isBare({ spec }: History, { operation, name }: OneWay, sent: JsonObject): boolean {
  const needed = requiredAnd(spec, operation, sent, [name]);
  return Object.keys(sent).every((field) => field in needed);
}

/** Valid changes that were rejected each time, under a version in which other updates are accepted. */
function rejectedChanges(history: History, at: OneWay, isOfForm: (sent: JsonObject) => boolean): Entry[] {
  const updates = history.updates(at.operation);
  const versions = updates.filter(({ accepted }) => accepted).map(({ entry }) => entry.version);
  const asked = updates.filter(
    ({ entry, sent }) =>
      asksFor(at, entry) &&
      isOfForm(sent) &&
      history.isOrdinary(entry) &&
      history.isOfOwn(entry) &&
      !history.answers.wasSentAgain(entry) &&
      history.answers.classification(entry).kind === "valid" &&
      history.mustBeTaken(at.operation, sent),
  );
  const done = asked.filter(({ accepted }) => accepted).map(({ entry }) => pathId(entry));
  return asked
    .map(({ entry }) => entry)
    .filter(
      (entry) =>
        isRejected(entry) &&
        !done.includes(pathId(entry)) &&
        (versions.length === 0 || versions.includes(entry.version)),
    );
}

const together = historyRule<OneWay>({
  ...USES_UP,
  targets: (spec) => oneWays(spec).map((at) => ({ ...at, requirement: at.consumes.together })),
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} updates the other fields in the same call`,
  probes: (at) => [oneWayChange(at)],
  check(history, at) {
    const seen = sightingsAfter(history, at).filter(
      (each) => each.field !== at.name && isOfChange(each) && isEvidence(each),
    );
    // An update without the change that does not show a field either has its own finding.
    const lost = new Set(
      [...history.sightings("echo"), ...history.sightings("stored")]
        .filter(({ fits, kind }) => !fits && kind.updates.includes(at.operation))
        .map(({ field }) => field),
    );
    return judgedSightings(
      history,
      seen.filter(({ field }) => !lost.has(field)),
      () =>
        seen.length > 0
          ? notExercised("control-rejected", "an update without it does not show the same fields either")
          : notExercised("no-data", `nothing shows other fields that were sent with ${at.name} ${at.value}`),
    );
  },
});

const keeps = historyRule<OneWay>({
  ...USES_UP,
  requirement: "UPDATE-KEEPS",
  targets: oneWays,
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} keeps the fields that no update accepts`,
  probes: (at) => [oneWayChange(at)],
  check: (history, at) =>
    judgedSightings(
      history,
      sightingsAfter(history, at).filter(
        (each) =>
          each.duty === "kept" && isOfChange(each) && isWithoutWriter(history.spec, each.kind, each.field),
      ),
      () => notExercised("no-data", `nothing shows a resource before and after it became ${at.value}`),
    ),
});

const stays = historyRule<OneWay>({
  ...USES_UP,
  requirement: "UPDATE-KEEPS",
  targets: (spec) => oneWays(spec).map((at) => ({ ...at, detail: `${at.name} once ${at.value}` })),
  title: ({ operation, name, value }) => `${operation.key} of other fields keeps ${name} ${value}`,
  probes: (at) => [updatedAfterwards(at), lastLookAfter(at)],
  check: (history, at) =>
    judgedSightings(
      history,
      sightingsAfter(history, at).filter((each) => each.field === at.name && isOfLater(each)),
      () => notExercised("no-data", `no update of other fields was sent after ${at.name} ${at.value}`),
    ),
});

interface ChangedResource {
  id: string;
  change: OneWayChange;
  /** What was asked between the change and the next update. */
  entries: Entry[];
}

function changedResources(history: History, { operation, name }: OneWay): ChangedResource[] {
  return history.journal.resources.flatMap(({ oneWay, writes, space }) => {
    if (oneWay?.entry.operation !== operation || oneWay.field !== name) return [];
    const { entry: change } = oneWay;
    const next =
      writes.find(({ entry }) => entry.begun > change.ended)?.entry.begun ?? Number.POSITIVE_INFINITY;
    const entries = history.entries.filter(
      (entry) =>
        entry.begun > change.ended &&
        entry.ended < next &&
        entry.space === space &&
        history.isOrdinary(entry),
    );
    return [{ id: pathId(change) ?? "", change: oneWay, entries }];
  });
}

const shapesAgree = historyRule<ShownTarget>({
  ...USES_UP,
  targets: shownBySingleAndList,
  title: ({ operation, detail }) => `${operation.key} and the list show the same resource ${detail}`,
  probes: (at) => [oneWayChange(at.change), listedAfterwards(at)],
  check(history, { read, list, change, requirement }) {
    const { spec, head } = history;
    const names = history.references(change.operation.body ?? {});
    const compared = changedResources(history, change).flatMap(({ id, change: { entry }, entries }) => {
      const reads = entries.filter((each) => each.operation === read && pathId(each) === id);
      const listed = history.lists.pages(list).flatMap((page) => {
        const item = page.items[page.ids.indexOf(id)];
        return item && entries.includes(page.entry) ? [{ page, item }] : [];
      });
      return listed.flatMap(({ page, item }) => {
        const before = reads.findLast((each) => each.ended < page.entry.begun);
        const after = reads.find((each) => each.begun > page.entry.ended);
        const shown = before && resourceIn(before);
        if (!before || !shown) return [];
        const differences = recordDifferences(spec, read, item, shown, requirement, names);
        const isStill = sameJson(shown, after && resourceIn(after));
        const isLate = page.entry.startedAt - endOf(entry) < head.consistencyTimeoutMs;
        return [{ id, page: page.entry, before, differences, isOpen: !isStill || isLate }];
      });
    });
    const agree = compared.filter(({ differences }) => differences.length === 0);
    const isCaughtUp = ({ id, page }: { id: string; page: Entry }) =>
      agree.some((other) => other.id === id && other.page.begun > page.begun);
    const wrong = compared.filter((each) => each.differences.length > 0 && !each.isOpen && !isCaughtUp(each));
    return judged(
      wrong.map(({ page, before, differences }) => {
        const { expected, actual } = describeDifferences(differences);
        return {
          certainty: "suspected",
          difference: "list-differs",
          expected: `as in the list: ${expected}`,
          actual,
          shownBy: [{ entry: page }, { entry: before, offending: `/result${differences[0]?.pointer}` }],
        };
      }),
      agree.map(({ page }) => page),
      notExercised(
        compared.length > 0 ? "drift" : "no-data",
        `${list.key} was not read while a changed resource stayed the same`,
      ),
    );
  },
});

const underFilter = historyRule<ShownTarget>({
  ...USES_UP,
  targets: shownUnderFilter,
  title: ({ operation, filter, change }) =>
    `${operation.key} filtered by ${filter} shows a resource that became ${change.value}`,
  probes: (at) => [oneWayChange(at.change), listedAfterwards(at)],
  check(history, { list, change, filter }) {
    const { name, value } = change;
    const reads = history.lists.reads(list);
    const isFiltered = ({ filters }: ListRead) =>
      filters.some(([each, text]) => each === filter && text === value);
    const seen = changedResources(history, change).flatMap(({ id, change: { entry }, entries }) => {
      const isBetween = ({ pages }: ListRead) => pages.every((page) => entries.includes(page.entry));
      const own = reads.filter((each) => each.pages.length > 0 && isBetween(each));
      const showing = own.filter(
        ({ filters, items, ids }) =>
          !filters.some(([each]) => each === filter) && items[ids.indexOf(id)]?.[name] === value,
      );
      return own.filter(isFiltered).flatMap((each) => {
        const [first] = each.pages;
        const last = each.pages.at(-1);
        if (!first || !last) return [];
        const others = JSON.stringify(each.filters.filter(([other]) => other !== filter));
        const alike = showing.filter(({ filters }) => JSON.stringify(filters) === others);
        const before = alike.findLast(({ pages }) => (pages.at(-1)?.entry.ended ?? 0) < first.entry.begun);
        const after = alike.find(({ pages }) => (pages[0]?.entry.begun ?? 0) > last.entry.ended);
        const isLate = first.entry.startedAt - endOf(entry) < history.head.consistencyTimeoutMs;
        const isMissing = !isLate && each.end === "last-page" && before && after;
        const isFound = each.ids.includes(id);
        return isFound || isMissing
          ? [{ id, entry: last.entry, isFound, shown: before?.pages.at(-1)?.entry }]
          : [];
      });
    });
    const isFoundLater = ({ id, entry }: { id: string; entry: Entry }) =>
      seen.some((other) => other.id === id && other.isFound && other.entry.begun > entry.begun);
    return judged(
      seen
        .filter((each) => !each.isFound && !isFoundLater(each))
        .map(({ id, entry, shown }) => ({
          certainty: "suspected",
          difference: "missing",
          expected: `the list under ${filter}=${value} to show ${id}`,
          actual: "left out",
          shownBy: [...(shown ? [{ entry: shown }] : []), { entry, offending: "/result" }],
        })),
      seen.filter(({ isFound }) => isFound).map(({ entry }) => entry),
      notExercised(
        "no-data",
        `${list.key} shows no resource that became ${value}, or was not read to the end`,
      ),
    );
  },
});

const again = historyRule<OneWay>({
  ...USES_UP,
  notes: "changesAfterCancel",
  targets: (spec) => oneWays(spec).map((at) => ({ ...at, requirement: at.consumes.again })),
  title: ({ operation, value }) =>
    `how ${operation.key} treats a change of a resource that is already ${value}`,
  probes: (at) => [updatedAfterwards(at)],
  check(history, { operation, name, value, consumes }) {
    const sent = history.journal.resources.flatMap(({ oneWay, writes }) =>
      writes.filter(
        ({ entry }) =>
          oneWay?.field === name &&
          entry.operation === operation &&
          entry.begun > oneWay.entry.ended &&
          history.isOrdinary(entry),
      ),
    );
    const notes = sent.map(
      ({ entry, sent: body }): Note => ({
        requirement: consumes.again,
        operation: operation.key,
        practice: "changesAfterCancel",
        tried: name in body ? `${name} ${value} again` : "other fields",
        answer: { status: statusOf(entry) ?? 0 },
      }),
    );
    const entries = sent.map(({ entry }) => entry);
    return noted(notes, entries, `nothing was sent to a resource that was ${value}`);
  },
});

export const cancellationRules = suiteOf(
  "updates",
  shapesAgree,
  underFilter,
  ...changesNothing,
  status,
  together,
  keeps,
  stays,
  again,
);
