/** Deliveries after an update (sections 4.15 and 6): the latest address, events, headers and switch count. */

import { Untestable, Violation } from "../../client/check.ts";
import { lackIn } from "../../spec/model/difference.ts";
import { judges, suiteOf } from "../shared/rule.ts";
import { eventsIn } from "./forms.ts";
import { changed, isUnasked, mustBeDelivered, resubscribing, wrongHeader } from "./resubscriptions.ts";

const scenario = {
  over: resubscribing,
  stage: "finish",
  scenario: changed,
} as const;

export const deliveryUpdates = suiteOf(
  "deliveries",
  judges({
    ...scenario,
    requirement: "DELIVERY-HEADERS",
    title: ({ operation }) => `deliveries have the custom headers that ${operation.key} set`,
    look({ active, headers }) {
      if (active.arrived.length === 0)
        throw new Untestable("not-shown", "nothing was delivered after the update");
      for (const delivery of active.arrived) {
        const [name, value] = wrongHeader(delivery, headers) ?? [];
        if (name !== undefined && value !== undefined)
          throw new Violation(
            `the header ${name}: ${value}, as it was set last`,
            delivery.headers[name.toLowerCase()] ?? "absent",
            [],
            { certain: true, ...lackIn(delivery.headers[name.toLowerCase()]) },
          );
      }
    },
  }),
  judges({
    ...scenario,
    requirement: "DELIVERY-SUBSCRIBED",
    title: ({ operation }) =>
      `after ${operation.key} a webhook gets only the events that it is still subscribed to`,
    look({ active, known, asked }) {
      const wrong = active.arrived.find((delivery) => isUnasked(delivery, known, asked));
      if (wrong)
        throw new Violation(
          `${asked?.join()} only, the events of the latest update`,
          `a delivery of ${eventsIn(wrong, known).join()}`,
          [],
          { certain: true },
        );
      mustBeDelivered(active);
      if (!active.others.some((delivery) => isUnasked(delivery, known, asked)))
        throw new Untestable("not-shown", "no other event is known to have happened after the update");
    },
  }),
  judges({
    ...scenario,
    requirement: "DELIVERY-INACTIVE",
    title: ({ operation }) => `nothing is delivered to a webhook that ${operation.key} made inactive`,
    look({ inactive }) {
      if (inactive.arrived.length > 0)
        throw new Violation(
          "no delivery about something that happened after it became inactive",
          `${inactive.arrived.length}`,
          [],
          {
            certain: true,
          },
        );
      mustBeDelivered(inactive);
    },
  }),
);
