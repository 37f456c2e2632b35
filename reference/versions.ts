import type { Context } from "./context.ts";
import { judge } from "./stages.ts";

const VERSIONS: readonly string[] = ["caph.2025-08-23", "caph.2025-06-20"];

/**
 * An empty version means the newest.
 * @throws Rejected 400 for an unknown one
 */
export function checkVersion(ctx: Context): void {
  const sent = ctx.request.headers["service-version"] ?? "";
  const at = "header.Service-Version";
  const message = `Service-Version is none of ${VERSIONS.join(", ")}`;
  judge(ctx, "version", sent === "" || VERSIONS.includes(sent) ? [] : [{ at, rule: "enum", message }]);
  ctx.version = sent === "" ? null : sent;
}
