import { isObject } from "../json.ts";
import type { LegacyDefect as Defect } from "./legacy.ts";

/** Defects of deliveries (row 97). */
export const deliveryDefects: readonly Defect[] = [
  {
    name: "deliveries-without-custom-headers",
    description: "Deliveries lack the custom headers of their webhook.",
    requirement: "DELIVERY-HEADERS",
    row: 97,
    level: "MUST",
    operations: ["POST /webhooks"],
    hooks: {
      deliveries: (deliveries, _service, { webhook }) => {
        const { customHeaders } = webhook.data;
        const dropped = isObject(customHeaders) ? Object.keys(customHeaders) : [];
        return deliveries.map((delivery) => ({
          ...delivery,
          headers: Object.fromEntries(
            Object.entries(delivery.headers).filter(([name]) => !dropped.includes(name)),
          ),
        }));
      },
    },
  },
];
