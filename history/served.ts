/** Accepted answers that show the requested resource. A service that answers 200 to everything shows nothing. */

import { isObject } from "../spec/json.ts";
import type { Answer } from "./answers.ts";
import { type Entry, resourceIn } from "./entry.ts";
import { pathId } from "./resource-kinds.ts";

/** True if the answer shows a page, or the resource that its path names. */
export function isServed({ entry, page }: Answer): boolean {
  if (page) return page.items.length > 0 || isObject(page.pagination);
  return showsNamed(entry);
}

/** True if the answer shows the resource that the path of its request names by any field. */
export function showsNamed(entry: Entry): boolean {
  return Object.values(resourceIn(entry) ?? {}).some((value) => String(value) === pathId(entry));
}
