/** Judges if the resources of creates show the sent values: all, or one part. */

import { offending, Violation } from "../../client/check.ts";
import type { Creation } from "../../client/creations.ts";
import { type Answer, isAccepted, resourceOf, type Target } from "../../client/target.ts";
import { type Difference, describeDifferences } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import type { Part } from "../shared/body-parts.ts";
import { echoFaults } from "../shared/echo.ts";

/** A resource of a creation, in its own answer or as an item of a list. */
export interface ShownSent {
  resource: JsonObject;
  by: Operation;
  exchange: Answer["exchange"];
}

/**
 * The resource in the answer to a create; undefined if the create was not accepted, or the answer shows none.
 */
export function shownInAnswer({ operation, answer }: Creation): ShownSent | undefined {
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  return resource && { resource, by: operation, exchange: answer.exchange };
}

/** @throws Violation if a resource does not show the sent values, or those of the part */
export async function mustEcho(
  target: Target,
  { operation, sent, answer }: Creation,
  shown: ShownSent,
  options: { part?: Pick<Part, "field">; exact?: boolean } = {},
): Promise<void> {
  const { part, exact = false } = options;
  const faults = (await echoFaults(target, operation, sent, shown.resource, shown.by, exact)).filter(
    ({ pointer }) => part === undefined || isUnder(pointer, part.field),
  );
  if (faults.length > 0) throw notShown(faults, shown, answer);
}

function isUnder(pointer: string, field: string): boolean {
  return pointer === `/${field}` || pointer.startsWith(`/${field}/`);
}

function notShown(faults: Difference[], shown: ShownSent, created: Answer): Violation {
  const { expected, actual, difference } = describeDifferences(faults);
  if (shown.exchange === created.exchange)
    return new Violation(expected, actual, [offending(shown, `/result${faults[0]?.pointer ?? ""}`)], {
      difference,
    });
  return new Violation(`in the list: ${expected}`, actual, [created, shown], { difference });
}
