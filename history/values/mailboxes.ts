/** Returns the part of a callback URL that differs for each webhook. */
export function mailboxName(runTag: string, letters: string): string {
  return `mailbox-${runTag}-${letters}`;
}

export function mailboxIn(runTag: string | null, address: unknown): string | undefined {
  if (runTag === null || typeof address !== "string") return undefined;
  return address.split(/[/?#]/).find((part) => part.startsWith(mailboxName(runTag, "")));
}
