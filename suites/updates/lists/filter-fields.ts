/** The field of a resource that a filter compares with. A filter may compare with a part of it (`/owner/name`). */

import type { View } from "../../../history/resource-kinds.ts";
import { appendPointer, type JsonObject, pointerTokens, valueAt } from "../../../spec/json.ts";

/** Returns the field of the resource that the view shows under the filter's name. */
export function fieldOf({ names }: View, filter: string | undefined): string | undefined {
  const [first] = pointerTokens(filter ?? "");
  return [...names].find(([, shown]) => shown === first)?.[0];
}

/**
 * Returns the value that the filter compares. `fields` are those of the resource. Undefined if the view does
 * not show the field.
 */
export function valueUnder(view: View, fields: JsonObject, filter: string): unknown {
  const own = fieldOf(view, filter);
  const [, ...within] = pointerTokens(filter);
  return own === undefined ? undefined : valueAt(fields, [own, ...within].reduce(appendPointer, ""));
}
