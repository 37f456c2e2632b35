/** Rules for one-way changes (section 3): cancelling a payment code, alone and with other fields. */

import { isDoubtfulBy } from "../../history/classification.ts";
import { type Entry, haveSameIds, isRejected, objectSent, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { isSettled } from "../../history/journal/field-changes.ts";
import type { Sighting } from "../../history/journal/sightings.ts";
import {
  judged,
  NO_SECOND_SPACE,
  notExercised,
  type RuleResult,
  withoutFixture,
  wrongStatus,
} from "../../history/result.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { historyRule, noteRule, suiteOf } from "../shared/history-rule.ts";
import { requiredAnd } from "../shared/update-fields.ts";
import { isWrong, judgedSightings } from "../updates/sighting-rules.ts";
import { listedRules, restoresNothing } from "./changed-rules.ts";
import { lastLookAfter, oneWayChange, updatedAfterwards } from "./probes.ts";
import { type Form, fixturesOf, type OneWay, oneWayForms, oneWays } from "./targets.ts";

type Reason = "fault" | "token" | "unknown space" | "second space";

function reasonOf({ spec, head }: History, { operation, credential, space }: Entry): Reason {
  if (credential.kind !== "token") return "token";
  const schema = operation?.space?.schema;
  const isFaulty = space === null || !schema || spec.schemas.validate(schema, space).length > 0;
  if (isFaulty || space === head.spaces[0]) return "fault";
  return space === head.spaces[1] ? "second space" : "unknown space";
}

/** Returns the rule that a change which is rejected for this reason changes nothing. */
function changesNothing(
  reason: Reason,
  requirement: string,
  what: string,
  isDue: (operation: Operation) => boolean = () => true,
) {
  return historyRule({
    consumes: true,
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
      // Other rules judge accepted requests without effect in another space.
      const counted = seen.filter(({ write, fits }) => !fits || (write && isRejected(write)));
      return judgedSightings(history, counted, () =>
        reason === "second space" && history.head.spaces.length < 2
          ? notExercised(...NO_SECOND_SPACE)
          : notExercised("no-data", `nothing was rejected ${what}`),
      );
    },
  });
}

const isOfSpace = ({ space }: Operation) => space !== undefined;
const rejectedChanges = [
  changesNothing("fault", "UPDATE-NO-EFFECT", "with a fault"),
  changesNothing("token", "AUTH-NO-EFFECT", "without authentication", ({ open }) => !open),
  changesNothing("unknown space", "ISOLATION-UNKNOWN-SPACE", "in a space that does not exist", isOfSpace),
  changesNothing("second space", "ISOLATION-WRITES", "in another space", isOfSpace),
];

function asksFor({ operation, name, value }: OneWay, entry: Entry): boolean {
  return entry.operation === operation && objectSent(entry)?.[name] === value;
}

function sightingsAfter(history: History, { operation, name }: OneWay): Sighting[] {
  return history.oneWaySightings.filter(
    ({ oneWay }) => oneWay?.entry.operation === operation && oneWay.field === name,
  );
}

function isOfChange({ write, oneWay }: Sighting): boolean {
  return write === oneWay?.entry;
}

/** True if a later update may have caused the shown value. */
function isOfLater({ write, oneWay, duty }: Sighting): boolean {
  if (!write || !oneWay || (duty !== "kept" && duty !== "no-effect")) return false;
  return write.begun > oneWay.entry.ended && haveSameIds(write, oneWay.entry);
}

/** True if the sighting counts. A write's response does not prove the stored value, so it must be wrong. */
function isEvidence({ view, duty, fits }: Sighting): boolean {
  return view.shows === "answer" ? !fits : duty !== "agrees";
}

const status = historyRule({
  consumes: true,
  targets: oneWayForms,
  title: ({ operation, name, value, isAlone }) =>
    `${operation.key} with ${name} ${value}${isAlone ? " alone" : ""} sets the ${name} to ${value}`,
  probes: (at) => [oneWayChange(at), lastLookAfter(at)],
  check(history, at) {
    const isOfForm = (sent: JsonObject) => {
      const needed = requiredAnd(history.spec, at.operation, sent, [at.name]);
      return Object.keys(sent).every((field) => field in needed) === at.isAlone;
    };
    const seen = sightingsAfter(history, at).filter(
      (each) =>
        each.field === at.name && !isOfLater(each) && isEvidence(each) && isOfForm(each.oneWay?.sent ?? {}),
    );
    const rejected = wronglyRejectedChanges(history, at, isOfForm).map((entry) =>
      wrongStatus(`${at.name} ${at.value} to be accepted`, entry),
    );
    return judgedSightings(history, seen, () => judged(rejected, [], notShown(history, at)));
  },
});

/** Returns why nothing shows the change, and names the fixture that would help. */
function notShown({ head }: History, at: Form): RuleResult {
  if (!at.isAlone || fixturesOf(at, head.fixtures).length >= 2)
    return notExercised("no-data", `nothing shows a resource before and after it became ${at.value}`);
  const fixture = `${at.consumes.fixture}=ID`;
  return withoutFixture(
    fixture,
    `give a second --fixture ${fixture} to test the change without another field`,
  );
}

/** Returns changes that were always rejected, although other updates were accepted. */
function wronglyRejectedChanges(
  history: History,
  at: OneWay,
  isOfForm: (sent: JsonObject) => boolean,
): Entry[] {
  const updates = history.updates(at.operation);
  const versions = updates.filter(({ accepted }) => accepted).map(({ entry }) => entry.version);
  const asked = updates.filter(
    (update) =>
      asksFor(at, update.entry) && isOfForm(update.sent) && history.mustAccept(at.operation, update),
  );
  const done = asked.filter(({ accepted }) => accepted);
  return asked
    .filter(({ entry, sent }) => {
      const { [at.name]: _, ...rest } = sent;
      const twin = updates.find(
        (other) =>
          other.entry.begun > entry.ended && haveSameIds(other.entry, entry) && sameJson(other.sent, rest),
      );
      return twin === undefined || !isRejected(twin.entry);
    })
    .map(({ entry }) => entry)
    .filter(
      (entry) =>
        isRejected(entry) &&
        !done.some((other) => haveSameIds(other.entry, entry)) &&
        (versions.length === 0 || versions.includes(entry.version)),
    );
}

const together = historyRule({
  consumes: true,
  targets: (spec) => oneWays(spec).map((at) => ({ ...at, requirement: at.consumes.together })),
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} updates the other fields in the same call`,
  probes: (at) => [oneWayChange(at)],
  check(history, at) {
    const seen = sightingsAfter(history, at).filter(
      (each) => each.field !== at.name && isOfChange(each) && isEvidence(each),
    );
    // Another check reports fields that no update stores or shows.
    const lost = new Set(
      [...history.sightings("echo"), ...history.sightings("stored")]
        .filter((each) => each.kind.updates.includes(at.operation) && isWrong(each))
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

const keeps = historyRule({
  consumes: true,
  requirement: "UPDATE-KEEPS",
  targets: oneWays,
  title: ({ operation, name, value }) =>
    `${operation.key} with ${name} ${value} keeps the fields that no update accepts`,
  probes: (at) => [oneWayChange(at)],
  check: (history, at) =>
    judgedSightings(
      history,
      sightingsAfter(history, at).filter(
        (each) => each.duty === "kept" && isOfChange(each) && isSettled(history.spec, each.kind, each.field),
      ),
      () => notExercised("no-data", `nothing shows a resource before and after it became ${at.value}`),
    ),
});

const stays = historyRule({
  consumes: true,
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

const again = noteRule({
  consumes: true,
  notes: "changesAfterCancel",
  targets: (spec) => oneWays(spec).map((at) => ({ ...at, requirement: at.consumes.again })),
  title: ({ operation, value }) =>
    `how ${operation.key} treats a change of a resource that is already ${value}`,
  probes: (at) => [updatedAfterwards(at)],
  seen(history, { operation, name, value }) {
    const sent = history.journal.resources.flatMap((own) =>
      own.writes.filter(
        ({ entry }) =>
          own.oneWay?.field === name &&
          entry.operation === operation &&
          entry.begun > own.oneWay.entry.ended &&
          own.isInSpaceOf(entry) &&
          history.isOrdinary(entry) &&
          isDoubtfulBy(history.answers.classification(entry), "changesAfterCancel"),
      ),
    );
    return sent.map(({ entry, sent: body }) => ({
      tried: name in body ? `${name} ${value} again` : "other fields",
      answer: { status: statusOf(entry) ?? 0 },
      shownBy: entry,
    }));
  },
  unseen: (_, { value }) => notExercised("no-data", `nothing was sent to a resource that was ${value}`),
});

export const cancellationRules = suiteOf(
  "updates",
  ...listedRules,
  ...rejectedChanges,
  status,
  together,
  keeps,
  restoresNothing,
  stays,
  again,
);
