/**
 * Accepted answers that show the requested resource: a service that answers 200 to everything shows nothing.
 */

import { isObject } from "../spec/json.ts";
import type { Answer } from "./answers.ts";
import { type Entry, isAccepted, resourceIn } from "./entry.ts";
import { pathId } from "./resource-kinds.ts";

/** If the path ends with an id, the answer must show that resource. */
export function isServed({ entry, operation, page }: Answer): boolean {
  if (operation.list) return page !== undefined && (page.items.length > 0 || isObject(page.pagination));
  if (!operation.resource) return isAccepted(entry);
  if (operation.path.endsWith("}")) return showsNamed(entry);
  return Object.keys(resourceIn(entry) ?? {}).length > 0;
}

export function showsNamed(entry: Entry): boolean {
  return Object.values(resourceIn(entry) ?? {}).some((value) => String(value) === pathId(entry));
}
