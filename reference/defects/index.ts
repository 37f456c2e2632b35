import { acceptanceDefects } from "./acceptance.ts";
import { accessDefects } from "./access.ts";
import { answerDefects } from "./answers.ts";
import { bodyDefects } from "./bodies.ts";
import { contentDefects } from "./contents.ts";
import { crashDefects } from "./crashes.ts";
import { createDefects } from "./creates.ts";
import { cursorDefects } from "./cursors.ts";
import type { Defect } from "./defect.ts";
import { deliveryDefects } from "./deliveries.ts";
import { echoDefects } from "./echoes.ts";
import { filterDefects } from "./filters.ts";
import { idempotencyDefects } from "./idempotency.ts";
import { keepDefects } from "./keeps.ts";
import { listDefects } from "./lists.ts";
import { outsiderDefects } from "./outsiders.ts";
import { readDefects } from "./reads.ts";
import { relationDefects } from "./relations.ts";
import { spaceDefects } from "./spaces.ts";
import { undocumentedDefects } from "./undocumented.ts";
import { uniquenessDefects } from "./uniqueness.ts";
import { updateDefects } from "./updates.ts";
import { versionDefects } from "./versions.ts";

export const defects: readonly Defect[] = [
  ...answerDefects,
  ...crashDefects,
  ...relationDefects,
  ...contentDefects,
  ...accessDefects,
  ...spaceDefects,
  ...listDefects,
  ...cursorDefects,
  ...filterDefects,
  ...readDefects,
  ...acceptanceDefects,
  ...echoDefects,
  ...createDefects,
  ...bodyDefects,
  ...idempotencyDefects,
  ...uniquenessDefects,
  ...updateDefects,
  ...keepDefects,
  ...versionDefects,
  ...undocumentedDefects,
  ...deliveryDefects,
  ...outsiderDefects,
];
