/** Wrong use: a flag, file, variable or report that cannot be taken. The message is a sentence for people; exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
