/** How probes send several requests. */

import type { Target } from "../client/target.ts";
import { allowedOf, lotOf } from "../client/version-choice.ts";
import type { Operation } from "../spec/model/spec.ts";

/** Sends side by side. Throws the first failure once all have ended. */
async function sideBySide<T>(items: readonly T[], send: (item: T) => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(items.map(send));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}

/** Sends each item under one version at depth quick, which the seed picks by `id`, and otherwise under each. */
export function underVersions<T>(
  target: Target,
  operation: Operation,
  id: string,
  items: readonly T[],
  send: (item: T, version: string | null) => Promise<void>,
): Promise<void> {
  const { depth, seed, suggestProfile = false } = target.settings;
  const allowed = allowedOf(target, operation);
  const sendings = items.flatMap((item, index) => {
    const drawn = lotOf(seed, `${id} ${index}`) % allowed.length;
    // A suggested profile rests on every probe.
    const versions = depth === "full" || suggestProfile ? allowed : allowed.slice(drawn, drawn + 1);
    return versions.map((version) => ({ item, version }));
  });
  return sideBySide(sendings, ({ item, version }) => send(item, version));
}
