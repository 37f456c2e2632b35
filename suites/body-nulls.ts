import { isAccepted } from "../client/target.ts";
import type { Spec } from "../spec/model/spec.ts";
import {
  isOptionalNull,
  judged,
  nullsSent,
  RULES,
  type RulePlace,
  rulePlaces,
  sideOf,
} from "../trials/broken-bodies.ts";
import { mustBeTakenAsAbsent } from "../trials/null-as-absent.ts";
import { rule, suiteOf } from "../trials/rule.ts";
import { facts } from "./body-fields.ts";

function optionalNulls(spec: Spec): RulePlace[] {
  return rulePlaces(spec).filter((at) => isOptionalNull(spec, at));
}

const nullTaken = rule({
  ...facts,
  requirement: ({ requirement }) => requirement,
  over: optionalNulls,
  title: ({ operation, pointer }) =>
    `${operation.key} rejects null for ${pointer.slice(1)}, or treats it as absent`,
  draw: "null",
  async run(call, at) {
    for (const { what, answer } of await nullsSent(call, at)) {
      const own = call.target.spec.requirements.get(at.requirement)?.level !== "NOTE";
      if (own && isAccepted(answer)) await mustBeTakenAsAbsent(call, at, answer);
      else judged(call, at, what, answer);
    }
  },
});

const nullRejected = rule<RulePlace>({
  ...facts,
  requirement: ({ operation }) => `${sideOf(operation)}-NULL-OPTIONAL`,
  over: (spec) =>
    optionalNulls(spec).filter((at) => at.requirement === `${sideOf(at.operation)}-${RULES.null}`),
  title: ({ operation, pointer }) =>
    `${operation.key} rejects null for ${pointer.slice(1)}, which is optional`,
  draw: "null",
  async run(call, at) {
    for (const { what, answer } of await nullsSent(call, at)) call.mustReject(answer, what, null);
  },
});

export const bodyNulls = suiteOf("bodies", nullTaken, nullRejected);
