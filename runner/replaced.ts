import type { RequestPlan } from "../generators/request.ts";
import { isObject } from "../spec/json.ts";

/** Replaces `instead` anywhere, but `ids`, which may be short, only as whole parameters. */
export function replacedIn(
  plan: RequestPlan,
  instead: ReadonlyMap<string, string>,
  ids: ReadonlyMap<string, string> = new Map(),
): RequestPlan {
  if (instead.size + ids.size === 0) return plan;
  const text = (value: string) => replaced(value, instead);
  const whole = (value: string) => ids.get(value) ?? text(value);
  return {
    ...plan,
    ...(plan.path === undefined ? {} : { path: whole(plan.path) }),
    ...(plan.outer === undefined ? {} : { outer: mapped(plan.outer, whole) }),
    query: plan.query.map(([name, value]) => [name, whole(value)]),
    headers: Object.fromEntries(
      Object.entries(plan.headers).map(([name, value]) => [name, value === null ? null : text(value)]),
    ),
    ...(plan.body === undefined
      ? {}
      : {
          body:
            plan.body.kind === "json"
              ? { kind: "json", value: deep(plan.body.value, text) }
              : { ...plan.body, text: text(plan.body.text) },
        }),
  };
}

function mapped(values: Record<string, string>, text: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));
}

function replaced(value: string, instead: ReadonlyMap<string, string>): string {
  let text = value;
  for (const [old, next] of instead) text = text.replaceAll(old, next);
  return text;
}

function deep(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => deep(item, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, deep(child, text)]));
}
