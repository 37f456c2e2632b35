/** Reuse of idempotency keys on which the specification is silent: recorded. */

import { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { freshKey } from "../client/keys.ts";
import { usualVersion } from "../client/version-choice.ts";
import { requestTo, withBody } from "../generators/request.ts";
import { fullCreation } from "../trials/creation.ts";
import { keyPlaces, withKey } from "../trials/refused-keys.ts";
import { rule, suiteOf } from "../trials/rule.ts";

const afterRejection = rule({
  requirement: "KEY-REUSE",
  notes: "keysAfterRejection",
  over: (spec) => keyPlaces(spec, "after a rejection"),
  title: ({ operation }) => `how ${operation.key} treats a key after a rejection`,
  versions: "one",
  group: () => "reuse",
  async run(call, { key }) {
    const { target, operation, version } = call;
    const value = freshKey(target, key);
    const plan = withKey(requestTo(operation, version), key, value);
    await target.send(withBody(plan, {}));
    const valid = withBody(plan, await call.body());
    const answer = await call.send(valid);
    call.note("KEY-REUSE", "keysAfterRejection", { status: answer.status });
  },
});

const onAnotherOperation = rule({
  requirement: "KEY-REUSE",
  notes: "keysOnAnotherOperation",
  over: (spec) => {
    const all = keyPlaces(spec, "used on another operation");
    return all.flatMap((place) => {
      const other = all.find(({ operation }) => operation !== place.operation);
      return other ? [{ ...place, other: other.operation }] : [];
    });
  },
  title: ({ operation }) => `how ${operation.key} treats a key that another operation used`,
  versions: "one",
  group: () => "reuse",
  async run(call, { key, other }) {
    const { target, operation, version } = call;
    const { plan } = await fullCreation(new Call(target, other, usualVersion(target, other)));
    const value = plan.headers[other.idempotencyKey?.name.toLowerCase() ?? ""];
    if (typeof value !== "string") throw new Untestable("no-data", `no key was sent to ${other.key}`);
    const valid = withBody(requestTo(operation, version), await call.body());
    const answer = await call.send(withKey(valid, key, value));
    call.note("KEY-REUSE", "keysOnAnotherOperation", { status: answer.status });
  },
});

export const keyReuse = suiteOf("idempotency", afterRejection, onAnotherOperation);
