import type { Context } from "./context.ts";
import { characters } from "./json.ts";
import type { Problem } from "./problems.ts";
import { judge } from "./stages.ts";

const at = "header.Service-Space-Id";

/** @throws Rejected 400 for a malformed space id, 403 for an unknown or foreign one (section 5) */
export function checkSpace(ctx: Context): void {
  if (ctx.facts === null || ctx.facts.spaceMax === null) return;
  const { hooks, tokens, spaces } = ctx.service;
  const sent = ctx.request.headers["service-space-id"] ?? "";
  const longest = hooks.limit(ctx.facts.spaceMax, ctx, { at, rule: "maxLength" });
  const problems: Problem[] = [];
  if (sent === "") problems.push({ at, rule: "required", message: "Service-Space-Id is required" });
  else if (!sent.startsWith("spc-"))
    problems.push({ at, rule: "pattern", message: "Service-Space-Id does not start with spc-" });
  if (characters(sent) > longest)
    problems.push({ at, rule: "maxLength", message: `Service-Space-Id has more than ${longest} characters` });
  const mayUse = tokens.get(ctx.token) ?? [...spaces];
  const wellFormed = problems.length === 0;
  if (wellFormed && !mayUse.includes(sent))
    problems.push({ at, rule: "known", message: "this token has no such space" });
  judge(ctx, "space", problems);
  // Hooks may accept an invalid id.
  ctx.space = hooks.effectiveSpace(wellFormed ? sent : (mayUse[0] ?? ""), ctx);
}
