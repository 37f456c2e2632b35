import type { LegacyDefect as Defect } from "../legacy.ts";
import { cancelDefects } from "./cancel.ts";
import { createAcceptanceDefects } from "./create-acceptance.ts";
import { createEffectDefects } from "./create-effects.ts";
import { createFormDefects } from "./create-forms.ts";
import { createLimitDefects } from "./create-limits.ts";
import { createTypeDefects } from "./create-types.ts";
import { echoDefects } from "./echo.ts";
import { keyDefects } from "./keys.ts";
import { uniquenessDefects } from "./uniqueness.ts";
import { updateAcceptanceDefects } from "./update-acceptance.ts";
import { updateEffectDefects } from "./update-effects.ts";
import { updateKeepsDefects } from "./update-keeps.ts";
import { updateLimitDefects } from "./update-limits.ts";
import { updateTypeDefects } from "./update-types.ts";
import { writeAccessDefects } from "./write-access.ts";
import { writeDeliveryDefects } from "./write-deliveries.ts";
import { writeFaultDefects } from "./write-faults.ts";
import { writeFieldDefects } from "./write-fields.ts";
import { writeResponseDefects } from "./write-responses.ts";
import { writeSpaceDefects } from "./write-spaces.ts";
import { writeVersionDefects } from "./write-versions.ts";

/** Defects of creates and updates, by area. */
export const writingDefects: readonly Defect[] = [
  ...writeResponseDefects,
  ...writeFaultDefects,
  ...writeFieldDefects,
  ...writeAccessDefects,
  ...writeSpaceDefects,
  ...createAcceptanceDefects,
  ...createLimitDefects,
  ...createTypeDefects,
  ...createFormDefects,
  ...echoDefects,
  ...uniquenessDefects,
  ...keyDefects,
  ...createEffectDefects,
  ...updateAcceptanceDefects,
  ...updateLimitDefects,
  ...updateTypeDefects,
  ...updateEffectDefects,
  ...cancelDefects,
  ...updateKeepsDefects,
  ...writeVersionDefects,
  ...writeDeliveryDefects,
];
