import type { Context } from "../context.ts";
import type { Hooks } from "../hooks.ts";

/** Hooks that run before the operation is known, or outside of requests. */
const WITHOUT_OPERATION = ["seed", "started", "request", "route", "events", "deliveries"];
/** All other hooks get the context as their second argument. */
const CONTEXT_FIRST = ["written", "wasRead"];

type AnyHook = (...args: unknown[]) => unknown;

export function only(hooks: Hooks, holds: (ctx: Context) => boolean): Hooks {
  const entries = Object.entries(hooks) as [keyof Hooks, AnyHook][];
  const wrapped = entries.map(([name, hook]): [string, AnyHook] => {
    if (WITHOUT_OPERATION.includes(name)) return [name, hook];
    const place = CONTEXT_FIRST.includes(name) ? 0 : 1;
    return [name, (...args) => (holds(args[place] as Context) ? hook(...args) : args[0])];
  });
  return Object.fromEntries(wrapped) as Hooks;
}
