/**
 * An unusable flag, file, variable or report. The message is a sentence for people, and the exit code is 2.
 */
export class UsageError extends Error {
  override name = "UsageError";
}
