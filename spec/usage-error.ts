/** The message is for people, and the exit code is 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
