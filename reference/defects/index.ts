import { answerDefects } from "./answers.ts";
import type { Defect } from "./defect.ts";
import type { LegacyDefect } from "./legacy.ts";
import { accessDefects } from "./legacy-access.ts";
import { deliveryDefects } from "./legacy-deliveries.ts";
import { idempotencyDefects } from "./legacy-idempotency.ts";
import { writeDefects } from "./legacy-writes.ts";
import { readingDefects } from "./reading/index.ts";
import { wideDefects } from "./wide/index.ts";
import { writingDefects } from "./writing/index.ts";

const legacy: readonly LegacyDefect[] = [
  ...readingDefects,
  ...accessDefects,
  ...writeDefects,
  ...idempotencyDefects,
  ...deliveryDefects,
  ...writingDefects,
  ...wideDefects,
];

/** Every named defect. */
export const defects: readonly Defect[] = [
  ...answerDefects,
  ...legacy.map(({ name, description, requirement, operations, hooks }) => ({
    name,
    does: description,
    requirements: [requirement],
    operations,
    hooks,
  })),
];
