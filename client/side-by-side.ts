import type { Operation } from "../spec/model/spec.ts";
import type { Target } from "./target.ts";
import { allowedOf, sampledFrom, sendsAll } from "./version-choice.ts";

/**
 * Works on all items at the same time.
 * @throws the first error, after all have ended
 */
export async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const ended = await Promise.allSettled(items.map(work));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}

/**
 * Sends each item under a version that the seed picks. At depth full, a single item is sent under all
 * versions, each of several under all others.
 */
export function underVersions<T>(
  target: Target,
  operation: Operation,
  id: string,
  items: readonly T[],
  send: (item: T, version: string | null) => Promise<unknown>,
): Promise<void> {
  const allowed = allowedOf(target, operation);
  const sendings = items.flatMap((item, index) => {
    const sampled = sampledFrom(target.settings.seed, `${id} ${index}`, allowed);
    const others = allowed.filter((version) => !sampled.includes(version));
    const atFull = items.length === 1 || others.length === 0 ? allowed : others;
    return (sendsAll(target) ? atFull : sampled).map((version) => ({ item, version }));
  });
  return sideBySide(sendings, ({ item, version }) => send(item, version));
}
