import type { Context } from "./context.ts";
import { canonical, characters, type JsonObject } from "./json.ts";
import type { Problem } from "./problems.ts";
import type { Entry } from "./service.ts";
import { judge } from "./stages.ts";

export function checkKey(ctx: Context): void {
  if (!ctx.facts?.key) return;
  const key = ctx.request.headers["idempotency-key"] ?? "";
  const problems: Problem[] = [];
  const at = "header.Idempotency-Key";
  const longest = ctx.service.hooks.limit(64, ctx, { at, rule: "maxLength" });
  if (key === "") problems.push({ at, rule: "required", message: "Idempotency-Key is required" });
  if (characters(key) > longest)
    problems.push({ at, rule: "maxLength", message: `Idempotency-Key has more than ${longest} characters` });
  judge(ctx, "key", problems);
  ctx.key = key;
}

/**
 * The first request with the key gives the result. A rejected one leaves the key unused.
 * @throws Rejected if the key was used with another body
 */
export async function once(ctx: Context, work: () => Promise<JsonObject>): Promise<JsonObject> {
  const { hooks, keys } = ctx.service;
  if (ctx.key === "") return work();
  const index = hooks.keyIndex(JSON.stringify([ctx.space, ctx.operation, ctx.params, ctx.key]), ctx);
  const fingerprint = hooks.keyFingerprint(canonical(ctx.body), ctx);
  for (;;) {
    const entry = hooks.keyEntry(keys.get(index), ctx);
    if (!entry) break;
    if (entry.fingerprint !== fingerprint) {
      const message = "this Idempotency-Key was used with another body";
      judge(ctx, "conflict", [{ at: "header.Idempotency-Key", rule: "reuse", message }]);
    }
    const result = await entry.result.catch(() => null);
    if (result) return hooks.keyReplay(result, ctx, entry);
    if (keys.get(index) === entry) keys.delete(index);
  }
  const when = hooks.keyRemembered("before-write", ctx);
  const result = when === "after-write" ? Promise.resolve(await work()) : work();
  if (when === "never") return result;
  const entry: Entry = { index, fingerprint, since: ctx.service.now().getTime(), result };
  keys.set(index, entry);
  return result.catch((error: unknown) => {
    if (keys.get(index) === entry) keys.delete(index);
    throw error;
  });
}
