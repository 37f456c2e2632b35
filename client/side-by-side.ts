/** Calls `work` for all items at once. When all have ended, throws the first failure. */
export async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const ended = await Promise.allSettled(items.map(work));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}
