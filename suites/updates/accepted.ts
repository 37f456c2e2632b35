import { makerOf } from "../../client/relations.ts";
import { type Entry, isRejected, pathId } from "../../history/entry.ts";
import { forbiddenWrites } from "../../history/forbidden-writes.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised, wrongStatus } from "../../history/result.ts";
import { overlapsAnother, type SeenUpdate } from "../../history/updates-seen.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { suiteOf } from "../shared/suite.ts";
import { walkOf } from "./probes.ts";
import { updatableFields, updatesOf } from "./updating.ts";

interface SentTarget extends RuleTarget {
  names: Set<string>;
  detail: string;
}

/** Returns a target for each set of fields that updates send. */
function fieldSets(spec: Spec): SentTarget[] {
  return updatesOf(spec).flatMap(({ operation }) => {
    const fields = updatableFields(spec, operation);
    const required = spec.schemas.required(operation.body);
    const alone = fields.map((field) => ({
      operation,
      names: new Set([...required, field]),
      detail: `${field} alone`,
    }));
    return [...alone, { operation, names: new Set(fields), detail: "full" }];
  });
}

const fieldsAccepted = historyRule({
  requirement: "UPDATE-ACCEPTED",
  targets: fieldSets,
  title: ({ operation, detail }) =>
    `${operation.key} accepts a valid body with ${detail === "full" ? "all fields" : detail}`,
  probes: ({ operation }) => [walkOf(operation)],
  check(history, { operation, names, detail }) {
    const updates = history.updates(operation);
    const sent = updates.filter(
      (update) => hasExactly(update, names) && history.mustAccept(operation, update),
    );
    const forbidden = forbiddenWrites(history);
    const rejected = sent.filter(
      (update) =>
        isRejected(update.entry) &&
        !forbidden.has(update.entry) &&
        !overlapsAnother(updates, update.entry) &&
        !hasValueOfAnother(history, operation, update),
    );
    return judged(
      rejected.map(({ entry }) => wrongStatus(`a valid body (${detail}) to be accepted`, entry)),
      sent.filter(({ answer }) => answer).map(({ entry }) => entry),
      notExercised(
        updates.some(({ accepted }) => accepted) ? "not-sampled" : "no-data",
        `no valid update sent exactly these fields: ${[...names].join(", ")}`,
      ),
    );
  },
});

interface Holder {
  entry: Entry;
  id: string | undefined;
  sent: JsonObject;
}

/**
 * True if another resource has a value of the update. A service may demand unique values (the URL of a
 * webhook), unless two resources share one.
 */
function hasValueOfAnother(history: History, operation: Operation, { entry, sent }: SeenUpdate): boolean {
  const holders = holdersIn(history, operation).filter((each) => each.entry.space === entry.space);
  const fields = history.spec.schemas.fields(operation.body).filter(([, schema]) => schema["x-values-from"]);
  return fields.some(([name]) => {
    const value = sent[name];
    if (typeof value !== "string" || areShared(holders, name)) return false;
    return holders.some((holder) => holder.sent[name] === value && holder.id !== pathId(entry));
  });
}

/** Returns accepted creates and updates, sorted by end, without replays. */
function holdersIn(history: History, operation: Operation): Holder[] {
  const create = makerOf(history.spec, operation);
  const made = create ? history.creates(create).accepted : [];
  const updates = history.updates(operation).filter(({ accepted }) => accepted);
  return [
    ...made.filter(({ id }, index) => made.findIndex((other) => other.id === id) === index),
    ...updates.map((update) => ({ ...update, id: pathId(update.entry) })),
  ].sort((one, other) => one.entry.ended - other.entry.ended);
}

function areShared(holders: readonly Holder[], name: string): boolean {
  const present = new Map<string | undefined, unknown>();
  return holders.some(({ id, sent }) => {
    const value = sent[name];
    if (typeof value !== "string") return false;
    const isShared = [...present].some(([other, held]) => other !== id && held === value);
    present.set(id, value);
    return isShared;
  });
}

function hasExactly({ sent }: SeenUpdate, names: ReadonlySet<string>): boolean {
  const fields = Object.keys(sent);
  const isSame = fields.length === names.size && fields.every((name) => names.has(name));
  return isSame && !Object.values(sent).includes(null);
}

export const updatesAccepted = suiteOf("bodies", fieldsAccepted);
