import { accessDefects } from "./access.ts";
import { answerDefects } from "./answers.ts";
import { bodyDefects } from "./bodies.ts";
import { createDefects } from "./creates.ts";
import { cursorDefects } from "./cursors.ts";
import type { Defect } from "./defect.ts";
import { deliveryDefects } from "./deliveries.ts";
import { filterDefects } from "./filters.ts";
import { idempotencyDefects } from "./idempotency.ts";
import type { LegacyDefect } from "./legacy.ts";
import { accessDefects as legacyAccess } from "./legacy-access.ts";
import { deliveryDefects as legacyDeliveries } from "./legacy-deliveries.ts";
import { idempotencyDefects as legacyKeys } from "./legacy-idempotency.ts";
import { writeDefects } from "./legacy-writes.ts";
import { listDefects } from "./lists.ts";
import { namedOnlyDefects } from "./named-only.ts";
import { readingDefects } from "./reading/index.ts";
import { readDefects } from "./reads.ts";
import { spaceDefects } from "./spaces.ts";
import { uniquenessDefects } from "./uniqueness.ts";
import { updateDefects } from "./updates.ts";
import { versionDefects } from "./versions.ts";
import { wideDefects } from "./wide/index.ts";
import { writingDefects } from "./writing/index.ts";

const legacy: readonly LegacyDefect[] = [
  ...readingDefects,
  ...legacyAccess,
  ...writeDefects,
  ...legacyKeys,
  ...legacyDeliveries,
  ...writingDefects,
  ...wideDefects,
];

/** Every named defect. */
export const defects: readonly Defect[] = [
  ...answerDefects,
  ...accessDefects,
  ...spaceDefects,
  ...listDefects,
  ...cursorDefects,
  ...filterDefects,
  ...bodyDefects,
  ...createDefects,
  ...idempotencyDefects,
  ...uniquenessDefects,
  ...updateDefects,
  ...readDefects,
  ...versionDefects,
  ...namedOnlyDefects,
  ...deliveryDefects,
  ...legacy.map(({ name, description, requirement, operations, hooks }) => ({
    name,
    does: description,
    requirements: [requirement],
    operations,
    hooks,
  })),
];
