import type { Context } from "./context.ts";
import { type Problem, Rejected, rejectionOf, type Stage } from "./problems.ts";

/** @throws Rejected for problems that no hook accepts or delays */
export function judge(
  ctx: Context,
  stage: Stage,
  found: readonly Problem[],
  headers: Readonly<Record<string, string>> = {},
): void {
  const { hooks } = ctx.service;
  const problems = hooks.problems(found, ctx, stage);
  if (problems.length === 0) return;
  const rejection = rejectionOf(stage, problems, headers);
  if (!hooks.late(false, ctx, stage)) throw new Rejected(rejection);
  ctx.lateRejections.push(rejection);
}
