/** Files that the user names, read; each complaint is a UsageError that names the file. */

import { readFileSync } from "node:fs";
import { UsageError } from "../usage-error.ts";
import { SpecError, YamlSource } from "./source.ts";

/** Text of a file, or a UsageError that names it. `what` says what the file was to be. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : code;
    throw new UsageError(`cannot read the ${what} ${file}: ${why}`);
  }
}

/** Parses a YAML (or JSON) file; a UsageError with file and line where it is malformed. */
export function readYaml(file: string, what: string): YamlSource {
  try {
    return new YamlSource(file, readText(file, what));
  } catch (error) {
    if (error instanceof SpecError) throw new UsageError(error.message);
    throw error;
  }
}
