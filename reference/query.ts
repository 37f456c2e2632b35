import type { Context } from "./context.ts";
import { characters } from "./json.ts";
import type { Problem } from "./problems.ts";

export function parameter(ctx: Context, name: string, problems: Problem[]): string | null {
  const values = ctx.query.get(name) ?? [];
  if (values.length > 1)
    problems.push({ at: `query.${name}`, rule: "repeated", message: `${name} is given more than once` });
  return values[0] ? values[0] : null;
}

export function checkCursorLength(
  ctx: Context,
  name: string,
  text: string | null,
  longest: number,
  problems: Problem[],
): void {
  const at = `query.${name}`;
  const limit = ctx.service.hooks.limit(longest, ctx, { at, rule: "maxLength" });
  if (text !== null && characters(text) > limit)
    problems.push({ at, rule: "maxLength", message: `${name} has more than ${limit} characters` });
}

export function pageSize(ctx: Context, problems: Problem[]): number {
  const { hooks } = ctx.service;
  const at = "query.limit";
  const sent = ctx.query.get("limit")?.[0] ?? null;
  parameter(ctx, "limit", problems);
  const byDefault = hooks.limit(10, ctx, { at, rule: "default" });
  const size = sent === null ? byDefault : Number(sent);
  if (sent !== null) {
    const lowest = hooks.limit(1, ctx, { at, rule: "minimum" });
    const highest = hooks.limit(50, ctx, { at, rule: "maximum" });
    if (!/^-?(0|[1-9][0-9]*)$/.test(sent))
      problems.push({ at, rule: "type", message: "limit is not an integer" });
    else if (size < lowest) problems.push({ at, rule: "minimum", message: `limit is below ${lowest}` });
    else if (size > highest) problems.push({ at, rule: "maximum", message: `limit is above ${highest}` });
  }
  return hooks.pageSize(Number.isSafeInteger(size) && size >= 0 ? size : byDefault, ctx, sent);
}

export function checkChoice(
  name: string,
  value: string | null,
  choices: readonly string[],
  problems: Problem[],
): void {
  if (value !== null && !choices.includes(value))
    problems.push({ at: `query.${name}`, rule: "enum", message: `${name} is none of ${choices.join(", ")}` });
}
