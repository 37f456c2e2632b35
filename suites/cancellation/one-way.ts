import { isSameInAnyCasing } from "../../history/differences.ts";
import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { kindOfUpdate, pathId, shownBy } from "../../history/resource-kinds.ts";
import { judged, notExercised, type Violation } from "../../history/result.ts";
import type { SeenUpdate } from "../../history/updates-seen.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { suiteOf } from "../shared/rule.ts";
import { consumingPlaces } from "./consumption.ts";

interface OneWayTarget extends RuleTarget {
  name: string;
  value: string;
}

function targets(spec: Spec): OneWayTarget[] {
  return consumingPlaces(spec).map(({ operation, name, value }) => ({
    operation,
    name,
    value,
    detail: `${name} once ${value}`,
  }));
}

const stays = historyRule<OneWayTarget>({
  requirement: "UPDATE-KEEPS",
  targets,
  title: ({ operation, name, value }) => `${operation.key} of other fields keeps ${name} ${value}`,
  probes: () => [],
  writes: true,
  check(history, { operation, name, value }) {
    const later = laterUpdates(history, operation, name, value);
    const reverted = later.filter(({ shown, was }) => isSameInAnyCasing(shown[name], was));
    return judged(
      reverted.map(({ change, update, shown }) => revertedBy(change, update, { name, value, shown })),
      later
        .filter(({ shown }) => isSameInAnyCasing(shown[name], value))
        .map(({ update: { entry } }) => entry),
      notExercised("no-data", `no update of other fields was accepted after ${name} ${value}`),
    );
  },
});

interface LaterUpdate {
  change: Entry;
  update: SeenUpdate;
  shown: JsonObject;
  was: unknown;
}

/**
 * Updates after a one-way change. The specification says only that it is not taken back, so only the earlier
 * value is a violation.
 */
function laterUpdates(history: History, operation: Operation, name: string, value: string): LaterUpdate[] {
  const updates = history.updates(operation).filter(({ accepted }) => accepted);
  const isMade = ({ sent, answer }: SeenUpdate) =>
    isSameInAnyCasing(sent[name], value) && isSameInAnyCasing(answer?.[name], value);
  const ofOthers = updates.filter(({ sent }) => !(name in sent));
  return ofOthers.flatMap((update) => {
    const earlier = updates.filter(
      ({ entry }) => pathId(entry) === pathId(update.entry) && entry.ended < update.entry.begun,
    );
    const change = earlier.find(isMade);
    const was = change && valueBefore(history, change.entry, name);
    if (!change || was === undefined || isSameInAnyCasing(was, value)) return [];
    return [update.answer, update.after].flatMap((shown) =>
      shown ? [{ change: change.entry, update, shown, was }] : [],
    );
  });
}

function valueBefore(history: History, change: Entry, name: string): unknown {
  const kind = change.operation && kindOfUpdate(history.spec, change.operation);
  if (!kind) return undefined;
  const shown = history.context
    .filter(({ ended, space }) => ended < change.begun && space === change.space)
    .flatMap((entry) => shownBy(history.spec, kind, entry))
    .filter(({ id }) => id === pathId(change));
  return shown.at(-1)?.fields[name];
}

function revertedBy(
  change: Entry,
  { entry }: SeenUpdate,
  { name, value, shown }: { name: string; value: string; shown: JsonObject },
): Violation {
  return {
    certainty: "proven",
    difference: "changed",
    expected: `still ${name} ${value}`,
    actual: `${name} ${String(shown[name])}`,
    shownBy: [{ entry: change }, { entry, offending: `/result/${name}` }],
  };
}

export const oneWayChanges = suiteOf("updates", stays);
