/** Section 9 leaves open if paths begin with `/v1`, so some requests go to the other path. */

import type { RequestPlan } from "../generators/request.ts";
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
