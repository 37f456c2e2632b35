/** Data between vitest's process and its worker. All of it can be cloned. */

import type { CheckResult } from "../../reports/report.ts";
import type { SpecFile } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Execution } from "../loop.ts";

/** Sent by vitest's `provide`. */
export interface RunInput {
  openapi: SpecFile;
  requirements: SpecFile;
  settings: Settings;
  /** A warn fails the vitest test too. */
  strict: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    conformance: RunInput;
  }
  interface TaskMeta {
    conformance?: CheckResult;
    /** Without its results. */
    conformanceRun?: Omit<Execution, "results">;
  }
}
