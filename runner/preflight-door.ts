import type { Answer } from "../client/target.ts";
import type { RequestPlan } from "../generators/request.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Operation } from "../spec/model/spec.ts";

/** An answer, or why there is none. */
export type Asked = Answer | { reason: string; message: string };

/** How the preflight reaches the target. */
export interface Preflight {
  /** Sends a valid read. */
  ask(plan: RequestPlan): Promise<Asked>;
  /** Takes a sentence about something that stands in the way of a few checks only. */
  remark(sentence: string): void;
  /** Sends a read to another base URL or path reading of the same host, without credentials; its status, if any came. */
  elsewhere(plan: RequestPlan, change: { baseUrl?: string; paths?: string }): Promise<number | undefined>;
}

/** The version that a preflight asks under: the one that the user names, or none. */
export function versionToAsk(settings: Settings, operation: Operation): string | null {
  const named = settings.serviceVersion !== "all" && settings.serviceVersion !== "none";
  return named && operation.version ? settings.serviceVersion : null;
}

/** A GET that needs nothing but the usual headers. */
export function isSimpleRead(operation: Operation): boolean {
  return (
    operation.kind === "list" &&
    operation.parameters.every((parameter) => !parameter.required || parameter.role === "space")
  );
}

/** What an answer was, for people. */
export function told(answer: Answer): string {
  return `${answer.plan.operation.key} was answered ${answer.status}`;
}
