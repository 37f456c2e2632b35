/** Notes callback addresses and the form of deliveries, which the specification leaves open. */

import type { History } from "../../history/history.ts";
import { notExercised, type RuleResult } from "../../history/result.ts";
import { formOf, type Received, type Subscribing, webhooksOf } from "../../history/subscriptions.ts";
import type { Note } from "../../spec/model/note.ts";
import { type HistoryRule, historyRule } from "../shared/history-rule.ts";
import { noteRule } from "../shared/note-rule.ts";
import { settersOf, withoutUrlTests } from "./applied-settings.ts";
import { deliveries, subscribeAll } from "./probes.ts";
import { subscribingCreates } from "./targets.ts";

export const callbackAddress = noteRule({
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

export const contents = historyRule({
  ...content,
  requirement: "DELIVERY-CONTENT",
  title: () => "the content of a delivery",
  check: (history, at) =>
    notesOf(history, at, "DELIVERY-CONTENT", {
      deliveryMethod: ({ delivery }) => delivery.method,
      deliveryHeaders: ({ delivery, webhook }) => {
        const custom = webhook.subscriptions.flatMap((subscription) =>
          Object.keys(subscription.headers ?? {}),
        );
        const own = new Set(custom.map((name) => name.toLowerCase()));
        const names = delivery.headers.map(([name]) => name).filter((name) => !own.has(name));
        return names.sort().join(" ");
      },
      deliveryBody: ({ delivery }) => formOf(delivery),
    }),
});

export const signature = historyRule({
  ...content,
  requirement: "DELIVERY-SIGNATURE",
  notes: "deliverySignature",
  title: () => "whether a header of a delivery is the HMAC-SHA256 of its body",
  check: (history, at) =>
    notesOf(history, at, "DELIVERY-SIGNATURE", {
      deliverySignature: ({ delivery }) => delivery.signedIn ?? "",
    }),
});
