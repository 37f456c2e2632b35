import { absenceVariants } from "./absences.ts";
import { accessVariants } from "./access.ts";
import { activityVariants } from "./activity.ts";
import { callbackVariants } from "./callbacks.ts";
import { contentVariants } from "./contents.ts";
import { countingVariants } from "./counting.ts";
import { createVariants } from "./creates.ts";
import { cursorVariants } from "./cursors.ts";
import { frameworkVariants } from "./frameworks.ts";
import { gatewayVariants } from "./gateways.ts";
import { idempotencyVariants } from "./idempotency.ts";
import { identifierVariants } from "./identifiers.ts";
import { jsonTextVariants } from "./json-text.ts";
import { kitchenSinks } from "./kitchen-sinks.ts";
import { listVariants } from "./lists.ts";
import { quotaVariants } from "./quotas.ts";
import { rejectionVariants } from "./rejections.ts";
import { responseVariants } from "./responses.ts";
import { routeVariants } from "./routes.ts";
import { sizeVariants } from "./sizes.ts";
import { timeVariants } from "./times.ts";
import { transportVariants } from "./transport.ts";
import { updateVariants } from "./updates.ts";
import type { Variant } from "./variant.ts";

const parts: readonly Variant[] = [
  ...responseVariants,
  ...jsonTextVariants,
  ...transportVariants,
  ...rejectionVariants,
  ...accessVariants,
  ...routeVariants,
  ...listVariants,
  ...cursorVariants,
  ...timeVariants,
  ...identifierVariants,
  ...contentVariants,
  ...absenceVariants,
  ...sizeVariants,
  ...countingVariants,
  ...createVariants,
  ...idempotencyVariants,
  ...updateVariants,
  ...activityVariants,
  ...gatewayVariants,
  ...quotaVariants,
  ...frameworkVariants,
  ...callbackVariants,
];

/** Every named conforming variant. */
export const variants: readonly Variant[] = [...parts, ...kitchenSinks(parts)];
