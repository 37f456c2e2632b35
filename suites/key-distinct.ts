/** Keys that differ in any way are different keys (rows 65 to 68): each of them makes a resource of its own. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { type Creation, create, idOf } from "../client/creations.ts";
import { firstKey, type KeyTwist, keyTwists } from "../client/keys.ts";
import { isAction } from "../client/relations.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import { acceptedCreations, spareCreation, spareTwist } from "../trials/creation.ts";
import { minimalAgain } from "../trials/creation-again.ts";
import { operationsOf, type Place, rule, suiteOf } from "../trials/rule.ts";

interface TwistPlace extends Place {
  key: Parameter;
  twist: KeyTwist;
}

function twistPlaces(spec: Spec): TwistPlace[] {
  return operationsOf(spec, "create").flatMap((operation) => {
    const key = operation.idempotencyKey;
    // Acting twice on one resource shows it twice.
    return key && operation.body && !isAction(spec, operation)
      ? keyTwists(key).map((twist) => ({ operation, key, twist, detail: twist }))
      : [];
  });
}

export const keyDistinct = suiteOf(
  "idempotency",
  rule<TwistPlace>({
    requirement: "KEY-DISTINCT",
    over: twistPlaces,
    title: ({ operation, twist }) =>
      twist === "any keys"
        ? `keys to ${operation.key} that differ in any character make different resources`
        : `keys to ${operation.key} that differ (${twist}) make different resources`,
    async run(call, { twist, key }) {
      const { target, operation, version } = call;
      const first = await call.plain("full");
      call.controlAccepted(first.answer, "the call with the first key");
      const made = await acceptedCreations(call);
      const keyOf = ({ plan }: Creation) => plan.headers[key.name.toLowerCase()];
      if (twist === "unlike") {
        const equal = await equalOnes(call, made);
        for (const one of equal) for (const two of equal) if (one !== two) mustBeOther(call, one, two, twist);
        if (equal.length > 1) return;
      }
      const anew = async () =>
        twist === spareTwist(call)
          ? spareCreation(call)
          : create(target, operation, version, await call.body(), { key: twist });
      const twisted = made.filter((each) => each.twist === twist);
      for (const other of twisted.length > 0 ? twisted : [await anew()]) {
        // A family without a first one has nothing to be told from.
        const base = await firstKey(target, operation, other.family);
        const [one] = made.filter((each) => keyOf(each) === base);
        if (one ?? twisted.length <= 1) mustBeOther(call, one ?? first, other, twist);
      }
    },
  }),
);

/** Equal bodies under keys that differ are two calls as well: at depth full two under each version. */
async function equalOnes(call: Call, made: Creation[]): Promise<Creation[]> {
  const { target } = call;
  const equal = made.filter(({ sent }) => isMinimal(call, sent));
  if (target.settings.depth === "quick") return equal;
  const again = call.allowed.map(async (version) => {
    const under = call.under(version);
    return [await under.plain("minimal"), (await minimalAgain(under)).creation];
  });
  // One that is rejected may share what is good for one resource only; that is no matter of keys.
  const all = [...equal, ...(await Promise.all(again)).flat()];
  return [...new Set(all)].filter((creation) => idOf(target, creation) !== undefined);
}

function isMinimal({ target, operation }: Call, sent: object): boolean {
  const required = target.spec.schemas.flatten(operation.body ?? {}).required ?? [];
  return Object.keys(sent).every((name) => required.includes(name));
}

/** Throws a Violation where the second of two calls with different keys was rejected for it, or shows the first's resource. */
function mustBeOther(call: Call, first: Creation, second: Creation, twist: KeyTwist): void {
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
