/** The mailbox in the URL of a webhook tells which webhook a delivery belongs to. */

export function mailboxName(runTag: string, letters: string): string {
  return `mailbox-${runTag}-${letters}`;
}

export function mailboxIn(runTag: string | null, address: unknown): string | undefined {
  if (runTag === null || typeof address !== "string") return undefined;
  return address.split(/[/?#]/).find((part) => part.startsWith(mailboxName(runTag, "")));
}
