/** What crosses between the command's process and vitest's worker. Everything here can be cloned. */

import type { CheckResult, Coverage, Observation } from "../../reports/report.ts";
import type { SpecFile } from "../../spec/loading/load.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { PlannedCheck } from "../plan.ts";

/** From the command to the worker, by vitest's `provide`. */
export interface RunInput {
  openapi: SpecFile;
  requirements: SpecFile;
  settings: Settings;
  /** Whether a warn fails the vitest test too. */
  strict: boolean;
  /** URL of the module that makes the Engine. */
  engine: string;
  /** Name of the BroadcastChannel on which any message means: end now. */
  channel: string;
}

/** What a Session says after its last check. */
export interface Summary {
  requests: number;
  observations: Observation[];
  coverage: Coverage;
  /** By check id: why the rejections that a check saw prove nothing, as turned out later. */
  unproven?: Record<string, string>;
  /** A profile as the run would have it, when one was asked for: YAML. */
  suggestedProfile?: string;
}

/** What the worker needs of a Session. */
export interface Judge {
  preflight(): Promise<string | null>;
  run(planned: PlannedCheck): Promise<CheckResult>;
  interrupt(): void;
  /** Requests sent so far. */
  readonly requests?: number;
  summary(): Summary;
  close(): Promise<void>;
}

/** The checks to run and who judges them, made in the worker. */
export interface Engine {
  planned: PlannedCheck[];
  session: Judge;
}

/** What a module named by RunInput.engine exports. */
export interface EngineModule {
  createEngine(input: RunInput): Engine;
}

/** From the worker to the command, in the meta of a vitest task. */
export type Message =
  | { kind: "result"; result: CheckResult; requests: number }
  | { kind: "problem"; problem: string }
  | { kind: "summary"; summary: Summary };

declare module "vitest" {
  interface ProvidedContext {
    conformance: RunInput;
  }
  interface TaskMeta {
    conformance?: Message;
  }
}
