import { accessDefects } from "./access.ts";
import type { Defect } from "./defect.ts";
import { deliveryDefects } from "./deliveries.ts";
import { idempotencyDefects } from "./idempotency.ts";
import { readingDefects } from "./reading/index.ts";
import { wideDefects } from "./wide/index.ts";
import { writeDefects } from "./writes.ts";
import { writingDefects } from "./writing/index.ts";

/** Every named defect. */
export const defects: readonly Defect[] = [
  ...readingDefects,
  ...accessDefects,
  ...writeDefects,
  ...idempotencyDefects,
  ...deliveryDefects,
  ...writingDefects,
  ...wideDefects,
];
