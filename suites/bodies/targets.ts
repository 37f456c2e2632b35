import { bodyViolations } from "../../generators/body-faults.ts";
import type { Constraint } from "../../generators/keyword-faults.ts";
import type { WHOLE_BODY_FAULTS } from "../../generators/whole-bodies.ts";
import type { RequestFault } from "../../history/classification.ts";
import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { requirementOf } from "../../history/request-faults/body.ts";
import { sideOf } from "../../history/request-faults/sent-request.ts";
import { memoized } from "../../spec/memoized.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { planningSource } from "../shared/body-parts.ts";
import type { RuleTarget } from "../shared/history-rule.ts";

export interface WholeTarget extends RuleTarget {
  requirement: string;
  fault: (typeof WHOLE_BODY_FAULTS)[number];
}

/** True if a body needs a field. */
export function requiresAny(spec: Spec, { body }: Operation): boolean {
  return spec.schemas.required(body).length > 0;
}

interface BrokenRule {
  pointer: string;
  constraint: RequestFault["constraint"];
}

export interface FieldTarget extends RuleTarget, BrokenRule {
  body: Schema;
  name: string;
  constraint: Constraint;
  requirement: string;
  detail: string;
}

/** Returns each rule that a body can break in one field, once. */
export const fieldTargets = memoized((spec: Spec): readonly FieldTarget[] =>
  operationsWithBody(spec, "create", "update").flatMap((operation) => {
    const { body = {} } = operation;
    const targets = bodyViolations(body, planningSource(spec)).map((fault): FieldTarget => {
      const { pointer, constraint } = testedAt(spec, body, fault);
      const schema = spec.schemas.at(body, pointer) ?? {};
      const requirement = requirementOf(spec, operation, body, { pointer, schema, keyword: constraint });
      const detail = `body${pointer} ${constraint}`;
      return { operation, body, pointer, constraint, requirement, detail, name: pointer.slice(1) };
    });
    return [...new Map(targets.map((target) => [target.detail, target])).values()];
  }),
);

/** Turns type and null rules of an element (`/a/0`) into the type rule of its list or map (`/a`). */
export function testedAt<Rule extends BrokenRule>(spec: Spec, body: Schema, rule: Rule): BrokenRule & Rule {
  const { pointer, constraint } = rule;
  const end = pointer.lastIndexOf("/");
  const whole = pointer.slice(0, Math.max(end, 0));
  const isPart =
    whole !== "" && spec.schemas.at(body, whole)?.properties?.[pointer.slice(end + 1)] === undefined;
  return isPart && (constraint === "type" || constraint === "null")
    ? { ...rule, pointer: whole, constraint: "type" }
    : rule;
}

/** True if the request breaks the rule of the target. */
export function isBroken(history: History, entry: Entry, at: FieldTarget): boolean {
  const { faults, doubts } = history.answers.classification(entry);
  return [...faults, ...doubts.flatMap(({ broken = [] }) => broken)]
    .filter(({ place }) => place.startsWith("body"))
    .map(({ place, constraint }) =>
      testedAt(history.spec, at.body, { pointer: place.slice("body".length), constraint }),
    )
    .some(({ pointer, constraint }) => pointer === at.pointer && constraint === at.constraint);
}

/** True if a service may treat the null as a missing field. */
export function isOptionalNull({ operation, requirement }: FieldTarget): boolean {
  return requirement === `${sideOf(operation)}-NULL-OPTIONAL`;
}
