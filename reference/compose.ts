import type { ActiveHooks, Context, Hooks } from "./hooks.ts";
import type { Json } from "./json.ts";

function fold<V, A extends unknown[]>(
  steps: readonly (((value: V, ...rest: A) => V) | undefined)[],
): (value: V, ...rest: A) => V {
  const given = steps.filter((step) => step !== undefined);
  // Each item calls this, so it costs nothing without hooks.
  if (given.length === 0) return (value, ..._rest) => value;
  return (value, ...rest) => {
    let current = value;
    for (const step of given) current = step(current, ...rest);
    return current;
  };
}

function each<A extends unknown[]>(
  steps: readonly (((...args: A) => void) | undefined)[],
): (...args: A) => void {
  const given = steps.filter((step) => step !== undefined);
  return (...args) => {
    for (const step of given) step(...args);
  };
}

function eachAwaited<A extends unknown[]>(
  steps: readonly (((...args: A) => void | Promise<void>) | undefined)[],
): (...args: A) => void | Promise<void> {
  const given = steps.filter((step) => step !== undefined);
  if (given.length === 0) return () => undefined;
  return async (...args) => {
    for (const step of given) await step(...args);
  };
}

export function hooksOf({ hooks }: { readonly hooks: Hooks | (() => Hooks) }): Hooks {
  return typeof hooks === "function" ? hooks() : hooks;
}

export function compose(sets: readonly Hooks[]): ActiveHooks {
  return {
    seed: fold(sets.map((set) => set.seed)),
    started: each(sets.map((set) => set.started)),
    request: fold(sets.map((set) => set.request)),
    route: fold(sets.map((set) => set.route)),
    pause: eachAwaited(sets.map((set) => set.pause)),
    credentials: fold(sets.map((set) => set.credentials)),
    effectiveSpace: fold(sets.map((set) => set.effectiveSpace)),
    limit: fold(sets.map((set) => set.limit)),
    problems: fold(sets.map((set) => set.problems)),
    late: fold(sets.map((set) => set.late)),
    visible: fold(sets.map((set) => set.visible)),
    found: fold(sets.map((set) => set.found)),
    members: fold(sets.map((set) => set.members)),
    matches: fold(sets.map((set) => set.matches)),
    pageSize: fold(sets.map((set) => set.pageSize)),
    cursorStart: fold(sets.map((set) => set.cursorStart)),
    window: fold(sets.map((set) => set.window)),
    cursorText: fold(sets.map((set) => set.cursorText)),
    item: fold(sets.map((set) => set.item)),
    pagination: fold(sets.map((set) => set.pagination)),
    envelope: fold<Json, [Context]>(sets.map((set) => liftEnvelope(set.envelope))),
    rejection: fold(sets.map((set) => set.rejection)),
    errorBody: fold(sets.map((set) => set.errorBody)),
    response: fold(sets.map((set) => set.response)),
    keyIndex: fold(sets.map((set) => set.keyIndex)),
    keyFingerprint: fold(sets.map((set) => set.keyFingerprint)),
    keyEntry: fold(sets.map((set) => set.keyEntry)),
    keyRemembered: fold(sets.map((set) => set.keyRemembered)),
    keyReplay: fold(sets.map((set) => set.keyReplay)),
    sameReference: fold(sets.map((set) => set.sameReference)),
    recheck: fold(sets.map((set) => set.recheck)),
    changes: fold(sets.map((set) => set.changes)),
    made: fold(sets.map((set) => set.made)),
    stored: fold(sets.map((set) => set.stored)),
    written: each(sets.map((set) => set.written)),
    wasRead: each(sets.map((set) => set.wasRead)),
    events: fold(sets.map((set) => set.events)),
    deliveries: fold(sets.map((set) => set.deliveries)),
  };
}

/** An earlier hook may have replaced the envelope by something that is no object. */
function liftEnvelope(hook: Hooks["envelope"]): ((body: Json, ctx: Context) => Json) | undefined {
  if (!hook) return undefined;
  return (body, ctx) =>
    typeof body === "object" && body !== null && !Array.isArray(body) ? hook(body, ctx) : body;
}
