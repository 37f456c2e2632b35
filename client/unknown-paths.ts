/** Compares an answer with the answer on a path that no operation has. */

import type { RequestPlan } from "../generators/request.ts";
import type { Answer } from "./target.ts";

export const UNKNOWN = "conformance-unknown";

/** The request on a similar path that no operation has. */
export function onUnknownPath(plan: RequestPlan): RequestPlan {
  const { operation } = plan;
  const path = operation.path.replace(/[a-z][a-z-]{2,}/, UNKNOWN);
  return { ...plan, operation: { ...operation, path } };
}

/** True if status and text are the same, except for paths and ids in the text. */
export function isAnsweredAlike(one: Answer, other: Answer): boolean {
  return one.status === other.status && textOf(one) === textOf(other);
}

function textOf({ text, plan }: Answer): string {
  const words = plan.operation.path.split("/").filter((word) => word.length > 2 && !word.startsWith("{"));
  const bare = words.reduce((rest, word) => rest.replaceAll(word, ""), text);
  return bare.replace(/[0-9a-f-]{8,}|\d+/gi, "#");
}
