import type { RequestPlan } from "../generators/request.ts";
import type { Operation, Parameter } from "../spec/model/spec.ts";
import { candidateValues, defaultQuery } from "./samples.ts";
import type { Target } from "./target.ts";

/** Adds required parameters that the plan lacks. A probe may omit some on purpose (`leftOut`). */
export async function withRequired(target: Target, plan: RequestPlan): Promise<RequestPlan> {
  const { operation } = plan;
  const lacking = requiredOf(operation).filter((parameter) => !isSettled(target, plan, parameter));
  if (lacking.length === 0) return plan;
  const query = [...plan.query];
  const headers = { ...plan.headers };
  for (const parameter of lacking) {
    const value = await valueFor(target, operation, parameter);
    if (parameter.in === "query") query.push([parameter.name, value]);
    else headers[parameter.name.toLowerCase()] = value;
  }
  return { ...plan, query, headers };
}

function requiredOf({ parameters }: Operation): Parameter[] {
  return parameters.filter(
    ({ required, role, in: place }) =>
      required && ((place === "header" && role === "other") || place === "query"),
  );
}

/** Returns a valid value of the required parameter, for a list preferably one under which it shows items. */
async function valueFor(target: Target, operation: Operation, parameter: Parameter): Promise<string> {
  const base =
    operation.kind === "list" && parameter.in === "query" ? await defaultQuery(target, operation) : [];
  const [, known] = base.find(([name]) => name === parameter.name) ?? [];
  return known ?? (await candidateValues(target, operation, parameter))[0] ?? "";
}

function isSettled({ settings }: Target, plan: RequestPlan, { in: place, name }: Parameter): boolean {
  if (place === "query")
    return plan.leftOut?.includes(name) === true || plan.query.some(([other]) => other === name);
  const own = name.toLowerCase();
  return (
    own in plan.headers || Object.keys(settings.headers ?? {}).some((other) => other.toLowerCase() === own)
  );
}
