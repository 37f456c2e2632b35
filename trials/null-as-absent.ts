/** Decides whether null for an optional field was treated as absent. */

import type { Call } from "../client/call.ts";
import { offending, Violation } from "../client/check.ts";
import { inTurn } from "../client/controls.ts";
import { sendBody } from "../client/subjects.ts";
import { type Answer, isAccepted, resourceOf } from "../client/target.ts";
import { withBody } from "../generators/request.ts";
import { sameFieldValue } from "../history/differences.ts";
import { isObject, valueAt } from "../spec/json.ts";
import { describeValue } from "../spec/schema.ts";
import type { RulePlace } from "./broken-bodies.ts";

/** @throws Violation if null was not treated like a missing field */
export async function mustBeTakenAsAbsent(call: Call, at: RulePlace, answer: Answer): Promise<void> {
  const { schemas } = call.target.spec;
  const [name = ""] = at.pointer.slice(1).split("/");
  const differs = (expected: string, actual: unknown, by: Answer) =>
    new Violation(expected, describeValue(actual), [offending(by, `/result/${name}`)]);
  call.mustShow(answer);
  const shown = resourceOf(answer);
  if (shown && valueAt(shown, at.pointer) === null)
    throw differs(
      `null for ${at.pointer.slice(1)} to be rejected, or taken as if it were left out`,
      null,
      answer,
    );
  const field = schemas.at(at.body, `/${name}`);
  if (at.pointer !== `/${name}` || !shown || (field && schemas.holdsSecret(field))) return;
  const [absent, taken] = await (call.operation.kind === "create"
    ? withoutField(call, name, answer)
    : sentAsNullAgain(call, name));
  if (!absent || !taken || sameFieldValue(resourceOf(absent)?.[name], resourceOf(taken)?.[name])) return;
  const value = resourceOf(absent)?.[name];
  throw differs(
    `${name} as it is when it is left out: ${describeValue(value)}`,
    resourceOf(taken)?.[name],
    taken,
  );
}

/** An equal call without the field, and the one with null. */
async function withoutField(call: Call, name: string, taken: Answer): Promise<Answer[]> {
  const { [name]: _, ...without } = await call.body();
  const absent = await call.send(withBody(await call.valid(), without));
  return isAccepted(absent) ? [absent, taken] : [];
}

/** An update that sets the field, and then one with null for it. */
function sentAsNullAgain(call: Call, name: string): Promise<Answer[]> {
  const { target, operation } = call;
  return inTurn(target, operation, async () => {
    const plan = await call.fresh();
    const set = await sendBody(target, plan, "probe");
    const sent = plan.body?.kind === "json" && isObject(plan.body.value) ? plan.body.value : {};
    const taken = await sendBody(target, withBody(plan, { ...sent, [name]: null }), "probe");
    return isAccepted(set) && isAccepted(taken) ? [set, taken] : [];
  });
}
