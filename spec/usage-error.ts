/** A flag, file, variable or report can't be used. The message is for people, the exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
