/** How an update's resource is seen again: by its own read, or in the list of its kind. */

import { Untestable } from "../client/check.ts";
import { type Answer, isAccepted, resourceOf, type Target } from "../client/target.ts";
import { usualVersion, versionFor } from "../client/version-choice.ts";
import { requestTo } from "../generators/request.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { findInList } from "./own-items.ts";

/** The operation that shows what an update changed. */
export function readerOf(spec: Spec, update: Operation): Operation | undefined {
  const id = update.readBack?.read ?? update.readBack?.list;
  return id === undefined ? undefined : operationById(spec, id);
}

export interface Seen {
  resource: JsonObject;
  /** The read that shows it; a list is searched, and shows it somewhere. */
  exchange?: Answer["exchange"];
}

/**
 * The resource as a read shows it now. `until` is what a list is allowed a short delay for; a single read is not
 * waited for. Throws Untestable where it can't be read back.
 */
export async function readBack(
  target: Target,
  update: Operation,
  id: string,
  options: { version?: string | null; until?: (resource: JsonObject) => boolean } = {},
): Promise<Seen> {
  const reader = readerOf(target.spec, update);
  if (!reader) throw new Untestable("not-shown", `nothing shows again what ${update.key} changed`);
  if (reader.kind === "list") {
    const resource = await findInList(target, reader, id, options);
    if (!resource) throw new Untestable("control-rejected", `${id} is not in ${reader.key}`);
    return { resource: documentedResource(target.spec, reader, resource) };
  }
  const version =
    options.version === undefined
      ? usualVersion(target, reader)
      : versionFor(target, reader, options.version);
  const answer = await target.send(
    { ...requestTo(reader, version), path: id },
    { role: "read back", valid: true },
  );
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  if (!isObject(resource)) {
    throw new Untestable("control-rejected", `${reader.key} was answered ${answer.status}`, [
      answer.exchange,
    ]);
  }
  return { resource: documentedResource(target.spec, reader, resource), exchange: answer.exchange };
}

/** A resource without what the specification does not name, so that two looks at it compare. */
export function documentedResource(spec: Spec, operation: Operation, resource: JsonObject): JsonObject {
  const documented = operation.resource ? spec.schemas.documented(operation.resource, resource) : resource;
  return isObject(documented) ? documented : resource;
}
