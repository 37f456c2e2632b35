/** Section 9 leaves open if paths begin with `/v1`, so some requests go to the other path. */

import type { RequestPlan } from "../generators/request.ts";
import { type ComparedAnswer, unknownPath } from "../history/answers/unknown-paths.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { targetPath } from "../spec/path-readings.ts";
import type { Answer, Target } from "./target.ts";

/** Returns the request at another reading of its path, such as `/v1/banks` for `/banks`. */
export function onOtherPath({ settings, spec }: Target, plan: RequestPlan, other: string): RequestPlan {
  const { path } = plan.operation;
  return { ...plan, pathOverride: targetPath(path, settings.paths, spec) === other ? path : other };
}

/** Sends the request at the other path, once for all probes. */
export function askOnOtherPath(target: Target, plan: RequestPlan, other: string): Promise<Answer> {
  const request = onOtherPath(target, plan, other);
  const name = JSON.stringify([plan.operation.id, other, plan.version, plan.path]);
  return target.memoize(`other path ${name}`, () => target.send(request));
}

/** Returns the request at a path that no service has. */
export function onUnknownPath(plan: RequestPlan, settings: Settings, spec: Spec): RequestPlan {
  return { ...plan, pathOverride: targetPath(unknownPath(plan.operation.path), settings.paths, spec) };
}

export function comparedAnswer({ plan, status, text }: Answer): ComparedAnswer {
  return { path: plan.pathOverride ?? plan.operation.path, status, text };
}
