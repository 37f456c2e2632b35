/** Rules for deliveries (section 6): headers, content, and none without a subscription. */

import { type Entry, endOf, header } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import {
  judged,
  notExercised,
  noted,
  type RuleResult,
  type Violation,
  withoutFixture,
} from "../../history/result.ts";
import {
  formOf,
  type Received,
  receivedBy,
  type Subscribing,
  type Subscription,
  type Webhook,
  webhooksOf,
} from "../../history/subscriptions.ts";
import type { Note } from "../../spec/model/note.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type HistoryRule, historyRule } from "../shared/history-rule.ts";
import { suiteOf } from "../shared/suite.ts";
import { isActive, isEvent, isMisdirected, isUnasked, wrongHeader } from "./fits.ts";
import { deliver, resubscribe, subscribeAll } from "./probes.ts";
import { type Resubscribing, resubscribing, subscribing } from "./targets.ts";

/** Judges deliveries under the settings that operation `by` made: the create or an update of the webhook. */
type Judge = (history: History, at: Subscribing, by: Operation) => RuleResult;

function forCreatesAndUpdates(
  requirement: string,
  titles: { create: string; update(operation: Operation): string },
  judge: Judge,
) {
  return [
    historyRule({
      requirement,
      targets: subscribing,
      title: () => titles.create,
      probes: (at) => [deliver(at)],
      stage: "finish",
      check: (history, at) => judge(history, at, at.operation),
    }),
    historyRule<Resubscribing>({
      requirement,
      targets: resubscribing,
      title: ({ operation }) => titles.update(operation),
      probes: (at) => [resubscribe(at)],
      stage: "finish",
      check: (history, { made, operation }) => judge(history, made, operation),
    }),
  ];
}

/** True if `by` made the oldest of the settings that may apply to the delivery. */
function isSetBy({ possible }: Received, by: Operation): boolean {
  return possible[0]?.setBy.operation === by;
}

/** True if `by` made the latest settings, and these apply for sure: the event came later, or no others may apply. */
function isUnderLatest({ possible, causedBy }: Received, by: Operation): boolean {
  const latest = possible.at(-1)?.setBy;
  if (latest?.operation !== by) return false;
  return possible.length === 1 || (causedBy?.begun ?? -1) > latest.ended;
}

function violation(expected: string, actual: string, { possible }: Received): Violation {
  const shownBy = possible.map(({ setBy }) => ({ entry: setBy }));
  return { certainty: "proven", expected, actual, shownBy };
}

function settersOf(received: readonly Received[]): Entry[] {
  return received.flatMap(({ possible }) => possible.slice(-1).map(({ setBy }) => setBy));
}

const headers = forCreatesAndUpdates(
  "DELIVERY-HEADERS",
  {
    create: "the custom headers of a webhook are on each delivery",
    update: ({ key }) => `deliveries have the custom headers that ${key} set`,
  },
  (history, at, by) => {
    const counted = withoutUrlTests(history, at);
    const violations = counted.filter((each) => isSetBy(each, by)).flatMap(wrongHeaders);
    const fine = counted.filter((each) => {
      const latest = each.possible.at(-1);
      return latest && isUnderLatest(each, by) && wrongHeader(each, latest) === undefined;
    });
    const others = "no delivery is known to be about something that happened after the headers were set";
    return judged(violations, settersOf(fine), notExercised("not-shown", others));
  },
);

function wrongHeaders(received: Received): Violation[] {
  const wrong = received.possible.map((subscription) => wrongHeader(received, subscription));
  const [first] = wrong;
  if (!first || wrong.includes(undefined)) return [];
  // The message does not quote the value, because custom headers may be secret.
  const actual = first.isAbsent ? "none" : "another value";
  const kind = first.isAbsent ? { difference: "missing" as const } : {};
  return [{ ...violation(`the header ${first.name} as it was set`, actual, received), ...kind }];
}

/**
 * Returns the deliveries that are no test of the URL. Such a test names no event, has no custom header, and follows
 * a write to the webhook.
 */
function withoutUrlTests(history: History, at: Subscribing): Received[] {
  const all = receivedBy(history, at).filter(({ possible }) => possible.some(isActive));
  return all.filter((each) => {
    const { delivery, webhook } = each;
    const names = webhook.subscriptions.flatMap(({ headers: custom }) => Object.keys(custom ?? {}));
    if (isEvent(each) || names.some((name) => header(delivery.headers, name) !== undefined)) return true;
    return !all.some((other) => other.webhook === webhook && isEvent(other)) && isLate(history, each);
  });
}

/** True if a request that may have caused the delivery began a consistency timeout or more after the last settings. */
function isLate({ entries, head }: History, { delivery, webhook }: Received): boolean {
  const last = webhook.subscriptions.findLast(({ setBy }) => setBy.begun < delivery.at)?.setBy;
  return entries.some(
    ({ startedAt, ended }) =>
      last !== undefined && ended < delivery.at && startedAt - endOf(last) >= head.consistencyTimeoutMs,
  );
}

const inactive = forCreatesAndUpdates(
  "DELIVERY-INACTIVE",
  {
    create: "nothing is delivered to an inactive webhook",
    update: ({ key }) => `nothing is delivered to a webhook that ${key} made inactive`,
  },
  (history, at, by) => {
    const all = receivedBy(history, at);
    const events = all.filter((each) => isEvent(each) && each.possible.some(isActive));
    const forms = new Set(events.map(({ delivery }) => formOf(delivery)));
    const violations = all
      .filter((each) => isSetBy(each, by) && !each.possible.some(isActive))
      // A delivery in another form may be a test of the URL.
      .filter((each) => isEvent(each) || forms.has(formOf(each.delivery)))
      .map((each) => violation("no delivery", `one of ${formOf(each.delivery)}`, each));
    const quiet = appliedAtEvents(history, at, by, events, ({ active }) => active === false);
    return judged(violations, quiet, nothingDelivered(by === at.operation));
  },
);

/** Returns writes by `by` whose settings applied when another webhook got an event that `isMeant` selects. */
function appliedAtEvents(
  history: History,
  at: Subscribing,
  by: Operation,
  events: readonly Received[],
  isMeant: (subscription: Subscription, event: Received) => boolean,
): Entry[] {
  return webhooksOf(history, at).flatMap((webhook: Webhook) =>
    webhook.subscriptions.flatMap((each, index) => {
      const next = webhook.subscriptions[index + 1]?.setBy.begun ?? Number.POSITIVE_INFINITY;
      const isUnder = ({ delivery, causedBy, webhook: other }: Received) => {
        // A late delivery may be about an event before the update, so the time of its cause counts.
        const happened = by === at.operation ? delivery.at : (causedBy?.begun ?? -1);
        return other.id !== webhook.id && happened > each.setBy.ended && happened < next;
      };
      const isShown = events.some((event) => isUnder(event) && isMeant(each, event));
      return each.setBy.operation === by && typeof each.mailbox === "string" && isShown ? [each.setBy] : [];
    }),
  );
}

function nothingDelivered(isOfCreate: boolean): RuleResult {
  return notExercised(
    "not-shown",
    isOfCreate
      ? "no delivery arrived; the specification does not say what causes one"
      : "no delivery is known to be about something that happened after the update",
  );
}

const subscribed = forCreatesAndUpdates(
  "DELIVERY-SUBSCRIBED",
  {
    create: "a webhook gets only events that it is subscribed to",
    update: ({ key }) => `after ${key} a webhook gets only the events that it is still subscribed to`,
  },
  (history, at, by) => {
    const all = receivedBy(history, at);
    const judgedHere = all.filter((each) => isSetBy(each, by) && isEvent(each));
    const violations = judgedHere.flatMap((each) => {
      if (isMisdirected(each))
        return [violation("the address of the latest update alone", "a delivery to an earlier one", each)];
      const asked = each.possible.flatMap(({ events = [] }) => events).join();
      return isUnasked(each) ? [violation(`${asked} alone`, `a delivery of ${each.named.join()}`, each)] : [];
    });
    const events = all.filter(({ named }) => named.length > 0);
    const isOther = ({ events: asked, active }: Subscription, { named }: Received) =>
      active !== false && asked !== undefined && !named.some((name) => asked.includes(name));
    return judged(violations, appliedAtEvents(history, at, by, events, isOther), () => {
      const asked = webhooksOf(history, at).flatMap(({ subscriptions }) => subscriptions);
      if (new Set(asked.flatMap((each) => each.events ?? [])).size < 2)
        return withoutFixture("eventNames=A,B", "give two names or more as --fixture eventNames=A,B");
      if (events.length === 0) return nothingDelivered(by === at.operation);
      return notExercised("not-shown", "no delivery names an event that another webhook did not ask for");
    });
  },
);

const callbackAddress = historyRule({
  requirement: "DELIVERY-CONTENT",
  targets: (spec) => subscribing(spec).map((at) => ({ ...at, detail: "subscribed" })),
  title: ({ operation }) => `whether ${operation.key} accepts callback addresses of this run`,
  probes: (at) => [subscribeAll(at)],
  stage: "prepare",
  check(history, at) {
    const [made] = webhooksOf(history, at).flatMap(({ subscriptions: [first] }) =>
      typeof first?.mailbox === "string" ? first.setBy : [],
    );
    const note: Note = {
      requirement: "DELIVERY-CONTENT",
      operation: at.operation.key,
      behaviour: "callbackAddress",
      answer: { word: "accepted" },
    };
    return noted(made ? [note] : [], made ? [made] : [], "no address of this run was accepted");
  },
});

function notesOf(
  history: History,
  at: Subscribing,
  requirement: string,
  behaviours: Partial<Record<Note["behaviour"], (received: Received) => string>>,
): RuleResult {
  const received = withoutUrlTests(history, at);
  const facts = { requirement, operation: at.operation.key };
  const notes = Object.entries(behaviours).map(([behaviour, of]) => {
    const names = [...new Set(received.map(of))].sort();
    return { ...facts, behaviour, answer: { names } } as Note;
  });
  return noted(received.length > 0 ? notes : [], settersOf(received), "no delivery arrived");
}

const content: Pick<HistoryRule<Subscribing>, "targets" | "probes" | "stage"> = {
  targets: subscribing,
  probes: (at) => [deliver(at)],
  stage: "finish",
};

const contents = historyRule({
  ...content,
  requirement: "DELIVERY-CONTENT",
  title: () => "the content of a delivery",
  check: (history, at) =>
    notesOf(history, at, "DELIVERY-CONTENT", {
      deliveryMethod: ({ delivery }) => delivery.method,
      deliveryHeaders: ({ delivery, webhook }) => {
        const custom = webhook.subscriptions.flatMap((each) => Object.keys(each.headers ?? {}));
        const own = new Set(custom.map((name) => name.toLowerCase()));
        const names = delivery.headers.map(([name]) => name).filter((name) => !own.has(name));
        return names.sort().join(" ");
      },
      deliveryBody: ({ delivery }) => formOf(delivery),
    }),
});

const signature = historyRule({
  ...content,
  requirement: "DELIVERY-SIGNATURE",
  notes: "deliverySignature",
  title: () => "whether a header of a delivery is the HMAC-SHA256 of its body",
  check: (history, at) =>
    notesOf(history, at, "DELIVERY-SIGNATURE", {
      deliverySignature: ({ delivery }) => delivery.signedIn ?? "",
    }),
});

export const deliveryRules = suiteOf(
  "deliveries",
  callbackAddress,
  ...headers,
  ...inactive,
  ...subscribed,
  contents,
  signature,
);
