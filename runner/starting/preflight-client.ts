import type { Answer } from "../../client/target.ts";
import type { RequestPlan } from "../../generators/request.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";

interface PreflightClient {
  ask(plan: RequestPlan): Promise<Answer | { reason: string; message: string }>;
  remark(sentence: string): void;
  /** Asks without credentials. Returns undefined if nothing answers. */
  statusAt(plan: RequestPlan, change: { baseUrl?: string; paths?: string }): Promise<number | undefined>;
}

/** The service that the preflight asks, with the specification and the settings of the run. */
export interface Service {
  spec: Spec;
  settings: Settings;
  client: PreflightClient;
}

/** Returns the version that the user chose, or null. */
export function versionToAsk(settings: Settings, operation: Operation): string | null {
  const named = settings.serviceVersion !== "all" && settings.serviceVersion !== "none";
  return named && operation.version ? settings.serviceVersion : null;
}

/** True for a list that can be asked for without knowing any value. */
export function isSimpleRead(operation: Operation): boolean {
  return (
    operation.kind === "list" &&
    operation.parameters.every((parameter) => !parameter.required || parameter.role === "space")
  );
}

/** Returns the simple reads that the service offers. */
export function simpleReads({ spec, settings: { notOffered = [] } }: Service): Operation[] {
  return spec.operations.filter(
    (operation) => isSimpleRead(operation) && !notOffered.includes(operation.key),
  );
}

export function describeAnswer(answer: Answer): string {
  return `${answer.plan.operation.key} was answered ${answer.status}`;
}
