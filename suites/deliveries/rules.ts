/** Rules for deliveries (section 6): their headers, and none without a subscription. */

import type { History } from "../../history/history.ts";
import {
  judged,
  notExercised,
  type RuleResult,
  type Violation,
  violationBy,
  withoutFixture,
} from "../../history/result.ts";
import {
  formOf,
  type Received,
  receivedBy,
  type Subscribing,
  type Subscription,
  webhooksOf,
} from "../../history/subscriptions.ts";
import type { Note } from "../../spec/model/note.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type HistoryRule, historyRule, noteRule, suiteOf } from "../shared/history-rule.ts";
import {
  appliedAtEvents,
  isActive,
  isEvent,
  isMisdirected,
  isSetBy,
  isUnasked,
  isUnderLatest,
  settersOf,
  withoutUrlTests,
  wrongHeader,
} from "./applied-settings.ts";
import { deliveries, resubscriptions, subscribeAll } from "./probes.ts";
import { resubscribingUpdates, subscribingCreates } from "./targets.ts";

/** Judges deliveries under settings that `by` made, a create or an update. */
type Judge = (history: History, at: Subscribing, by: Operation) => RuleResult;

/** Returns a rule for creates that subscribe and another for the updates of their webhooks. */
function forCreatesAndUpdates(
  requirement: string,
  titles: { create: string; update(operation: Operation): string },
  judge: Judge,
) {
  return [
    historyRule({
      requirement,
      targets: subscribingCreates,
      title: () => titles.create,
      probes: (at) => [deliveries(at)],
      stage: "finish",
      check: (history, at) => judge(history, at, at.operation),
    }),
    historyRule({
      requirement,
      targets: resubscribingUpdates,
      title: ({ operation }) => titles.update(operation),
      probes: (at) => [resubscriptions(at)],
      stage: "finish",
      check: (history, { made, operation }) => judge(history, made, operation),
    }),
  ];
}

function deliveryViolation(expected: string, actual: string, { possible }: Received): Violation {
  return violationBy("proven", { expected, actual }, ...possible.map(({ setBy }) => setBy));
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

/** Returns the violation that no settings which may apply have this header. */
function wrongHeaders(received: Received): Violation[] {
  const wrong = received.possible.map((subscription) => wrongHeader(received, subscription));
  const [first] = wrong;
  if (!first || wrong.includes(undefined)) return [];
  // Custom headers may be secret, so no value is quoted.
  const actual = first.isAbsent ? "none" : "another value";
  const kind = first.isAbsent ? { difference: "missing" as const } : {};
  return [{ ...deliveryViolation(`the header ${first.name} as it was set`, actual, received), ...kind }];
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
      // A delivery of another form may be a test of the URL.
      .filter((each) => isEvent(each) || forms.has(formOf(each.delivery)))
      .map((each) => deliveryViolation("no delivery", `one of ${formOf(each.delivery)}`, each));
    const quiet = appliedAtEvents(history, at, by, events, ({ active }) => active === false);
    return judged(violations, quiet, nothingDelivered(by === at.operation));
  },
);

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
        return [
          deliveryViolation("the address of the latest update alone", "a delivery to an earlier one", each),
        ];
      const asked = each.possible.flatMap(({ events = [] }) => events).join();
      return isUnasked(each)
        ? [deliveryViolation(`${asked} alone`, `a delivery of ${each.named.join()}`, each)]
        : [];
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

const callbackAddress = noteRule({
  requirement: "DELIVERY-CONTENT",
  notes: "callbackAddress",
  targets: (spec) => subscribingCreates(spec).map((at) => ({ ...at, detail: "subscribed" })),
  title: ({ operation }) => `whether ${operation.key} accepts callback addresses of this run`,
  probes: (at) => [subscribeAll(at)],
  stage: "prepare",
  seen: (history, at) =>
    webhooksOf(history, at)
      .flatMap(({ subscriptions: [first] }) => (typeof first?.mailbox === "string" ? first.setBy : []))
      .slice(0, 1)
      .map((made) => ({ answer: { word: "accepted" }, shownBy: made })),
  unseen: "no address of this run was accepted",
});

/** Notes which names the deliveries show for each behaviour. */
function notesOf(
  history: History,
  at: Subscribing,
  requirement: string,
  behaviours: Partial<Record<Note["behaviour"], (received: Received) => string>>,
): RuleResult {
  const received = withoutUrlTests(history, at);
  if (received.length === 0) return notExercised("no-data", "no delivery arrived");
  const facts = { requirement, operation: at.operation.key };
  const notes = Object.entries(behaviours).map(([behaviour, nameOf]) => {
    const names = [...new Set(received.map(nameOf))].sort();
    return { ...facts, behaviour, answer: { names } } as Note;
  });
  return { outcome: "noted", notes, evidence: settersOf(received).slice(-1) };
}

const content: Pick<HistoryRule<Subscribing>, "targets" | "probes" | "stage"> = {
  targets: subscribingCreates,
  probes: (at) => [deliveries(at)],
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
        const custom = webhook.subscriptions.flatMap(({ headers: set = {} }) => Object.keys(set));
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
