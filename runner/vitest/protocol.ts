/** What crosses between vitest's own process and its worker. Everything here can be cloned. */

import type { CheckResult } from "../../reports/report.ts";
import type { SpecFile } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Execution } from "../loop.ts";

/** To the worker, by vitest's `provide`. */
export interface RunInput {
  openapi: SpecFile;
  requirements: SpecFile;
  settings: Settings;
  /** Whether a warn fails the vitest test too. */
  strict: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    conformance: RunInput;
  }
  interface TaskMeta {
    /** Of a test: what came of its check. */
    conformance?: CheckResult;
    /** Of the file: what came of the run, results apart. */
    conformanceRun?: Omit<Execution, "results">;
  }
}
