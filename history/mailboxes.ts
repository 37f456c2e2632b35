/** Names in the addresses to which a service delivers for the run. */

export function mailboxName(runTag: string, letters: string): string {
  return `mailbox-${runTag}-${letters}`;
}

export function mailboxIn(runTag: string | null, address: unknown): string | undefined {
  if (runTag === null || typeof address !== "string") return undefined;
  return address.split(/[/?#]/).find((part) => part.startsWith(mailboxName(runTag, "")));
}
