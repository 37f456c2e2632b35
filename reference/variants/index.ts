import { absenceVariants } from "./absences.ts";
import { accessVariants } from "./access.ts";
import { activityVariants } from "./activity.ts";
import { callbackVariants, deliveryVariants } from "./callbacks.ts";
import { combinationNamed, combinations } from "./combinations.ts";
import { contentVariants } from "./contents.ts";
import { countingVariants } from "./counting.ts";
import { createVariants } from "./creates.ts";
import { cursorVariants } from "./cursors.ts";
import { errorVariants } from "./errors.ts";
import { frameworkVariants } from "./frameworks.ts";
import { gatewayVariants } from "./gateways.ts";
import { habitVariants } from "./habits.ts";
import { idempotencyVariants } from "./idempotency.ts";
import { identifierVariants } from "./identifiers.ts";
import { ingressVariants } from "./ingress.ts";
import { jsonTextVariants } from "./json-text.ts";
import { keepingVariants } from "./keeping.ts";
import { kitchenSinks } from "./kitchen-sinks.ts";
import { limitVariants } from "./limits.ts";
import { listVariants } from "./lists.ts";
import { lossVariants } from "./losses.ts";
import { outageVariants } from "./outages.ts";
import { quotaVariants } from "./quotas.ts";
import { recordVariants } from "./records.ts";
import { rejectionVariants } from "./rejections.ts";
import { replicaVariants } from "./replicas.ts";
import { responseVariants } from "./responses.ts";
import { routeVariants } from "./routes.ts";
import { sizeVariants } from "./sizes.ts";
import { timeVariants } from "./times.ts";
import { transportVariants } from "./transport.ts";
import { updateLimitVariants } from "./update-limits.ts";
import { updateVariants } from "./updates.ts";
import type { Variant } from "./variant.ts";
import { volatileVariants } from "./volatile.ts";

/** A combination has at most one variant of each chapter. */
const CHAPTERS: readonly (readonly Variant[])[] = [
  responseVariants,
  jsonTextVariants,
  transportVariants,
  rejectionVariants,
  accessVariants,
  routeVariants,
  listVariants,
  cursorVariants,
  timeVariants,
  identifierVariants,
  contentVariants,
  absenceVariants,
  countingVariants,
  createVariants,
  idempotencyVariants,
  updateVariants,
  activityVariants,
  gatewayVariants,
  quotaVariants,
  frameworkVariants,
  callbackVariants,
];

/** More variants would change all combinations, so these are in none. */
const UNCOMBINED: readonly Variant[] = [
  ...limitVariants,
  ...updateLimitVariants,
  ...errorVariants,
  ...recordVariants,
  ...volatileVariants,
  ...lossVariants,
  ...deliveryVariants,
  ...replicaVariants,
  ...outageVariants,
  ...habitVariants,
  ...ingressVariants,
  ...keepingVariants,
];

const parts: readonly Variant[] = [...CHAPTERS.flat(), ...sizeVariants, ...UNCOMBINED];

export const variants: readonly Variant[] = [...parts, ...kitchenSinks(parts)];

export function variantCombinations(count: number): readonly Variant[] {
  return combinations(CHAPTERS, count);
}

export function variantNamed(name: string): Variant | undefined {
  return variants.find((variant) => variant.name === name) ?? combinationNamed(CHAPTERS, name);
}
