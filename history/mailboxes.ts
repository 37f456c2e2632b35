/** A mailbox in its URL identifies a webhook. */

export function mailboxName(runTag: string, letters: string): string {
  return `mailbox-${runTag}-${letters}`;
}

/** Returns undefined for an address that this run did not make. */
export function mailboxIn(runTag: string | null, address: unknown): string | undefined {
  if (runTag === null || typeof address !== "string") return undefined;
  return address.split(/[/?#]/).find((part) => part.startsWith(mailboxName(runTag, "")));
}
