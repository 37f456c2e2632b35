import { type Delivery, SIGNATURE_HEADER } from "../../deliveries.ts";
import type { Hooks } from "../../hooks.ts";
import { isObject } from "../../json.ts";
import { WEBHOOK } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const must = { requirement: "DELIVERY-HEADERS", row: 97, level: "MUST", operations: WEBHOOK } as const;

/** Leaves out the custom headers that `isLost` names by their place. */
function headersLost(isLost: (index: number, delivery: Delivery) => boolean): Hooks {
  return {
    deliveries: (deliveries, _service, { webhook }) => {
      const { customHeaders } = webhook.data;
      const custom = isObject(customHeaders) ? Object.keys(customHeaders) : [];
      return deliveries.map((delivery) => {
        const lost = custom.filter((_, index) => isLost(index, delivery));
        const kept = Object.entries(delivery.headers).filter(([name]) => !lost.includes(name));
        return { ...delivery, headers: Object.fromEntries(kept) };
      });
    },
  };
}

/** Defects of the headers of deliveries (row 97). */
export const writeDeliveryDefects: readonly Defect[] = [
  {
    ...must,
    name: "deliveries-with-first-custom-header-only",
    description: "Of several custom headers only the first is on deliveries.",
    hooks: headersLost((index) => index > 0),
  },
  {
    ...must,
    name: "signed-deliveries-without-custom-headers",
    description: "Deliveries that are signed lack the custom headers.",
    hooks: headersLost((_, { headers }) => headers[SIGNATURE_HEADER] !== undefined),
  },
];
