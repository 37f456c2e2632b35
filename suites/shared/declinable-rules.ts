/** Rules for values that a service may reject: if it accepts such a value, it must show it unchanged. */

import type { Probe } from "../../client/target.ts";
import { type Entry, isAccepted, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { judged, notExercised } from "../../history/result.ts";
import { leftOutBySeed } from "../../history/served.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { pick } from "../updates/updating.ts";
import { type Declinable, declinableValues, inBrackets } from "./echo.ts";
import { historyRule, type RuleTarget } from "./history-rule.ts";
import { unshown } from "./sent-values.ts";
import { operationsWithBody, type Rules } from "./suite.ts";

interface Sent {
  entry: Entry;
  sent: JsonObject;
  shown: JsonObject | undefined;
}

interface Side {
  kind: "create" | "update";
  sent(history: History, operation: Operation): Sent[];
  probes(operation: Operation, all: Declinable[], own?: Declinable): Probe[];
  formerDetail?: string;
}

interface DeclinableTarget extends RuleTarget {
  declinable: Declinable;
  all: Declinable[];
  requirement: string;
}

export function declinableRules({ kind, sent, probes, formerDetail }: Side): Rules[] {
  const side = kind === "create" ? "CREATE" : "UPDATE";
  const requirement = `${side}-AWKWARD`;
  const shown = historyRule<DeclinableTarget>({
    notes: "awkwardValues",
    targets: (spec) =>
      operationsWithBody(spec, kind).flatMap((operation) => {
        const all = declinableValues(spec, operation.body ?? {});
        return all.map((declinable) => ({
          operation,
          declinable,
          all,
          requirement: declinable.trimmed ? `${side}-ECHO-DETAILS` : `${side}-ECHO`,
          detail: `declinable ${declinable.detail}`,
        }));
      }),
    title: ({ operation, declinable: { detail, free } }) =>
      `${operation.key} either rejects ${inBrackets(detail)} or ${free ? "accepts it" : "shows it unchanged"}`,
    probes: ({ operation, all, declinable }) => probes(operation, all, declinable),
    writes: true,
    check(history, { operation, declinable, all }) {
      const { detail, name, free } = declinable;
      const tried = sentWith(history, operation, sent(history, operation), declinable, all);
      const [first] = tried;
      if (!first) return leftOutBySeed(history, operation, detail);
      const accepted = tried.filter(({ entry }) => isAccepted(entry));
      if (accepted.length === 0)
        return notExercised("declined", `${detail} was answered ${statusOf(first.entry)}`, [first.entry]);
      const made = accepted.flatMap((each) => (each.shown ? [{ ...each, shown: each.shown }] : []));
      return judged(
        made.flatMap((each) => {
          const values = free ? {} : { [name]: valueIn(each.sent, declinable) };
          return unshown(history, { operation, sent: values, shown: each.shown }, [each.entry]);
        }),
        made.map(({ entry }) => entry),
        notExercised(
          "no-data",
          "it was accepted, and shows nothing",
          accepted.map(({ entry }) => entry),
        ),
      );
    },
    observe: (history, { operation, declinable, all }) =>
      sentWith(history, operation, sent(history, operation), declinable, all).map(({ entry: by }) => ({
        by,
        note: {
          requirement,
          operation: operation.key,
          behaviour: "awkwardValues",
          ...(kind === "create" ? { field: declinable.name } : {}),
          tried: declinable.detail,
          answer: { status: statusOf(by) ?? 0 },
        },
      })),
    ...(formerDetail === undefined ? {} : { formerDetails: () => [formerDetail] }),
  });
  const declined = historyRule({
    requirement,
    targets: (spec) =>
      operationsWithBody(spec, kind).flatMap((operation) => {
        const all = declinableValues(spec, operation.body ?? {});
        return all.length > 0 ? [{ operation, all }] : [];
      }),
    title: ({ operation }) => `which unusual texts ${operation.key} rejects`,
    probes: ({ operation, all }) => probes(operation, all),
    writes: true,
    check(history, { operation, all }) {
      const tried = all.flatMap((each) =>
        sentWith(history, operation, sent(history, operation), each, all).map(({ entry }) => entry),
      );
      return judged([], tried, notExercised("control-rejected", "no unusual text was sent"));
    },
  });
  return [shown, declined];
}

function sentWith(
  { spec: { schemas } }: History,
  { body = {} }: Operation,
  sent: readonly Sent[],
  own: Declinable,
  all: readonly Declinable[],
): Sent[] {
  const others = all.filter((each) => each !== own);
  const holds = (values: JsonObject, each: Declinable) => {
    const value = valueIn(values, each);
    // The history redacts hidden values, but keeps their names.
    const isHidden = schemas.hides(schemas.at(body, `/${each.name}`) ?? {});
    return isHidden && isObject(value) && isObject(each.value)
      ? sameJson(Object.keys(value), Object.keys(each.value))
      : sameJson(value, each.value);
  };
  return sent.filter(
    ({ entry, sent: values }) =>
      holds(values, own) && (isAccepted(entry) || !others.some((other) => holds(values, other))),
  );
}

function valueIn(sent: JsonObject, { name, value }: Declinable): unknown {
  const own = sent[name];
  return isObject(value) && isObject(own) ? pick(own, new Set(Object.keys(value))) : own;
}
