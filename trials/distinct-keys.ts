/** Creating calls with different keys: each creates a resource. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { type Creation, idOf } from "../client/creations.ts";
import type { KeyTwist } from "../client/keys.ts";
import { minimalAgain } from "./creation-again.ts";

/** Equal bodies with different keys are two calls as well: at depth full two under each version. */
export async function equalOnes(call: Call, made: Creation[]): Promise<Creation[]> {
  const { target } = call;
  const equal = made.filter(({ sent }) => isMinimal(call, sent));
  if (target.settings.depth === "quick") return equal;
  const again = call.allowed.map(async (version) => {
    const under = call.under(version);
    return [await under.plain("minimal"), (await minimalAgain(under)).creation];
  });
  // A rejected one may share a value that is accepted only once; that does not concern keys.
  const all = [...equal, ...(await Promise.all(again)).flat()];
  return [...new Set(all)].filter((creation) => idOf(target, creation) !== undefined);
}

function isMinimal({ target, operation }: Call, sent: object): boolean {
  const required = target.spec.schemas.flatten(operation.body ?? {}).required ?? [];
  return Object.keys(sent).every((name) => required.includes(name));
}

/**
 * @throws Violation if the second of two calls with different keys was rejected for it, or shows the first's
 * resource
 */
export function mustBeOther(call: Call, first: Creation, second: Creation, twist: KeyTwist): void {
  if (second.refusedKey)
    call.mustAccept(second.refusedKey, `a key that differs (${twist}) from an earlier one`);
  call.mustAccept(second.answer, `a key that differs (${twist}) from an earlier one`);
  const ids = [first, second].map((creation) => idOf(call.target, creation));
  if (ids[0] === undefined || ids[1] === undefined)
    throw new Untestable("no-data", "no ids are shown that could be told apart");
  if (ids[0] !== ids[1]) return;
  throw new Violation("another resource under another key", `the same, ${ids[0]}`, [
    first.answer,
    second.answer,
  ]);
}
