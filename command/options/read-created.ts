import { isObject } from "../../spec/json.ts";
import { MOST_MEGABYTES, readJson } from "../../spec/loading/read-file.ts";
import type { CreatedResource } from "../../spec/model/result.ts";
import { UsageError } from "../../spec/usage-error.ts";

/**
 * Returns the resources that an earlier run created.
 * @throws UsageError if the file lists none.
 */
export function readCreated(file: string): CreatedResource[] {
  const value = readJson(file, "file of created resources", MOST_MEGABYTES.report, `--reuse ${file}`);
  const created = isObject(value) ? value.created : undefined;
  if (!Array.isArray(created) || !created.every(isCreated))
    throw new UsageError(
      `--reuse ${file}: it does not list what a run created; a run leaves it as created.json`,
    );
  // A redacted id can't be sent.
  return created.filter(({ id }) => !id.includes("[redacted"));
}

function isCreated(value: unknown): value is CreatedResource {
  return isObject(value) && ["kind", "id", "space", "at"].every((name) => typeof value[name] === "string");
}
