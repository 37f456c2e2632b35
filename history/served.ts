/** Tells if an accepted answer shows the requested resource, since a service may answer 200 to everything. */

import { isObject } from "../spec/json.ts";
import type { Answer } from "./answers.ts";
import { type Entry, isAccepted, resourceIn } from "./entry.ts";
import { pathId } from "./resource-kinds.ts";

/**
 * True if the answer shows a resource or a list: the resource with the id of the path, if the path ends with
 * one.
 */
export function isServed({ entry, operation, page }: Answer): boolean {
  if (operation.list) return page !== undefined && (page.items.length > 0 || isObject(page.pagination));
  if (!operation.resource) return isAccepted(entry);
  if (operation.path.endsWith("}")) return showsNamed(entry);
  return Object.keys(resourceIn(entry) ?? {}).length > 0;
}

export function showsNamed(entry: Entry): boolean {
  return Object.values(resourceIn(entry) ?? {}).some((value) => String(value) === pathId(entry));
}
