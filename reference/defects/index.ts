import { accessDefects } from "./access.ts";
import type { Defect } from "./defect.ts";
import { deliveryDefects } from "./deliveries.ts";
import { idempotencyDefects } from "./idempotency.ts";
import { listDefects } from "./lists.ts";
import { resourceDefects } from "./resources.ts";
import { responseDefects } from "./responses.ts";
import { versionDefects } from "./versions.ts";
import { writeDefects } from "./writes.ts";
import { writingDefects } from "./writing/index.ts";

/** Every named defect. */
export const defects: readonly Defect[] = [
  ...responseDefects,
  ...resourceDefects,
  ...accessDefects,
  ...listDefects,
  ...writeDefects,
  ...idempotencyDefects,
  ...versionDefects,
  ...deliveryDefects,
  ...writingDefects,
];
