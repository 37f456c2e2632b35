/** The mailbox in a webhook's URL shows which webhook was called. */

export function mailboxName(runTag: string, letters: string): string {
  return `mailbox-${runTag}-${letters}`;
}

/** Returns the mailbox that the address names, or undefined if this run did not make the address. */
export function mailboxIn(runTag: string | null, address: unknown): string | undefined {
  if (runTag === null || typeof address !== "string") return undefined;
  return address.split(/[/?#]/).find((part) => part.startsWith(mailboxName(runTag, "")));
}
