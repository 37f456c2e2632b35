/** Rules: a value that a service may reject is shown unchanged if accepted. */

import type { Probe } from "../../client/target.ts";
import { leftOutBySeed } from "../../history/answers/served.ts";
import { type Entry, isAccepted, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { sideOf } from "../../history/request-faults/sent-request.ts";
import { judged, notExercised } from "../../history/result.ts";
import { isObject, type JsonObject, pick, sameJson } from "../../spec/json.ts";
import type { Note } from "../../spec/model/note.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { type Declinable, declinableValues, inBrackets } from "./echo.ts";
import { historyRule, type Rules, type RuleTarget } from "./history-rule.ts";
import { unshown } from "./sent-values.ts";

interface Sent {
  entry: Entry;
  sent: JsonObject;
  shown: JsonObject | undefined;
}

interface Requests {
  kind: "create" | "update";
  sent(history: History, operation: Operation): Sent[];
  probes(operation: Operation, all: Declinable[], own?: Declinable): Probe[];
  formerDetail?: string;
}

interface ValuesTarget extends RuleTarget {
  all: Declinable[];
}

interface ValueTarget extends ValuesTarget {
  declinable: Declinable;
  requirement: string;
}

export function declinableRules(requests: Requests): Rules[] {
  return [shownUnchanged(requests), rejectedTexts(requests)];
}

function valuesTargets(spec: Spec, { kind }: Requests): ValuesTarget[] {
  return operationsWithBody(spec, kind)
    .map((operation) => ({ operation, all: declinableValues(spec, operation.body ?? {}) }))
    .filter(({ all }) => all.length > 0);
}

/** Returns a target for each single value that services may decline. */
function valueTargets(spec: Spec, requests: Requests): ValueTarget[] {
  return valuesTargets(spec, requests).flatMap(({ operation, all }) =>
    all.map((declinable) => ({
      operation,
      declinable,
      all,
      requirement: `${sideOf(operation)}-ECHO${declinable.trimmed ? "-DETAILS" : ""}`,
      detail: `declinable ${declinable.detail}`,
    })),
  );
}

/** Returns the rule that a value which services may decline is shown unchanged if it was accepted. */
function shownUnchanged(requests: Requests): Rules {
  const { formerDetail } = requests;
  return historyRule({
    notes: "awkwardValues",
    targets: (spec) => valueTargets(spec, requests),
    title: ({ operation, declinable: { detail, free } }) =>
      `${operation.key} either rejects ${inBrackets(detail)} or ${free ? "accepts it" : "shows it unchanged"}`,
    probes: ({ operation, all, declinable }) => requests.probes(operation, all, declinable),
    check(history, at) {
      const { operation, declinable } = at;
      const tried = sentWith(history, requests, at, declinable);
      const [first] = tried;
      if (!first) return leftOutBySeed(history, operation, declinable.detail);
      const accepted = tried.filter(({ entry }) => isAccepted(entry));
      const what = `${declinable.detail} was answered ${statusOf(first.entry)}`;
      if (accepted.length === 0) return notExercised("declined", what, [first.entry]);
      const entries = accepted.map(({ entry }) => entry);
      return judged(
        accepted.flatMap(({ entry, sent, shown }) => {
          // A service may change a `free` value.
          const values = declinable.free ? {} : { [declinable.name]: valueIn(sent, declinable) };
          return shown ? unshown(history, { operation, sent: values, shown }, [entry]) : [];
        }),
        accepted.filter(({ shown }) => shown).map(({ entry }) => entry),
        notExercised("no-data", "it was accepted, but the answer shows no resource", entries),
      );
    },
    observe: (history, at) =>
      sentWith(history, requests, at, at.declinable).map(({ entry: by }) => ({ by, note: noteOn(at, by) })),
    ...(formerDetail === undefined ? {} : { formerDetails: () => [formerDetail] }),
  });
}

/** Returns the note on whether the value was accepted. */
function noteOn({ operation, declinable }: ValueTarget, by: Entry): Note {
  return {
    requirement: `${sideOf(operation)}-AWKWARD`,
    operation: operation.key,
    behaviour: "awkwardValues",
    ...(operation.kind === "create" ? { field: declinable.name } : {}),
    tried: declinable.detail,
    answer: { status: statusOf(by) ?? 0 },
  };
}

/** Returns the rule that notes which unusual texts an operation rejects. */
function rejectedTexts(requests: Requests): Rules {
  return historyRule({
    requirement: requests.kind === "create" ? "CREATE-AWKWARD" : "UPDATE-AWKWARD",
    targets: (spec) => valuesTargets(spec, requests),
    title: ({ operation }) => `which unusual texts ${operation.key} rejects`,
    probes: ({ operation, all }) => requests.probes(operation, all),
    check(history, at) {
      const tried = at.all.flatMap((each) => sentWith(history, requests, at, each));
      const entries = tried.map(({ entry }) => entry);
      return judged([], entries, notExercised("control-rejected", "no unusual text was sent"));
    },
  });
}

/** Returns the requests with this value, except rejected ones that other unusual values may explain. */
function sentWith(history: History, { sent }: Requests, { operation, all }: ValuesTarget, own: Declinable) {
  const { body = {} } = operation;
  const { schemas } = history.spec;
  const others = all.filter((each) => each !== own);
  const holds = (values: JsonObject, each: Declinable) => {
    const value = valueIn(values, each);
    // The history hides secrets, so only member names are compared.
    const isHidden = schemas.hides(schemas.at(body, `/${each.name}`) ?? {});
    return isHidden && isObject(value) && isObject(each.value)
      ? sameJson(Object.keys(value), Object.keys(each.value))
      : sameJson(value, each.value) || (each.changed !== undefined && sameJson(value, each.changed));
  };
  return sent(history, operation).filter(
    ({ entry, sent: values }) =>
      holds(values, own) && (isAccepted(entry) || !others.some((other) => holds(values, other))),
  );
}

function valueIn(sent: JsonObject, { name, value }: Declinable): unknown {
  const own = sent[name];
  return isObject(value) && isObject(own) ? pick(own, Object.keys(value)) : own;
}
