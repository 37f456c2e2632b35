/**
 * Thrown if a flag, file, variable or report can't be used. The message is for people, and the exit code is
 * 2.
 */
export class UsageError extends Error {
  override name = "UsageError";
}
