/** A flag, file, variable or report can't be used. The message is a sentence for people. Exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
