import type { RequestPlan } from "../generators/request.ts";
import { type ComparedAnswer, unknownPath } from "../history/answers/unknown-paths.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { targetPath } from "../spec/path-readings.ts";
import type { Answer } from "./target.ts";

/** Returns the request at a path that no service has. */
export function onUnknownPath(plan: RequestPlan, settings: Settings, spec: Spec): RequestPlan {
  return { ...plan, pathOverride: targetPath(unknownPath(plan.operation.path), settings.paths, spec) };
}

export function comparedAnswer({ plan, status, text }: Answer): ComparedAnswer {
  return { path: plan.pathOverride ?? plan.operation.path, status, text };
}
