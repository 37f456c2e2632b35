/** The two readings of section 9: the path of an operation with and without the prefix. One of them is under test. */

import type { RequestPlan } from "../generators/request.ts";
import { targetPath } from "./sending/wire.ts";
import type { Target } from "./target.ts";

/** `plan` on the path that is not under test: `other`, or the documented one. */
export function onOtherPath({ settings, spec }: Target, plan: RequestPlan, other: string): RequestPlan {
  const { path } = plan.operation;
  return { ...plan, pathOverride: targetPath(path, settings.paths, spec) === other ? path : other };
}
