/** Section 9 can be read as paths with or without `/v1`. A request can use either form. */

import type { RequestPlan } from "../generators/request.ts";
import { targetPath } from "./sending/wire.ts";
import type { Target } from "./target.ts";

export function onOtherPath({ settings, spec }: Target, plan: RequestPlan, other: string): RequestPlan {
  const { path } = plan.operation;
  return { ...plan, pathOverride: targetPath(path, settings.paths, spec) === other ? path : other };
}
