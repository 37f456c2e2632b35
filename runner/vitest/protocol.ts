import type { CheckResult } from "../../reports/report.ts";
import type { SpecFile } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Execution } from "../loop.ts";

export interface RunInput {
  openapi: SpecFile;
  requirements: SpecFile;
  settings: Settings;
  strict: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    conformance: RunInput;
  }
  interface TaskMeta {
    conformance?: CheckResult;
    conformanceRun?: Omit<Execution, "results">;
  }
}
