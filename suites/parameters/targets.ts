import { type ParameterProbe, parameterEdges, parameterViolations } from "../../generators/parameters.ts";
import { type Entry, header } from "../../history/entry.ts";
import { groupedBy } from "../../spec/grouped.ts";
import type { Parameter, Spec } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import type { RuleTarget } from "../shared/history-rule.ts";

export interface ParameterTarget extends RuleTarget {
  parameter: Parameter;
  detail: string;
}

export interface ValueTarget extends ParameterTarget {
  requirement: string;
  value: ParameterProbe;
  shown: string;
}

/** Returns the parameters in queries and headers. Headers that most operations share have their own rules. */
export function ownParameters(spec: Spec): ParameterTarget[] {
  return operationsOf(spec, "list", "read", "create", "update").flatMap((operation) =>
    operation.parameters
      .filter(({ in: place, role }) => place === "query" || (place === "header" && role === "other"))
      .map((parameter) => ({ operation, parameter, detail: parameter.name })),
  );
}

export function isOfRead({ operation: { kind } }: ParameterTarget): boolean {
  return kind === "list" || kind === "read";
}

/** Returns a text such as `limit=51` or `after of 2001 characters`. */
export function valueInWords({ parameter: { name }, value: { text }, shown }: ValueTarget): string {
  if (text === "") return `an empty ${name}`;
  return shown === text ? `${name}=${text}` : `${name} of ${shown}`;
}

export function brokenValues(spec: Spec): ValueTarget[] {
  return ownParameters(spec).flatMap((target) => brokenValuesOf(spec, target));
}

/** Returns the values that break one rule of the parameter. */
export function brokenValuesOf(spec: Spec, target: ParameterTarget): ValueTarget[] {
  const { parameter } = target;
  const targets = parameterViolations(parameter, spec.schemas).map((value): ValueTarget => {
    const { text, constraint } = value;
    const shown = text.length > 20 ? `${text.length} characters` : text || "no characters";
    const requirement = rejectionRequirement(parameter, constraint);
    return { ...target, value, shown, requirement, detail: `${parameter.name} ${constraint} ${shown}` };
  });
  return [...groupedBy(targets, ({ detail }) => detail).values()].flatMap(numbered);
}

/** Numbers the targets of the same name, such as two long texts that break a pattern. */
function numbered(alike: ValueTarget[]): ValueTarget[] {
  return alike.map((target, index) =>
    index === 0 ? target : { ...target, detail: `${target.detail} (${index + 1})` },
  );
}

/** Returns the valid values at the limits. A cursor has none. */
export function edgeValuesOf(spec: Spec, target: ParameterTarget): ValueTarget[] {
  const { parameter } = target;
  if (isCursor(parameter)) return [];
  return parameterEdges(parameter, spec.schemas).map((value) => ({
    ...target,
    value,
    shown: value.text,
    requirement: parameter.role === "page-size" ? "LIST-LIMIT-ACCEPTED" : "PARAMETER-ACCEPTED",
    detail: `${parameter.name}=${value.text}`,
  }));
}

function rejectionRequirement(parameter: Parameter, constraint: ParameterProbe["constraint"]): string {
  const own = parameter.requirements[constraint];
  if (own) return own;
  if (parameter.role === "page-size") return "LIST-LIMIT-REJECTED";
  if (isCursor(parameter)) return "CURSOR-TOO-LONG";
  return parameter.role === "filter" && constraint === "enum" ? "FILTER-ENUM" : "PARAMETER-INVALID";
}

function isCursor({ role }: Parameter): boolean {
  return role === "cursor-after" || role === "cursor-before";
}

/** Returns all values of the parameter that the request has. */
export function valuesIn({ request }: Entry, { in: place, name }: Parameter): string[] {
  if (place === "query") return request.query.filter(([each]) => each === name).map(([, value]) => value);
  const value = header(request.headers, name);
  return value === undefined ? [] : [value];
}

/** True if the request has this one value. Recorded histories may have other long texts of that length. */
export function hasValue(entry: Entry, parameter: Parameter, text: string): boolean {
  const [value, ...others] = valuesIn(entry, parameter);
  if (value === undefined || others.length > 0) return false;
  return value === text || (text.length > LONG_LENGTH && value.length === text.length);
}

const LONG_LENGTH = 40;

/** True if the request has no optional parameter but this one. */
export function isPlainBut(entry: Entry, { operation, parameter }: ParameterTarget): boolean {
  const plain = operation.parameters.filter(({ required, in: place }) => required && place === "query");
  const names = new Set([parameter, ...plain].map(({ name }) => name));
  return entry.request.query.every(([name]) => names.has(name));
}

/** Countries without banks. */
export const EMPTY_COUNTRIES: readonly string[] = ["AQ", "BV", "HM"];
