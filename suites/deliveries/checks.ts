/** Deliveries (section 6): their content, and that none arrives without a subscription. */

import { Untestable, Violation } from "../../client/check.ts";
import type { Delivery } from "../../client/target.ts";
import { lackIn } from "../../spec/model/difference.ts";
import { judges, rule, type ScenarioRule, suiteOf } from "../shared/rule.ts";
import { bodyForm, eventsIn, signedIn } from "./forms.ts";
import {
  type Delivered,
  delivered,
  type Subscribing,
  subscribe,
  subscribing,
  tells,
} from "./subscriptions.ts";

const scenario = {
  over: subscribing,
  stage: "finish",
  scenario: delivered,
} as const satisfies Partial<ScenarioRule<Subscribing, Delivered>>;

export const deliveryChecks = suiteOf(
  "deliveries",
  rule({
    requirement: "DELIVERY-CONTENT",
    over: (spec) => subscribing(spec).map((at) => ({ ...at, detail: "subscribed" })),
    title: ({ operation }) => `whether ${operation.key} accepts callback addresses of this run`,
    stage: "prepare",
    async run(call, at) {
      await subscribe(call, at);
      call.note("DELIVERY-CONTENT", "callbackAddress", { word: "accepted" });
    },
  }),
  judges({
    ...scenario,
    requirement: "DELIVERY-HEADERS",
    title: () => "the custom headers of a webhook are on each delivery",
    look(subscriptions) {
      const { deliveries, single, headers } = subscriptions;
      const others = single?.mailbox.arrived.filter((delivery) => tells(delivery, subscriptions)) ?? [];
      for (const delivery of [...deliveries, ...others]) {
        for (const [name, value] of Object.entries(headers)) {
          const actual = delivery.headers[name.toLowerCase()];
          // Values of custom headers may be secret.
          const instead = actual === undefined ? "none" : "another value";
          if (actual !== value)
            throw new Violation(`the header ${name} as it was sent`, instead, [], {
              certain: true,
              ...lackIn(actual),
            });
        }
      }
    },
  }),
  judges({
    ...scenario,
    requirement: "DELIVERY-INACTIVE",
    title: () => "nothing is delivered to an inactive webhook",
    look({ deliveries, inactive }) {
      const forms = new Set(deliveries.map(({ body }) => bodyForm(body)));
      // A delivery in another form may be a test of the address.
      const [wrong] = inactive.mailbox.arrived.filter(({ body }) => forms.has(bodyForm(body)));
      if (wrong) throw new Violation("no delivery", `one of ${bodyForm(wrong.body)}`, [], { certain: true });
    },
  }),
  judges({
    ...scenario,
    requirement: "DELIVERY-SUBSCRIBED",
    title: () => "a webhook gets only events that it is subscribed to",
    look({ deliveries, single, known }) {
      if (!single && known.length >= 2)
        throw new Untestable("declined", "no second active webhook was accepted");
      if (!single) throw new Untestable("no-fixture", "give two names or more as --fixture eventNames=A,B");
      const asked = new Set(single.events);
      const others = deliveries.flatMap((delivery) => eventsIn(delivery, known));
      for (const delivery of single.mailbox.arrived) {
        const named = eventsIn(delivery, known);
        if (named.length > 0 && !named.some((name) => asked.has(name)))
          throw new Violation(`${[...asked].join()} alone`, `a delivery of ${named.join()}`, [], {
            certain: true,
          });
      }
      if (others.every((name) => asked.has(name)))
        throw new Untestable(
          "not-shown",
          "no delivery names an event that the other webhook is not subscribed to",
        );
    },
  }),
  judges({
    ...scenario,
    requirement: "DELIVERY-CONTENT",
    title: () => "the content of a delivery",
    look({ deliveries, headers }, _, call) {
      const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
      const say = (
        practice: "deliveryMethod" | "deliveryHeaders" | "deliveryBody",
        of: (delivery: Delivery) => string,
      ) => {
        const names = [...new Set(deliveries.map(of))].sort();
        call.note("DELIVERY-CONTENT", practice, { names });
      };
      say("deliveryMethod", ({ method }) => method);
      say("deliveryHeaders", (delivery) =>
        Object.keys(delivery.headers)
          .filter((name) => !own.has(name))
          .sort()
          .join(" "),
      );
      say("deliveryBody", ({ body }) => bodyForm(body));
    },
  }),
  judges({
    ...scenario,
    requirement: "DELIVERY-SIGNATURE",
    notes: "deliverySignature",
    title: () => "whether a header of a delivery is the HMAC-SHA256 of its body",
    look({ deliveries, secret }, _, call) {
      const names = [...new Set(deliveries.map((delivery) => signedIn(delivery, secret) ?? ""))].sort();
      call.note("DELIVERY-SIGNATURE", "deliverySignature", { names });
    },
  }),
);
