/** Keys that differ in any way are different keys: each creates a resource. */

import { firstKey, keyTwists } from "../client/keys.ts";
import { isAction } from "../spec/actions.ts";
import type { Spec } from "../spec/model/spec.ts";
import { acceptedCreations, spareCreation, spareTwist } from "../trials/creation.ts";
import { equalOnes, mustBeOther } from "../trials/distinct-keys.ts";
import { operationsOf, rule, suiteOf } from "../trials/rule.ts";

function twistPlaces(spec: Spec) {
  return operationsOf(spec, "create").flatMap((operation) => {
    const key = operation.idempotencyKey;
    // An operation that acts on a resource shows it again.
    return key && operation.body && !isAction(spec, operation)
      ? keyTwists(key).map((twist) => ({ operation, key, twist, detail: twist }))
      : [];
  });
}

export const keyDistinct = suiteOf(
  "idempotency",
  rule({
    requirement: "KEY-DISTINCT",
    over: twistPlaces,
    title: ({ operation, twist }) =>
      twist === "any keys"
        ? `keys to ${operation.key} that differ in any character create different resources`
        : `keys to ${operation.key} that differ (${twist}) create different resources`,
    async run(call, { twist, key }) {
      const { target, operation } = call;
      const first = await call.plain("full");
      call.controlAccepted(first.answer, "the call with the first key");
      const made = await acceptedCreations(call);
      const keyOf = ({ plan }: (typeof made)[number]) => plan.headers[key.name.toLowerCase()];
      if (twist === "unlike") {
        const equal = await equalOnes(call, made);
        for (const one of equal) for (const two of equal) if (one !== two) mustBeOther(call, one, two, twist);
        if (equal.length > 1) return;
      }
      const anew = async () =>
        twist === spareTwist(call) ? spareCreation(call) : call.create(await call.body(), { key: twist });
      const twisted = made.filter((each) => each.twist === twist);
      for (const other of twisted.length > 0 ? twisted : [await anew()]) {
        // Without the first key of a family there is nothing to compare with.
        const base = await firstKey(target, operation, other.family);
        const [one] = made.filter((each) => keyOf(each) === base);
        if (one ?? twisted.length <= 1) mustBeOther(call, one ?? first, other, twist);
      }
    },
  }),
);
